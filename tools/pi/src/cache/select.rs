//! Selects the items of a command.

use anyhow::{Context, Result};
use clap::Args;
use sycl_pi_cache::Store;
use sycl_pi_cache::store::Item;

use super::entry::{CacheItem, image_set};
use super::progress::Progress;

/// Selects items by their programs.
#[derive(Args, Default)]
pub struct Selection {
    /// Only items of devices with this text in the name of the device, platform or driver.
    #[arg(long, value_name = "TEXT")]
    pub device: Option<String>,
    /// Only items of image sets whose name starts with this, or with an image whose digest does (see `pi cache ls
    /// --json`).
    #[arg(long, value_name = "NAME")]
    pub image: Option<String>,
    /// Only items with a kernel whose name contains this text.
    #[arg(long, value_name = "TEXT")]
    pub kernel: Option<String>,
}

impl Selection {
    pub fn is_all(&self) -> bool {
        self.device.is_none() && self.image.is_none() && self.kernel.is_none()
    }

    /// Returns whether an item is selected. One whose `.src` cannot be read is selected only by the name of its
    /// image set, or if no name is given.
    fn takes(&self, item: &Item, entry: &CacheItem) -> bool {
        let details = entry.details.as_ref();
        let device = self.device.as_deref().is_none_or(|text| {
            let text = text.to_lowercase();
            let has = |name: &String| name.to_lowercase().contains(&text);
            details.is_some_and(|details| {
                [&details.device, &details.platform, &details.driver_version].into_iter().any(has)
            })
        });
        let image = self.image.as_deref().is_none_or(|start| {
            image_set(item).starts_with(start)
                || details
                    .is_some_and(|details| details.images.iter().any(|image| image.digest.starts_with(start)))
        });
        let kernel = self.kernel.as_deref().is_none_or(|text| {
            details.is_some_and(|details| details.kernels.iter().any(|kernel| kernel.contains(text)))
        });
        device && image && kernel
    }

    /// Reads the store's items and returns the selected ones.
    pub fn read(&self, store: &Store) -> Result<Vec<(Item, CacheItem)>> {
        let items = items(store)?;
        let progress = Progress::start("reading", items.len());
        let mut chosen = Vec::new();
        for item in items {
            let entry = CacheItem::read(store, &item);
            if self.takes(&item, &entry) {
                chosen.push((item, entry));
            }
            progress.step();
        }
        Ok(chosen)
    }
}

/// Lists all items, without reading them.
pub fn items(store: &Store) -> Result<Vec<Item>> {
    let root = store.root().context("no folder is set for cached programs: set SYCL_CACHE_DIR or HOME")?;
    let progress = Progress::start("looking", 0);
    store.items(|_| progress.step()).with_context(|| format!("{} cannot be read", root.display()))
}
