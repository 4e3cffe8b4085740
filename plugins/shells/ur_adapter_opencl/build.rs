//! Linker options of libur_adapter_opencl.so.

fn main() {
    // Exports bind within the library, and it stays loaded, because several adapters may share a process and exit in
    // any order.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    // libOpenCL is searched for in LD_LIBRARY_PATH, then next to the adapter, then in the system's library folders.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-rpath,$ORIGIN,--enable-new-dtags");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libur_adapter_opencl.so.0");
    println!("cargo::rerun-if-changed=build.rs");
}
