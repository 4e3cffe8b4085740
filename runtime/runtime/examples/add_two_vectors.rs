//! Adds two vectors on the first device: an image with one kernel, three allocations, one launch.
#![expect(unsafe_code, reason = "the promises that a program makes")]
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;

use sycl_pi_runtime::{
    Arg, Context, Device, Discovery, NdRange, Queue, QueueOptions, Registry, Runtime, SpecValues, Usm,
    UsmKind,
};

/// The folder with the image: `vadd_free.cpp`, compiled by DPC++.
const IMAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../lib/image/tests/images");

pub(crate) fn run(device: &Device) -> Result<Vec<f32>, Box<dyn Error>> {
    let code = std::fs::read(format!("{IMAGES}/vadd_free.spv"))?;
    let properties = std::fs::read_to_string(format!("{IMAGES}/vadd_free.props.json"))?;
    let registry = Registry::new();
    // SAFETY: a compiler made the image.
    unsafe { registry.add_spirv("vadd_free", &code, Some(&properties)) }?;

    let context = Context::new(std::slice::from_ref(device))?;
    let queue = Queue::new(&context, device, QueueOptions::new())?;
    let runtime = Runtime::new(&context, &registry);
    let kernel = runtime.kernel(device, "__sycl_kernel_vadd", &SpecValues::new())?;

    let vector = || Usm::<f32>::new(&context, device, UsmKind::Device, 1024);
    let (a, b, sum) = (vector()?, vector()?, vector()?);
    a.write(&queue, 0, &[1.5; 1024])?;
    b.write(&queue, 0, &[2.25; 1024])?;
    let range = NdRange::linear(1024).with_local_size(&[64])?;
    let arguments = [Arg::usm(&a), Arg::usm(&b), Arg::usm(&sum)];
    // SAFETY: each of the 1024 work-items writes one element.
    unsafe { kernel.launch(&queue, range, &arguments) }?.wait()?;
    Ok(sum.to_vec(&queue)?)
}

#[allow(dead_code, reason = "the tests call run")]
fn main() -> Result<(), Box<dyn Error>> {
    let device = Discovery::from_env()?.device(0)?;
    let sum = run(&device)?;
    println!("{device:?}: 1.5 + 2.25 = {}", sum[0]);
    Ok(())
}
