//! A device global: the host copies a value to it, a kernel adds to it, and the host copies it back.
#![expect(unsafe_code, reason = "the promises that a program makes")]
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;

use sycl_pi_runtime::{
    Arg, Context, Device, Discovery, NdRange, Queue, QueueOptions, Registry, Runtime, SpecValues,
};

/// The folder with the image: `dg_basic.cpp`, compiled by DPC++.
const IMAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../lib/image/tests/images");

/// The host's side of `device_global<int> Counter`; only its address matters.
static COUNTER: i32 = 0;

pub(crate) fn run(device: &Device) -> Result<i32, Box<dyn Error>> {
    let code = std::fs::read(format!("{IMAGES}/dg_basic.spv"))?;
    let properties = std::fs::read_to_string(format!("{IMAGES}/dg_basic.props.json"))?;
    let registry = Registry::new();
    // SAFETY: a compiler made the image.
    unsafe { registry.add_spirv("dg_basic", &code, Some(&properties)) }?;
    let counter = &raw const COUNTER as usize;
    registry.add_device_global(counter, "_Z7Counter");

    let context = Context::new(std::slice::from_ref(device))?;
    let queue = Queue::new(&context, device, QueueOptions::new())?;
    let runtime = Runtime::new(&context, &registry);
    runtime.copy_to_device_global_at(&queue, counter, 0, &[37_i32])?;

    let add = runtime.kernel(device, "_ZTS5DgAdd", &SpecValues::new())?;
    // SAFETY: the only work-item adds its argument to the variable.
    unsafe { add.launch(&queue, NdRange::single(), &[Arg::value(&5_i32)]) }?.wait()?;

    let mut value = [0_i32];
    runtime.copy_from_device_global_at(&queue, counter, 0, &mut value)?;
    Ok(value[0])
}

#[allow(dead_code, reason = "the tests call run")]
fn main() -> Result<(), Box<dyn Error>> {
    let device = Discovery::from_env()?.device(0)?;
    println!("{device:?}: 37 + 5 = {}", run(&device)?);
    Ok(())
}
