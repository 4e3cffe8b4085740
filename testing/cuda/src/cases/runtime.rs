//! Device globals and emulated specialization constants, end to end: PTX images with the property sets that DPC++
//! writes, registered with the runtime, which builds and launches them through the plugin.

use std::sync::Arc;

use sycl_pi_image::{ImageParts, Property, PropertySet, Value};
use sycl_pi_runtime::*;
use testing_programs::Launch;

use super::Case;
use crate::fixture::image;

pub(crate) const CASES: &[Case] = &[
    ("runtime_device_global_in_shared_memory", global),
    ("runtime_device_global_with_image_scope", scoped_global),
    ("runtime_specialization_constants_are_emulated", constants),
    ("runtime_says_why_an_image_does_not_build", bad_image),
];

struct Session {
    device: Device,
    context: Context,
    queue: Queue,
    runtime: Runtime,
}

fn session(images: Vec<ImageParts<'static>>) -> Session {
    let path = testing_support::plugin_file();
    let device = testing_programs::open(&path).unwrap().first_device().unwrap();
    let context = Context::new(std::slice::from_ref(&device)).unwrap();
    let queue = Queue::new(&context, &device, QueueOptions::new()).unwrap();
    let registry: Arc<Registry> = Registry::new();
    for image in images {
        testing_programs::add(&registry, image).unwrap();
    }
    let runtime = Runtime::new(&context, &registry);
    Session { device, context, queue, runtime }
}

impl Session {
    /// Launches a kernel whose first argument is room for `N` numbers, and returns these.
    fn run<const N: usize>(&self, kernel: &str, values: &SpecValues, more: &[Arg<'_>]) -> [i32; N] {
        let kernel = self.runtime.kernel(&self.device, kernel, values).unwrap();
        let room = Usm::<i32>::new(&self.context, &self.device, UsmKind::Device, N).unwrap();
        let args = [&[Arg::usm(&room)], more].concat();
        kernel.start(&self.queue, NdRange::single(), &args).unwrap().wait().unwrap();
        room.to_vec(&self.queue).unwrap().try_into().unwrap()
    }
}

/// Returns the test's image, with these kernels and property sets.
fn parts(kernels: &[&'static str], sets: Vec<PropertySet<'static>>) -> ImageParts<'static> {
    let mut parts = ImageParts::new("test image", "nvptx64", image("kernels"));
    parts.entries = kernels.iter().map(|kernel| (*kernel).into()).collect();
    parts.property_sets = sets;
    parts
}

fn set(name: &'static str, properties: Vec<Property<'static>>) -> PropertySet<'static> {
    PropertySet { name: name.into(), properties }
}

/// Returns the sets for the unique id of a variable of 4 bytes, its scope, and its name in the code.
fn global_sets(id: &'static str, image_scope: bool, symbol: &'static str) -> Vec<PropertySet<'static>> {
    let facts = Value::byte_array(&[4, 0, 0, 0, image_scope.into(), 0, 0, 0]);
    let mapping = Property::new(format!("{id}@global_id_mapping"), Value::byte_array(symbol.as_bytes()));
    vec![
        set("SYCL/device globals", vec![Property::new(id, facts)]),
        set("SYCL/program metadata", vec![mapping]),
    ]
}

fn global() {
    let session = session(vec![parts(&["add_to_global"], global_sets("the global", false, "global_block"))]);
    let values = SpecValues::new();
    assert_eq!(session.run("add_to_global", &values, &[Arg::value(&5_i32)]), [5], "it starts with zeros");
    session.runtime.copy_to_device_global(&session.queue, "the global", 0, &[100_i32]).unwrap();
    assert_eq!(session.run("add_to_global", &values, &[Arg::value(&11_i32)]), [111]);
    let mut back = [0; 4];
    session.runtime.copy_from_device_global(&session.queue, "the global", 0, &mut back).unwrap();
    assert_eq!(i32::from_ne_bytes(back), 111);
    let refused =
        session.runtime.copy_to_device_global(&session.queue, "the global", 2, &[1_i32]).unwrap_err();
    assert!(refused.to_string().contains("out of bounds"), "{refused}");
}

fn scoped_global() {
    let session = session(vec![parts(&["add_to_scoped"], global_sets("scoped global", true, "scoped"))]);
    let values = SpecValues::new();
    assert_eq!(session.run("add_to_scoped", &values, &[Arg::value(&2_i32)]), [32], "30 in the code");
    session.runtime.copy_to_device_global(&session.queue, "scoped global", 0, &[7_i32]).unwrap();
    assert_eq!(session.run("add_to_scoped", &values, &[Arg::value(&1_i32)]), [8]);
    let mut back = [0; 4];
    session.runtime.copy_from_device_global(&session.queue, "scoped global", 0, &mut back).unwrap();
    assert_eq!(i32::from_ne_bytes(back), 8);
}

fn constants() {
    let leaf = |id: u32| {
        let words = [id, 0, 4_u32];
        Value::byte_array(&words.map(u32::to_le_bytes).concat())
    };
    let defaults = Value::byte_array(&[3_i32.to_le_bytes(), 4_i32.to_le_bytes()].concat());
    let sets = vec![
        set(
            "SYCL/specialization constants",
            vec![Property::new("first", leaf(0)), Property::new("second", leaf(1))],
        ),
        set("SYCL/specialization constants default values", vec![Property::new("all", defaults)]),
        // Two arguments, the last of which is the buffer of constants. None is removed.
        set("SYCL/kernel param opt", vec![Property::new("with_constants", Value::bit_array(2, &[0]))]),
    ];
    let session = session(vec![parts(&["with_constants"], sets)]);
    assert_eq!(session.run("with_constants", &SpecValues::new(), &[]), [3, 4], "the defaults");
    let mut values = SpecValues::new();
    values.set("second", 44_i32);
    assert_eq!(session.run("with_constants", &values, &[]), [3, 44]);
    values.set("first", -1_i32);
    assert_eq!(session.run("with_constants", &values, &[]), [-1, 44]);
    assert_eq!(
        session.run("with_constants", &SpecValues::new(), &[]),
        [3, 4],
        "values are their program's own"
    );
}

fn bad_image() {
    let mut cut = parts(&["noop"], Vec::new());
    cut.bytes = b"//\n.version 6.3\n.target sm_70\n.address_size 64\n.visible .entry noop(\n".to_vec().into();
    let session = session(vec![cut]);
    let error =
        session.runtime.kernel(&session.device, "noop", &SpecValues::new()).err().unwrap().to_string();
    println!("{error}");
    assert!(error.contains("test image") && error.contains("cuModuleLoadDataEx"), "{error}");
}
