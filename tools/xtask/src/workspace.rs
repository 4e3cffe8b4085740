//! Where things lie in this repository and in the user's cache.

use std::env;
use std::path::{Path, PathBuf};

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// The workspace's ordinary build folder, whatever folder this program itself was built in.
pub(crate) fn target() -> PathBuf {
    root().join("target")
}

/// Where downloaded wheels are kept between check-outs.
pub(crate) fn wheel_cache() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = cache.or_else(|| env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")));
    cache.unwrap_or_else(|| target().join("cache")).join("sycl-pi").join("wheels")
}

/// Our OpenCL plugin as `cargo build --release` leaves it.
pub(crate) fn our_plugin() -> PathBuf {
    target().join("release").join("libpi_opencl.so")
}
