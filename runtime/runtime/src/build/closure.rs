//! Determines the images with which a kernel's image must be linked ("Device code dynamic linking", Device images
//! collection).
//!
//! Each imported symbol is looked up first in the image itself and those already taken, then in the images of the
//! importer's module, then in all others in the order of registration; the first match wins. Images must have the same
//! format and be able to run on the device, and their requirements count too. A symbol that code without properties
//! imports, and that no image exports, is left to the driver, because it may be a function of the device. As in the
//! design, `LD_PRELOAD` and the scopes of `dlopen` are irrelevant: device code of a library that was loaded last is
//! found last, regardless of which library loaded it.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use super::choose::{may_run, refusal};
use super::names::near;
use crate::call::Device;
use crate::error::{Error, Result};
use crate::registry::{Image, Registry, virtual_sets};

/// Returns the image and all images that it needs, starting with itself.
pub(crate) fn closure(registry: &Registry, main: &Arc<Image>, device: &Device) -> Result<Vec<Arc<Image>>> {
    let mut taken = Taken::default();
    taken.add(main);
    let mut missing: Vec<(String, Arc<Image>)> = Vec::new();
    let mut at = 0;
    while let Some(image) = taken.images.get(at).cloned() {
        at += 1;
        for symbol in image.properties().imports.iter() {
            // Symbols that the device or the compiler provides are not imports.
            if symbol.starts_with("__") || taken.exported.contains(symbol) {
                continue;
            }
            let offers = registry.images_with_export(symbol);
            if offers.is_empty() && image.is_code_alone() {
                continue;
            }
            let fits =
                |other: &&Arc<Image>| other.format() == main.format() && refusal(other, device).is_none();
            let mut fitting: VecDeque<&Arc<Image>> = offers.iter().filter(fits).collect();
            let own = fitting.iter().position(|other| other.module() == image.module());
            match own.and_then(|own| fitting.remove(own)).or_else(|| fitting.pop_front()) {
                Some(other) => taken.add(other),
                None => missing.push((symbol.to_owned(), image.clone())),
            }
        }
        for set in virtual_sets(image.properties().virtual_functions.uses.as_ref()) {
            for other in registry.images_with_virtual_set(set) {
                if other.format() == main.format() && may_run(&other, device) {
                    taken.add(&other);
                }
            }
        }
    }
    if missing.is_empty() { Ok(taken.images) } else { Err(unresolved(registry, main, device, &missing)) }
}

#[derive(Default)]
struct Taken {
    images: Vec<Arc<Image>>,
    ids: HashSet<u64>,
    exported: HashSet<String>,
}

impl Taken {
    fn add(&mut self, image: &Arc<Image>) {
        if self.ids.insert(image.id()) {
            self.exported.extend(image.properties().exports.iter().map(str::to_owned));
            self.images.push(image.clone());
        }
    }
}

/// Makes the error for symbols that no image provides, with the reason for each image that exports one but cannot be
/// used.
fn unresolved(registry: &Registry, main: &Image, device: &Device, missing: &[(String, Arc<Image>)]) -> Error {
    let mut lines = Vec::new();
    let mut only_refused = true;
    for (symbol, image) in missing {
        let mut line =
            format!("No device image found for external symbol {symbol}, which image {} needs", image.name());
        let offers = registry.images_with_export(symbol);
        only_refused &= offers.iter().any(|other| other.format() == main.format());
        for other in &offers {
            let (name, format, target) = (other.name(), other.format(), &other.parts().target);
            line.push_str("; ");
            match refusal(other, device).filter(|_| format == main.format()) {
                Some(why) => line.push_str(&why),
                None => {
                    let needed = main.format();
                    line.push_str(&format!(
                        "there is {name} ({format:?}, {target}), but {needed:?} is needed"
                    ));
                }
            }
        }
        line.push_str(&near_misses(registry, symbol));
        lines.push(line);
    }
    let text = lines.join("\n");
    if only_refused { Error::KernelNotSupported(text) } else { Error::build(text) }
}

/// Returns exported symbols with similar names, as the end of a message.
fn near_misses(registry: &Registry, symbol: &str) -> String {
    let exports = registry.export_names();
    let near = near(symbol, exports.iter().map(AsRef::as_ref).filter(|name| *name != symbol));
    if near.is_empty() { String::new() } else { format!("; near misses: {}", near.join(", ")) }
}

/// Returns a possible cause of a failed build: symbols that were left to the driver.
pub(crate) fn left_to_the_driver(registry: &Registry, images: &[Arc<Image>]) -> String {
    let mut text = String::new();
    for image in images.iter().filter(|image| image.is_code_alone()) {
        for symbol in image.properties().imports.iter().filter(|symbol| !symbol.starts_with("__")) {
            if registry.images_with_export(symbol).is_empty() {
                text.push_str(&format!(
                    "\nNo device image exports symbol {symbol}, which image {} needs",
                    image.name()
                ));
                text.push_str(&near_misses(registry, symbol));
            }
        }
    }
    text
}
