//! Linker options of libur_adapter_cuda.so.

fn main() {
    // Exports bind within the library, and it stays loaded, because several adapters may share a process and exit in
    // any order.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libur_adapter_cuda.so.0");
    println!("cargo::rerun-if-changed=build.rs");
}
