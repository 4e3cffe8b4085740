//! A SPIR-V file with a specialization constant and a device global: `first_kernel PLUGIN FOLDER`, with the folder of test images.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};

use sycl_pi_runtime::*;

/// What the kernel computes: o[i] = SScale * fc(i) + MixCount, where another file has fc(i) = i + 3.
#[allow(clippy::missing_errors_doc)]
pub(crate) fn run(plugin: &Path, folder: &Path) -> Result<Vec<f64>> {
    let registry = Registry::new();
    for name in ["mix", "dl_c"] {
        let read = |end: &str| std::fs::read(folder.join(name).with_extension(end)).map_err(Error::image);
        let (code, properties) = (read("spv")?, read("props.json")?);
        let properties = String::from_utf8_lossy(&properties);
        registry.add(sycl_pi_image::text::read_json(name, &properties, &code).map_err(Error::image)?)?;
    }
    let device = Backend::open(plugin)?.first_device()?;
    let context = Context::new(std::slice::from_ref(&device))?;
    let queue = Queue::new(&context, &device, QueueOptions::default())?;
    let runtime = Runtime::new(&context, &registry);

    let constants = SpecValues::new().with("uid0123456789abcdef____ZL6SScale", 0.5_f64);
    runtime.write_global(&queue, "_Z8MixCount", 0, &[100_i32])?;
    let kernel = runtime.kernel(&device, "_ZTS3Mix", &constants)?;
    let output = Usm::<f64>::new(&context, &device, UsmKind::Device, 8)?;
    kernel.launch(&queue, NdRange::linear(8).in_groups(&[4])?, &[Arg::usm(&output)])?;
    output.to_vec(&queue)
}

#[allow(dead_code, reason = "the tests run it too")]
fn main() -> Result<()> {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [plugin, folder] = args.as_slice() else { return Err(Error::Invalid("PLUGIN FOLDER".into())) };
    println!("{:?}", run(plugin, folder)?);
    Ok(())
}
