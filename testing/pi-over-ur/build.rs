//! Sets the linker options of libpi_over_ur.so.

fn main() {
    // Exports bind inside the library, and it stays loaded, because several of them may share a process, in any order
    // of exit.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rerun-if-changed=build.rs");
}
