//! How libpi_runtime.so is linked.

fn main() {
    // Compiled objects register their images from static constructors and destructors: the library stays loaded.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    // Plugins are looked for in LD_LIBRARY_PATH, then beside this library, then where the system keeps libraries.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-rpath,$ORIGIN,--enable-new-dtags");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpi_runtime.so");
    println!("cargo::rerun-if-changed=build.rs");
}
