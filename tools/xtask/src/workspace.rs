//! Locations in this repository and in the user's cache.

use std::env;
use std::path::{Path, PathBuf};

/// Returns the repository's root.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// Returns the workspace's usual build folder, whatever folder this program itself was built in.
pub(crate) fn target() -> PathBuf {
    root().join("target")
}

/// Returns the folder for files that are kept between checkouts.
fn cache() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = cache.or_else(|| env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")));
    cache.unwrap_or_else(|| target().join("cache")).join("sycl-pi")
}

/// Returns the folder of downloaded wheels.
pub(crate) fn wheel_cache() -> PathBuf {
    cache().join("wheels")
}

/// Returns the folder of environments and drivers that are never written to, so that checkouts share them.
pub(crate) fn environments() -> PathBuf {
    cache().join("environments")
}

/// Where root file systems of Debian lie, as packaging/debian.py makes them.
pub(crate) fn roots() -> PathBuf {
    cache().join("roots")
}

/// Returns the folder where the software Level Zero driver keeps what it built from modules.
pub(crate) fn built_modules() -> PathBuf {
    cache().join("level-zero-modules")
}

/// Returns the folder of programs that make packages.
pub(crate) fn tools() -> PathBuf {
    cache().join("tools")
}

/// Returns our OpenCL plugin in the folder of `cargo build --release`.
pub(crate) fn our_plugin() -> PathBuf {
    target().join("release").join("libpi_opencl.so")
}
