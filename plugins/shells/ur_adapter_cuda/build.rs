//! How libur_adapter_cuda.so is linked.

fn main() {
    // Exports bind inside the library, and it stays loaded: several adapters may share a process, in any order of exit.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libur_adapter_cuda.so.0");
    println!("cargo::rerun-if-changed=build.rs");
}
