//! Linker settings for libpi_math.so.

fn main() {
    // It holds handles of NVIDIA's libraries, so it must stay loaded.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpi_math.so");
    println!("cargo::rerun-if-changed=build.rs");
}
