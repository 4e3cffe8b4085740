//! Sets the linker options of libpi_over_ur.so.

fn main() {
    // Exports bind inside the library, and it stays loaded, because several of them may share a process, in any order
    // of exit. Cargo's options for examples are for programs, so the programs here have these as well.
    println!("cargo::rustc-link-arg=-Wl,-Bsymbolic");
    println!("cargo::rustc-link-arg=-Wl,-z,nodelete");
    println!("cargo::rerun-if-changed=build.rs");
}
