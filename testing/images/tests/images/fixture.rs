//! Loads, builds and launches images on a device, always with the same data.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use sycl_pi_image::spirv::{ArgumentKind, EntryPoint, ExecutionMode, Index, Module, Reflection};
use sycl_pi_image::text::{FileTable, read_json, read_prop};
use sycl_pi_runtime::*;
use testing_programs::Launch;

use crate::tools;

/// Returns why tests that need a device with SPIR-V cannot run.
pub(crate) fn no_device() -> Option<String> {
    if let Some(reason) = tools::lacking(&[tools::plugin(), tools::pi()], &[]) {
        return Some(reason);
    }
    match testing_programs::open(&tools::plugin()).and_then(Plugin::first_device) {
        Ok(device) if !device.info().il_version.contains("SPIR-V") => {
            Some(format!("{} takes no SPIR-V", device.info().name))
        }
        Ok(_) => None,
        Err(error) => Some(error.to_string()),
    }
}

/// Returns a compiler's image by its name among the test images.
pub(crate) fn compilers(name: &str) -> ImageParts<'static> {
    let json = std::fs::read_to_string(tools::image(&format!("{name}.props.json"))).unwrap();
    let bytes = std::fs::read(tools::image(&format!("{name}.spv"))).unwrap();
    read_json(name, &json, &bytes).unwrap().into_owned().unwrap()
}

/// Returns the compiler's images of a source: `NAME.0`, `NAME.1` and so on.
pub(crate) fn compilers_split(name: &str) -> Vec<ImageParts<'static>> {
    let numbered = (0..).map(|number| format!("{name}.{number}"));
    numbered
        .take_while(|name| tools::image(&format!("{name}.spv")).exists())
        .map(|name| compilers(&name))
        .collect()
}

/// Returns SPIR-V with the `.prop` file next to it.
pub(crate) fn with_prop(code: &Path) -> ImageParts<'static> {
    let prop = code.with_extension("prop");
    let bytes = std::fs::read(code).unwrap();
    let property_sets = read_prop("prop", &std::fs::read_to_string(prop).unwrap()).unwrap();
    let name = code.file_name().unwrap().to_str().unwrap().to_owned();
    let entries = entries(&bytes).into_iter().map(|entry| entry.name.into()).collect();
    let mut parts = ImageParts::new(name, "spir64", bytes);
    (parts.property_sets, parts.entries) = (property_sets, entries);
    parts
}

/// Returns the images of a file table.
pub(crate) fn of_table(table: &Path) -> Vec<ImageParts<'static>> {
    let read = FileTable::read("table", &std::fs::read_to_string(table).unwrap()).unwrap();
    let code = read.column("Code").unwrap();
    read.rows().iter().map(|row| with_prop(Path::new(&row[code]))).collect()
}

pub(crate) fn entries(code: &[u8]) -> Vec<EntryPoint> {
    let module = Module::parse(code).unwrap();
    Reflection::of(&Index::new(&module).unwrap()).unwrap().entry_points
}

/// Returns the content of each block of memory before a launch: numbers that are valid for any type.
pub(crate) fn start() -> Vec<u8> {
    let number = |at: u32| (f64::from(at) + 0.5).to_bits() | u64::from(3.5_f32.to_bits() + at);
    (0..512).flat_map(|at| number(at).to_ne_bytes()).collect()
}

/// Images that are registered together, on a device.
pub(crate) struct Fixture {
    pub(crate) device: Device,
    pub(crate) queue: Queue,
    pub(crate) registry: Arc<Registry>,
    pub(crate) runtime: Runtime,
}

impl Fixture {
    pub(crate) fn with(images: Vec<ImageParts<'static>>) -> Self {
        let device = testing_programs::open(&tools::plugin()).unwrap().first_device().unwrap();
        let context = Context::new(std::slice::from_ref(&device)).unwrap();
        let queue = Queue::new(&context, &device, QueueOptions::new()).unwrap();
        let registry = Registry::new();
        for image in images {
            testing_programs::add(&registry, image).unwrap();
        }
        let runtime = Runtime::new(&context, &registry);
        Self { device, queue, registry, runtime }
    }

    /// Returns what a kernel writes to memory, with one block for each of its pointers. `takes` lists its arguments
    /// without the buffer of specialization constants.
    pub(crate) fn run(
        &self,
        kernel: &str,
        takes: &[sycl_pi_image::spirv::Argument],
        range: NdRange,
        values: &SpecValues,
    ) -> Vec<u8> {
        let kernel = self.runtime.kernel(&self.device, kernel, values).unwrap();
        let block = || {
            let memory = Usm::<u8>::new(self.queue.context(), &self.device, UsmKind::Shared, 4096).unwrap();
            memory.write(&self.queue, 0, &start()).unwrap();
            memory
        };
        let memory: Vec<Usm<u8>> = takes.iter().map(|_| block()).collect();
        let addresses: Vec<[u8; 8]> = memory.iter().map(|block| block.address().to_ne_bytes()).collect();
        let sixteen = 16_u64.to_ne_bytes();
        let given =
            takes.iter().zip(&memory).zip(&addresses).map(|((taken, block), address)| match taken.kind {
                ArgumentKind::Structure(Some(8)) if taken.type_name.contains("range") => Arg::bytes(&sixteen),
                // The lambda captured one address.
                ArgumentKind::Structure(Some(8)) => Arg::bytes(address),
                ArgumentKind::Pointer(_) => Arg::usm(block),
                _ => panic!("the test has nothing to give for {taken:?}"),
            });
        let given: Vec<Arg<'_>> = given.collect();
        kernel.start(&self.queue, range, &given).unwrap().wait().unwrap();
        memory.iter().flat_map(|block| block.to_vec(&self.queue).unwrap()).collect()
    }

    /// Returns what each kernel of the images writes to memory.
    pub(crate) fn run_all(&self) -> BTreeMap<String, Vec<u8>> {
        let mut results = BTreeMap::new();
        for image in self.registry.images() {
            if image.kernels().is_empty() {
                self.runtime.build_image(&self.device, &image).unwrap();
            }
            for entry in entries(&image.parts().bytes) {
                // The code always has three dimensions, with the fastest first.
                let required = entry.mode(ExecutionMode::LocalSize).unwrap_or(&[16, 1, 1]);
                let size: Vec<usize> =
                    required.iter().rev().map(|&size| size as usize).skip_while(|&size| size == 1).collect();
                let range = NdRange::new(&size).unwrap().with_local_size(&size).unwrap();
                let left = self.run(&entry.name, &entry.arguments, range, &SpecValues::new());
                assert!(results.insert(entry.name.clone(), left).is_none(), "{} is there twice", entry.name);
            }
        }
        results
    }
}
