//! Linked images: a kernel calls a function of a second image, which calls a function of a third.
#![expect(unsafe_code, reason = "the promises that a program makes")]
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;

use sycl_pi_runtime::{
    Arg, Context, Device, Discovery, NdRange, Queue, QueueOptions, Registry, Runtime, SpecValues, Usm,
    UsmKind,
};

/// The folder with the images: `dl_a.cpp`, `dl_b.cpp` and `dl_c.cpp`, compiled by DPC++.
const IMAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../lib/image/tests/images");

pub(crate) fn run(device: &Device) -> Result<i32, Box<dyn Error>> {
    let registry = Registry::new();
    for image in ["dl_a", "dl_b", "dl_c"] {
        let code = std::fs::read(format!("{IMAGES}/{image}.spv"))?;
        let properties = std::fs::read_to_string(format!("{IMAGES}/{image}.props.json"))?;
        // SAFETY: a compiler made the image.
        unsafe { registry.add_spirv(image, &code, Some(&properties)) }?;
    }

    let context = Context::new(std::slice::from_ref(device))?;
    let queue = Queue::new(&context, device, QueueOptions::new())?;
    let runtime = Runtime::new(&context, &registry);
    // The runtime finds the images that export the kernel's imports, and links them.
    let kernel = runtime.kernel(device, "_ZTS3DlA", &SpecValues::new())?;

    let value = Usm::<i32>::new(&context, device, UsmKind::Device, 1)?;
    value.write(&queue, 0, &[4])?;
    // SAFETY: the only work-item reads and writes the one element.
    unsafe { kernel.launch(&queue, NdRange::single(), &[Arg::usm(&value)]) }?.wait()?;
    Ok(value.to_vec(&queue)?[0])
}

#[allow(dead_code, reason = "the tests call run")]
fn main() -> Result<(), Box<dyn Error>> {
    let device = Discovery::from_env()?.device(0)?;
    println!("{device:?}: (4 + 3) * 10 + 1 = {}", run(&device)?);
    Ok(())
}
