//! A specialization constant: the same kernel with the default value and with another one.
#![expect(unsafe_code, reason = "the promises that a program makes")]
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;

use sycl_pi_runtime::{
    Arg, Context, Device, Discovery, NdRange, Queue, QueueOptions, Registry, Runtime, SpecValues, Usm,
    UsmKind,
};

/// The folder with the image: `spec_one.cpp`, compiled by DPC++.
const IMAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../lib/image/tests/images");

/// The symbolic id of `specialization_id<int> Factor{3}`.
const FACTOR: &str = "uid0123456789abcdef____ZL6Factor";

pub(crate) fn run(device: &Device) -> Result<(i32, i32), Box<dyn Error>> {
    let code = std::fs::read(format!("{IMAGES}/spec_one.spv"))?;
    let properties = std::fs::read_to_string(format!("{IMAGES}/spec_one.props.json"))?;
    let registry = Registry::new();
    // SAFETY: a compiler made the image.
    unsafe { registry.add_spirv("spec_one", &code, Some(&properties)) }?;

    let context = Context::new(std::slice::from_ref(device))?;
    let queue = Queue::new(&context, device, QueueOptions::new())?;
    let runtime = Runtime::new(&context, &registry);
    let output = Usm::<i32>::new(&context, device, UsmKind::Device, 1)?;
    let result = |values: &SpecValues| -> Result<i32, Box<dyn Error>> {
        let kernel = runtime.kernel(device, "_ZTS7SpecOne", values)?;
        // SAFETY: the only work-item writes the one element.
        unsafe { kernel.launch(&queue, NdRange::single(), &[Arg::usm(&output)]) }?.wait()?;
        Ok(output.to_vec(&queue)?[0])
    };
    Ok((result(&SpecValues::new())?, result(&SpecValues::new().with(FACTOR, 7_i32))?))
}

#[allow(dead_code, reason = "the tests call run")]
fn main() -> Result<(), Box<dyn Error>> {
    let device = Discovery::from_env()?.device(0)?;
    let (default, set) = run(&device)?;
    println!("{device:?}: 100 * 3 = {default}, 100 * 7 = {set}");
    Ok(())
}
