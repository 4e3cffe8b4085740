//! Link options of the fake library.

fn main() {
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libnvvm.so.4");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    println!("cargo::rerun-if-changed=build.rs");
}
