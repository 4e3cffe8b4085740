//! How libur_adapter_level_zero.so is linked.

fn main() {
    // Exports bind inside the library, and it stays loaded: several adapters may share a process, in any order of exit.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    // The Level Zero loader is looked for in LD_LIBRARY_PATH, then beside the adapter, then where the system keeps libraries.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-rpath,$ORIGIN,--enable-new-dtags");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libur_adapter_level_zero.so.0");
    println!("cargo::rerun-if-changed=build.rs");
}
