//! Link options of libsoftware_level_zero.so.

fn main() {
    // Its functions have the same names as the loader's. Internal calls must use its own.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    println!("cargo::rerun-if-changed=build.rs");
}
