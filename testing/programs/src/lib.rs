//! Runs any device image on any plugin. The image's property sets determine what must happen, then it is tried.
//!
//! The runtime's driver tests and the programs of this package share this code.
#![expect(unsafe_code, reason = "test programs call plugins")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "it is part of tests")]

pub mod device_table;
pub mod stock;

use std::path::{Path, PathBuf};
use std::process::Command;

use sycl_pi_image::spirv::{ArgumentKind, Index, LinkageKind, Module, Reflection};
use sycl_pi_runtime::*;

/// The argument that makes a child of this program try one image.
pub const CHILD: &str = "--try-image";

/// The result of trying an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageResult {
    /// All of it ran, or was built if there is nothing to run.
    Ran(String),
    /// It was refused, as its properties require.
    Refused(String),
    /// It was refused without a reason in its properties, or ran although it must not, or ended the process.
    Wrong(String),
    /// The driver itself crashed.
    Crashed(String),
}

/// Opens a plugin.
///
/// # Errors
/// Those of [`Plugin::open`].
pub fn open(plugin: &Path) -> Result<Plugin> {
    // SAFETY: the developer names the file.
    unsafe { Plugin::open(plugin) }
}

/// Registers an image.
///
/// # Errors
/// Those of [`Registry::add`].
pub fn add(registry: &Registry, image: ImageParts<'_>) -> Result<ModuleId> {
    // SAFETY: a compiler made the image, or the test builds nothing of it.
    unsafe { registry.add(image) }
}

/// Launches the kernels of tests, which only access the memory of their arguments.
pub trait Launch {
    /// Like [`Kernel::launch`].
    ///
    /// # Errors
    /// Those of [`Kernel::launch`].
    fn start(&self, queue: &Queue, range: NdRange, args: &[Arg<'_>]) -> Result<Event> {
        self.start_after(queue, range, args, &[])
    }

    /// Like [`Kernel::launch_after`].
    ///
    /// # Errors
    /// Those of [`Kernel::launch`].
    fn start_after(&self, queue: &Queue, range: NdRange, args: &[Arg<'_>], after: &[Event]) -> Result<Event>;
}

impl Launch for Kernel {
    fn start_after(&self, queue: &Queue, range: NdRange, args: &[Arg<'_>], after: &[Event]) -> Result<Event> {
        // SAFETY: the kernels of the test images stay within the memory that the tests pass.
        unsafe { self.launch_after(queue, range, args, after) }
    }
}

/// Returns the folder with the images of the repository.
pub fn default_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/image/tests/images")
}

/// Returns the names of the images in a folder.
pub fn names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> = files
        .filter_map(|file| file.ok()?.file_name().into_string().ok())
        .filter_map(|file| file.strip_suffix(".props.json").map(str::to_owned))
        .collect();
    names.sort();
    names
}

/// Loads an image from a folder.
pub fn load(folder: &Path, name: &str) -> ImageParts<'static> {
    let json = std::fs::read_to_string(folder.join(format!("{name}.props.json"))).unwrap();
    let bytes = std::fs::read(folder.join(format!("{name}.spv"))).unwrap();
    sycl_pi_image::text::read_json(name, &json, &bytes).unwrap().into_owned().unwrap()
}

/// Tries an image in a separate process, because some images crash drivers.
pub fn try_in_child(folder: &Path, name: &str, plugin: &Path) -> ImageResult {
    let program = std::env::current_exe().unwrap();
    let output = Command::new(program).arg(CHILD).arg(folder).arg(name).arg(plugin).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().rev().find_map(|line| line.strip_prefix("outcome\t"));
    let Some((kind, detail)) = last.and_then(|line| line.split_once('\t')) else {
        let step = text.lines().rev().find_map(|line| line.strip_prefix("step\t")).unwrap_or("start");
        return ImageResult::Crashed(format!("{step}: {}", output.status));
    };
    let detail = detail.to_owned();
    match kind {
        "ran" => ImageResult::Ran(detail),
        "refused" => ImageResult::Refused(detail),
        _ => ImageResult::Wrong(detail),
    }
}

/// Tries the image that the command line of a child names. Returns `false` if this process is not a child.
#[allow(clippy::print_stdout, reason = "the parent reads it")]
pub fn child() -> bool {
    let args: Vec<String> = std::env::args().collect();
    let [_, word, folder, name, plugin] = args.as_slice() else { return false };
    if word != CHILD {
        return false;
    }
    let (kind, detail) = match try_image(Path::new(folder), name, Path::new(plugin)) {
        ImageResult::Ran(detail) => ("ran", detail),
        ImageResult::Refused(detail) => ("refused", detail),
        ImageResult::Wrong(detail) | ImageResult::Crashed(detail) => ("wrong", detail),
    };
    println!("outcome\t{kind}\t{}", detail.lines().map(str::trim).collect::<Vec<_>>().join(" "));
    true
}

/// Returns why an image must be refused, as a word of the expected message.
fn expected(image: &Image, registry: &Registry, device: &Device) -> Option<String> {
    let properties = image.properties();
    let needs = &properties.requirements;
    if let Some(aspect) =
        needs.aspects.iter().flatten().find(|&&aspect| !device_table::has(device.info(), aspect))
    {
        return Some(format!("aspect::{}", sycl_pi_image::aspect::describe(*aspect)));
    }
    let sizes = &device.info().sub_group_sizes;
    if !properties.misc.is_esimd()
        && let Some(size) =
            needs.sub_group_sizes.iter().flatten().find(|&&size| !sizes.contains(&size.into()))
    {
        return Some(format!("sub-group size of '{size}'"));
    }
    let too_large = needs.work_group_sizes.iter().flatten().any(|size| {
        size.work_items()
            .is_none_or(|items| device.info().max_work_group_size.is_some_and(|most| items > most))
    });
    if too_large {
        return Some("work-group size".into());
    }
    let mut open: Vec<String> = properties.imports.iter().map(str::to_owned).collect();
    let mut seen = std::collections::HashSet::new();
    while let Some(symbol) = open.pop() {
        if symbol.starts_with("__") || !seen.insert(symbol.clone()) {
            continue;
        }
        match registry.images_with_export(&symbol).first() {
            Some(other) => open.extend(other.properties().imports.iter().map(str::to_owned)),
            None => return Some(format!("external symbol {symbol}")),
        }
    }
    None
}

/// Returns whether a driver's log has a reason that the code confirms: a capability beyond the core that the module
/// declares, or a function that it imports and no image has (the compiler expects the driver or a library to have it).
fn driver_says_why(error: &Error, image: &Image) -> bool {
    let text = error.to_string();
    let Some(found) = reflect(image).filter(|_| error.kind() == ErrorKind::Build) else { return false };
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let lacks = found
        .capabilities
        .iter()
        .any(|&number| number > 4096 && words.iter().any(|word| word.parse() == Ok(number)));
    let open = found.linkage.iter().filter(|one| one.is_function && one.kind == LinkageKind::Import);
    (lacks && text.contains("nsupported")) || {
        let unresolved = text.to_ascii_lowercase().contains("unresolved");
        unresolved && open.into_iter().any(|one| words.contains(&one.name.as_str()))
    }
}

fn reflect(image: &Image) -> Option<Reflection> {
    let module = Module::parse(&image.parts().bytes).ok()?;
    let index = Index::new(&module).ok()?;
    Reflection::of(&index).ok()
}

/// Returns program caches that nothing else uses.
pub fn caches(root: &Path) -> Caches {
    Caches::new(&CacheConfig::default().with_root(Some(root.into())).with_eviction(false))
}

/// Registers the image and all those in the folder that may be linked with it, builds it, and launches its kernels.
/// Then repeats this with the cached results of the first run.
pub fn try_image(folder: &Path, name: &str, plugin: &Path) -> ImageResult {
    let registry = Registry::new();
    if let Err(error) = add(&registry, load(folder, name)) {
        return ImageResult::Wrong(error.to_string());
    }
    let image = registry.images().remove(0);
    for other in names(folder).iter().filter(|other| *other != name) {
        let parts = load(folder, other);
        let offers = ["SYCL/exported symbols", "SYCL/virtual functions"];
        if offers.iter().any(|set| parts.property_set(set).is_some()) {
            let _ = add(&registry, parts);
        }
    }
    let attempt = || -> Result<(Option<String>, Result<usize>)> {
        let device = open(plugin)?.first_device()?;
        let context = Context::new(std::slice::from_ref(&device))?;
        let queue = Queue::new(&context, &device, QueueOptions::new())?;
        let root = tempfile::tempdir().unwrap();
        let caches = caches(root.path());
        let built = run(&Runtime::with_caches(&context, &registry, &caches), &queue, &image);
        let expected = expected(&image, &registry, &device);
        if built.is_err() || expected.is_some() {
            return Ok((expected, built));
        }
        drop(caches);
        step("from disk");
        let caches = self::caches(root.path());
        let found = run(&Runtime::with_caches(&context, &registry, &caches), &queue, &image);
        let stats = caches.store().stats();
        if stats.builds > 0 || stats.refused > 0 || stats.hits == 0 {
            return Err(Error::Invalid(format!("a later run does not find its programs on disk: {stats:?}")));
        }
        Ok((expected, found))
    };
    match attempt() {
        Err(error) => ImageResult::Wrong(error.to_string()),
        Ok((None, Ok(0))) => ImageResult::Ran("built; it has no kernel".into()),
        Ok((None, Ok(1))) => ImageResult::Ran("1 kernel".into()),
        Ok((None, Ok(count))) => ImageResult::Ran(format!("{count} kernels")),
        Ok((_, Err(error))) if driver_says_why(&error, &image) => ImageResult::Refused(error.to_string()),
        Ok((None, Err(error))) => ImageResult::Wrong(error.to_string()),
        Ok((Some(reason), Ok(_))) => ImageResult::Wrong(format!("ran, though it must be refused: {reason}")),
        Ok((Some(reason), Err(error))) if error.to_string().contains(&reason) => {
            ImageResult::Refused(error.to_string())
        }
        Ok((Some(reason), Err(error))) => ImageResult::Wrong(format!("{error} (expected: {reason})")),
    }
}

/// Prints what a child does next, in case it crashes there.
#[allow(clippy::print_stdout, reason = "the parent reads it")]
fn step(name: &str) {
    println!("step\t{name}");
}

fn run(runtime: &Runtime, queue: &Queue, image: &std::sync::Arc<Image>) -> Result<usize> {
    let device = queue.device();
    step("build");
    if image.kernels().is_empty() {
        runtime.build_image(device, image)?;
    }
    let entries = reflect(image).map(|found| found.entry_points).unwrap_or_default();
    for name in image.kernels() {
        step("build");
        let kernel = runtime.kernel(device, name, &SpecValues::new())?;
        step("launch");
        let found = entries.iter().find(|entry| *entry.name == **name);
        let kinds: Vec<ArgumentKind> = found
            .map(|entry| entry.arguments.iter().map(|argument| argument.kind.clone()).collect())
            .unwrap_or_default();
        // Zeros: an empty range, or a zero factor. Each address has memory behind it.
        let memory = Usm::<u8>::new(queue.context(), device, UsmKind::Shared, 1 << 16)?;
        memory.fill(queue, 0)?;
        let zeros = [0_u8; 4096];
        let args = arguments(&kinds, &memory, &zeros);
        kernel.start(queue, range_for(image, name)?, &args)?.wait()?;
    }
    Ok(image.kernels().len())
}

/// Returns arguments of those kinds: the memory for each address, and for each value the start of `values`.
pub fn arguments<'a>(kinds: &[ArgumentKind], memory: &'a Usm<u8>, values: &'a [u8]) -> Vec<Arg<'a>> {
    kinds
        .iter()
        .map(|kind| match kind {
            ArgumentKind::Pointer("local") => Arg::local(4096),
            ArgumentKind::Pointer(_) | ArgumentKind::Object => Arg::usm(memory),
            ArgumentKind::Value(size) | ArgumentKind::Structure(size) => {
                Arg::bytes(&values[..size.map_or(8, |size| size as usize)])
            }
        })
        .collect()
}

/// Returns the required work-group size of the image or of the kernel, otherwise one group of 16.
fn range_for(image: &Image, kernel: &str) -> Result<NdRange> {
    use sycl_pi_image::property::MetadataValue::{Number, Sizes};
    let properties = image.properties();
    let by_image = properties.requirements.work_group_sizes_in_sycl_order().pop();
    let dimensions = match properties.metadata.get(kernel, "work_group_num_dim") {
        Some(Number(count)) => *count as usize,
        _ => 3,
    };
    let by_kernel = match properties.metadata.get(kernel, "reqd_work_group_size") {
        Some(Sizes(sizes)) => {
            let mut sizes: Vec<u64> = sizes.iter().take(dimensions).map(|&size| size.into()).collect();
            sizes.reverse();
            Some(sizes)
        }
        _ => None,
    };
    match by_image.or(by_kernel) {
        Some(sizes) => {
            let sizes: Vec<usize> = sizes.iter().map(|&size| size as usize).collect();
            NdRange::new(&sizes)?.with_local_size(&sizes)
        }
        None => NdRange::linear(16).with_local_size(&[16]),
    }
}
