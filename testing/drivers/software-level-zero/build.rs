//! How libsoftware_level_zero.so is linked.

fn main() {
    // Its functions have the names of the loader's: inside, they mean themselves.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    println!("cargo::rerun-if-changed=build.rs");
}
