//! `mutants PLUGIN FOLDER SUFFIX FROM` builds and runs the modules `NUMBER.TYPE.spv` of a folder from a number on, on
//! the first device of a plugin. Each has a kernel `k` that takes the addresses of the results and of three columns of
//! 64 numbers. Its results are written to `NUMBER.SUFFIX`, and the reason of a failure to `NUMBER.SUFFIX.failed`. The
//! driver may end the process. The last printed line tells at which module.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a program for a developer command"
)]

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use sycl_pi_runtime::*;
use testing_programs::{Launch as _, add, open};

/// The number of work-items, and of numbers in a column.
const ROWS: usize = 64;
const COLUMNS: usize = 3;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [plugin, folder, suffix, from] = args.as_slice() else {
        eprintln!("usage: mutants PLUGIN FOLDER SUFFIX FROM");
        return ExitCode::from(2);
    };
    match run(Path::new(plugin), Path::new(folder), suffix, from.parse().unwrap_or(0)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(plugin: &Path, folder: &Path, suffix: &str, from: u64) -> Result<()> {
    let device = open(plugin)?.first_device()?;
    let context = Context::new(std::slice::from_ref(&device))?;
    let queue = Queue::new(&context, &device, QueueOptions::new())?;
    let caches = Caches::new(&CacheConfig::default().with_persistent(false).with_in_memory(false));
    let mut modules: Vec<(u64, String)> = fs::read_dir(folder)
        .unwrap()
        .filter_map(|file| {
            let name = file.ok()?.file_name().into_string().ok()?;
            let (number, ty) = name.strip_suffix(".spv")?.split_once('.')?;
            Some((number.parse().ok()?, ty.to_owned()))
        })
        .collect();
    modules.sort();
    for (number, ty) in modules.into_iter().filter(|(number, _)| *number >= from) {
        println!("{number}");
        let size = match ty.as_str() {
            "uchar" => 1,
            "ushort" => 2,
            "uint" | "float" => 4,
            _ => 8,
        };
        let file = |end: &str| folder.join(format!("{number}.{end}"));
        let (module, columns) =
            (fs::read(file(&format!("{ty}.spv"))).unwrap(), fs::read(file("columns")).unwrap());
        match results(&context, &queue, &caches, &module, &columns, size * ROWS) {
            Ok(bytes) => fs::write(file(suffix), bytes).unwrap(),
            Err(error) => fs::write(file(&format!("{suffix}.failed")), error.to_string()).unwrap(),
        }
    }
    println!("end");
    Ok(())
}

fn results(
    context: &Context,
    queue: &Queue,
    caches: &Caches,
    module: &[u8],
    columns: &[u8],
    bytes: usize,
) -> Result<Vec<u8>> {
    let registry = Registry::new();
    let mut image = ImageParts::default();
    image.name = "mutant".into();
    image.target = "spir64".into();
    image.bytes = module.into();
    image.entries = vec!["k".into()];
    add(&registry, image)?;
    let runtime = Runtime::with_caches(context, &registry, caches);
    let kernel = runtime.kernel(queue.device(), "k", &SpecValues::new())?;
    let memory = |content: &[u8]| -> Result<Usm<u8>> {
        let memory = Usm::<u8>::new(context, queue.device(), UsmKind::Device, content.len())?;
        memory.write(queue, 0, content)?;
        Ok(memory)
    };
    let mut all = vec![memory(&vec![0; bytes])?];
    for column in columns.chunks(bytes).take(COLUMNS) {
        all.push(memory(column)?);
    }
    let args: Vec<Arg<'_>> = all.iter().map(Arg::usm).collect();
    kernel.start(queue, NdRange::linear(ROWS).with_local_size(&[ROWS])?, &args)?.wait()?;
    all.remove(0).to_vec(queue)
}
