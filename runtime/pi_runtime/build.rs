//! Linker settings for libpi_runtime.so.

fn main() {
    // Compiled objects register their images from static constructors and destructors, so the library must stay loaded.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    // Plugins are searched for in LD_LIBRARY_PATH, then next to this library, then in the system's library folders.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-rpath,$ORIGIN,--enable-new-dtags");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpi_runtime.so");
    println!("cargo::rerun-if-changed=build.rs");
}
