//! Linker options of libpi_level_zero.so.

fn main() {
    // Exports bind within the library, and it stays loaded, because several plugins may share a process and exit in any
    // order.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    // The Level Zero loader is searched for in LD_LIBRARY_PATH, then next to the plugin, then in the system's library
    // folders.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-rpath,$ORIGIN,--enable-new-dtags");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpi_level_zero.so");
    println!("cargo::rerun-if-changed=build.rs");
}
