//! How libpi_runtime.so is linked.

fn main() {
    // Compiled objects register their images from static constructors and destructors: the library stays loaded.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpi_runtime.so");
    println!("cargo::rerun-if-changed=build.rs");
}
