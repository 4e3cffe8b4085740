//! An item of a listing.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde::Serialize;
use sycl_pi_cache::store::{Details, Item};
use sycl_pi_cache::{Digest, Store};

/// An item with the content of its `.src`, or the reason why that cannot be read.
#[derive(Serialize)]
pub struct CacheItem {
    /// Its name, for `show`, `prune` and display.
    pub item: String,
    pub folder: PathBuf,
    pub number: u64,
    /// The name of the folder of its images.
    pub image_set: String,
    pub size_bytes: u64,
    pub hits: u64,
    /// The time since it was last written or loaded.
    pub age_seconds: Option<u64>,
    pub problem: Option<String>,
    #[serde(flatten)]
    pub details: Option<ItemDetails>,
}

/// The content of an item's `.src`.
#[derive(Serialize)]
pub struct ItemDetails {
    pub platform: String,
    pub device: String,
    pub device_version: String,
    pub driver_version: String,
    pub plugin: String,
    pub runtime: String,
    pub kernels: Vec<String>,
    pub compile_options: String,
    pub link_options: String,
    /// In hexadecimal digits.
    pub spec_constants: String,
    pub images: Vec<Image>,
    pub built_at: Option<u64>,
    pub build_seconds: f64,
}

#[derive(Serialize)]
pub struct Image {
    pub size_bytes: u64,
    pub digest: String,
}

impl CacheItem {
    pub fn read(store: &Store, item: &Item) -> Self {
        let (details, problem) = match store.details(item) {
            Ok(details) => (Some(ItemDetails::new(details)), None),
            Err(problem) => (None, Some(problem.to_string())),
        };
        let age = item.last_used.and_then(|at| SystemTime::now().duration_since(at).ok());
        Self {
            item: item.name(),
            folder: item.folder.clone(),
            number: item.number,
            image_set: image_set(item),
            size_bytes: item.size,
            hits: item.hits,
            age_seconds: age.map(|age| age.as_secs()),
            problem,
            details,
        }
    }

    /// `3d`, `5h`, `12min`
    pub fn age(&self) -> String {
        self.age_seconds.map(|seconds| age(Duration::from_secs(seconds))).unwrap_or_default()
    }

    pub fn device(&self) -> &str {
        self.details.as_ref().map_or("?", |details| &details.device)
    }
}

impl ItemDetails {
    fn new(details: Details) -> Self {
        let Details { key, notes } = details;
        let image =
            |image: &Vec<u8>| Image { size_bytes: image.len() as u64, digest: Digest::of(image).to_string() };
        let built_at = notes.built_at.and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
        Self {
            platform: key.device.platform,
            device: key.device.name,
            device_version: key.device.version,
            driver_version: key.device.driver,
            plugin: key.device.plugin,
            runtime: key.device.runtime,
            kernels: notes.kernels,
            compile_options: key.compile_options,
            link_options: key.link_options,
            spec_constants: key.spec_constants.iter().map(|byte| format!("{byte:02x}")).collect(),
            images: key.images.iter().map(image).collect(),
            built_at: built_at.map(|since| since.as_secs()),
            build_seconds: notes.build_time.as_secs_f64(),
        }
    }

    /// Returns the compile and link options in one line.
    pub fn options(&self) -> String {
        // A compiler's arguments end with NUL each.
        [&self.compile_options, &self.link_options]
            .into_iter()
            .map(|text| text.replace('\0', " ").trim().to_owned())
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join(" | ")
    }

    /// Returns the constants, shortened.
    pub fn constants(&self) -> String {
        match self.spec_constants.get(..16) {
            Some(start) if self.spec_constants.len() > 16 => {
                format!("{start}... ({} bytes)", self.spec_constants.len() / 2)
            }
            _ => self.spec_constants.clone(),
        }
    }
}

/// Returns the name of the folder of an item's images.
pub fn image_set(item: &Item) -> String {
    let folder = item.folder.ancestors().nth(2).and_then(|path| path.file_name());
    folder.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn age(age: Duration) -> String {
    match age.as_secs() {
        seconds @ 0..60 => format!("{seconds}s"),
        seconds @ 60..3600 => format!("{}min", seconds / 60),
        seconds @ 3600..86400 => format!("{}h", seconds / 3600),
        seconds => format!("{}d", seconds / 86400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages() {
        let of = |seconds| age(Duration::from_secs(seconds));
        assert_eq!([of(5), of(300), of(7200), of(200_000)], ["5s", "5min", "2h", "2d"]);
    }
}
