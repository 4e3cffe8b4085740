//! Linker settings for libpi_dnn.so.

fn main() {
    // Its objects hold addresses in it, so it must stay loaded.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpi_dnn.so");
    println!("cargo::rerun-if-changed=build.rs");
}
