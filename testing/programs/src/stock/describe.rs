//! Describes a library's content: decodes every image, and reads every module.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use object::{Object, ObjectSection};
use sycl_pi_image::spirv::{Index, Module, Reflection};
use sycl_pi_image::unwrap::unwrap;
use sycl_pi_image::{ImageParts, Properties, aspect};

/// Prints a line for a library: its images, the number in the linker's own list, kernels, aspects, compressed images,
/// milliseconds. Prints a line for each image that cannot be read.
#[allow(clippy::print_stdout, reason = "the parent reads it")]
pub fn describe(file: &Path) {
    let begin = Instant::now();
    let name = file.display().to_string();
    let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{name}: {error}"));
    let listed = listed(&bytes);
    let Ok(found) = unwrap(&name, &bytes) else {
        println!("{}", super::line(&["library", &name, "0", &listed.to_string(), "0", "", "0", "0"]));
        return;
    };
    let mut kernels = 0;
    let mut aspects = BTreeSet::new();
    let mut problems: Vec<String> = found.damaged.iter().map(ToString::to_string).collect();
    for image in &found.images {
        match read(image) {
            Ok((count, needs)) => {
                kernels += count;
                aspects.extend(needs);
            }
            Err(problem) => problems.push(problem),
        }
    }
    let compressed =
        found.images.iter().filter(|image| matches!(image.bytes, std::borrow::Cow::Owned(_))).count();
    let aspects: Vec<String> = aspects.into_iter().map(aspect::describe).collect();
    let (images, listed, kernels) = (found.images.len().to_string(), listed.to_string(), kernels.to_string());
    let (compressed, time) = (compressed.to_string(), begin.elapsed().as_millis().to_string());
    println!(
        "{}",
        super::line(&["library", &name, &images, &listed, &kernels, &aspects.join(" "), &compressed, &time])
    );
    for problem in problems {
        println!("{}", super::line(&["unreadable", &problem]));
    }
}

/// Returns the number of images that the linker lists in the section `.tgtimg`, each with an address and a size. The
/// section exists in addition to the descriptors.
fn listed(file: &[u8]) -> u64 {
    let Ok(file) = object::File::parse(file) else { return 0 };
    file.section_by_name(".tgtimg").map_or(0, |section| section.size() / 16)
}

/// Returns the number of an image's kernels, and the aspects that it needs.
fn read(image: &ImageParts<'_>) -> Result<(usize, Vec<u32>), String> {
    let properties = Properties::decode(image).map_err(|error| error.to_string())?;
    if properties.encode() != image.property_sets {
        return Err(format!("{}: the property sets are not encoded as they were", image.name));
    }
    let code = || {
        let module = Module::parse(&image.bytes)?;
        let index = Index::new(&module)?;
        Reflection::of(&index)
    };
    let found = code().map_err(|error| format!("{}: {error}", image.name))?;
    let missing =
        found.entry_points.iter().find(|entry| !image.entries.contains(&entry.name.as_str().into()));
    if let Some(entry) = missing {
        return Err(format!("{}: kernel {} is not among the entries", image.name, entry.name));
    }
    Ok((found.entry_points.len(), properties.requirements.aspects.unwrap_or_default()))
}

/// Writes the code of the image that has a kernel.
///
/// # Panics
/// Panics if the library cannot be read, has no such kernel, or the file cannot be written.
pub fn write_code(library: &Path, kernel: &str, out: &Path) {
    let name = library.display().to_string();
    let bytes = std::fs::read(library).unwrap_or_else(|error| panic!("{name}: {error}"));
    let found = unwrap(&name, &bytes).unwrap_or_else(|error| panic!("{error}"));
    let image = found.images.iter().find(|image| image.entries.iter().any(|entry| entry == kernel));
    let image = image.unwrap_or_else(|| panic!("{name} has no kernel {kernel}"));
    std::fs::write(out, &image.bytes).unwrap_or_else(|error| panic!("{}: {error}", out.display()));
}
