//! Linker options of libpi_cuda.so.

fn main() {
    // Exports bind within the library, and it stays loaded, because several plugins may share a process and exit in any
    // order.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpi_cuda.so");
    println!("cargo::rerun-if-changed=build.rs");
}
