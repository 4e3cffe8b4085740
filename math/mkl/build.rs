//! How libpi_math.so is linked.

fn main() {
    // It holds handles of NVIDIA's libraries, so it stays loaded.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpi_math.so");
    println!("cargo::rerun-if-changed=build.rs");
}
