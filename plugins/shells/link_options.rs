//! Functions that the build scripts of the three libraries share.

use std::path::Path;
use std::{env, fs, io};

/// Prints the linker's options of `libpi_NAME.so`, and links `libur_adapter_NAME.so` to it, next to the built library.
/// With `driver_beside`, the driver is searched for in LD_LIBRARY_PATH, then next to the library, then in the system's
/// folders. NVIDIA's driver is part of the system, so it is not.
pub(crate) fn print(name: &str, driver_beside: bool) -> io::Result<()> {
    // Exports bind within the library, and it stays loaded, because several of these libraries may share a process and
    // exit in any order.
    let beside = driver_beside.then_some("-rpath,$ORIGIN,--enable-new-dtags");
    for option in ["-Bsymbolic", "-z,nodelete"].into_iter().chain(beside) {
        println!("cargo::rustc-cdylib-link-arg=-Wl,{option}");
    }
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpi_{name}.so");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../link_options.rs");
    // OUT_DIR is PROFILE/build/PACKAGE-HASH/out.
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    let folder = Path::new(&out).ancestors().nth(3).ok_or(io::ErrorKind::NotFound)?;
    let link = folder.join(format!("libur_adapter_{name}.so"));
    let target = format!("libpi_{name}.so");
    if fs::read_link(&link).is_ok_and(|there| there == Path::new(&target)) {
        return Ok(());
    }
    // An older build has left a library of that name.
    match fs::remove_file(&link) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    std::os::unix::fs::symlink(target, link)
}
