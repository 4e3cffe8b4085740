//! A process that builds and launches the kernels that its standard input requests on a plugin. Drivers may end it.

use std::io::{BufRead, Write};
use std::path::Path;

use anyhow::{Context as _, Result};
use sycl_pi_image::aspect;
use sycl_pi_runtime::{
    Arg, CacheConfig, Caches, Context, Device, ImageParts, NdRange, Queue, QueueOptions, Registry, Runtime,
    SpecValues, Usm, UsmKind,
};
use testing_nvvm::assemble;
use testing_programs::{Launch as _, add, open};

use crate::generate;
use crate::job::{Job, One};
use crate::kernel::{Kernel, module};
use crate::results::{Answer, LACKS, near, sum};

/// Floating-point division and square roots are correctly rounded, so that they can be used in computations.
const OPTIONS: &str = "-cl-fp32-correctly-rounded-divide-sqrt";

struct Machine {
    device: Device,
    context: Context,
    queue: Queue,
}

/// Answers jobs, one per line, with a line for each kernel.
pub(crate) fn serve(plugin: &Path) -> Result<()> {
    let device = open(plugin)?.first_device()?;
    let context = Context::new(std::slice::from_ref(&device))?;
    let queue = Queue::new(&context, &device, QueueOptions::new())?;
    let machine = Machine { device, context, queue };
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let job: Job = line?.parse()?;
        for (one, answer) in job.kernels.iter().zip(machine.answers(&job)) {
            writeln!(out, "{}\t{answer}", one.index)?;
        }
        out.flush()?;
    }
    Ok(())
}

impl Machine {
    fn answers(&self, job: &Job) -> Vec<Answer> {
        let kernels: Vec<Kernel> =
            job.kernels.iter().map(|one| generate::kernel(job.seed, one.index)).collect();
        match self.runtime(&kernels, &job.kernels) {
            Ok(runtime) => kernels
                .iter()
                .map(|kernel| {
                    self.answer(&runtime, kernel, job).unwrap_or_else(|error| Answer::Failed(words(&error)))
                })
                .collect(),
            Err(error) => vec![Answer::Failed(words(&error)); kernels.len()],
        }
    }

    /// Returns a runtime that builds the kernels' module when the first of them is requested.
    fn runtime(&self, kernels: &[Kernel], ones: &[One]) -> Result<Runtime> {
        let with_dropped: Vec<_> =
            kernels.iter().zip(ones).map(|(kernel, one)| (kernel, &one.dropped)).collect();
        let bytes = assemble(&module(&with_dropped))?;
        let registry = Registry::new();
        let mut image = ImageParts::default();
        image.name = "random".into();
        image.target = "spir64".into();
        image.compile_options = OPTIONS.into();
        image.bytes = bytes.into();
        image.entries = kernels.iter().map(|kernel| kernel.name().into()).collect();
        add(&registry, image)?;
        let caches = Caches::new(&CacheConfig::default().with_persistent(false));
        Ok(Runtime::with_caches(&self.context, &registry, &caches))
    }

    fn answer(&self, runtime: &Runtime, kernel: &Kernel, job: &Job) -> Result<Answer> {
        if kernel.needs_half() && !self.device.has(aspect::FP16) {
            return Ok(Answer::Failed(format!("{LACKS}half precision")));
        }
        let built = runtime.kernel(&self.device, &kernel.name(), &SpecValues::new()).context("build")?;
        let mut memory = Vec::new();
        for content in kernel.buffers(job.seed) {
            let buffer = Usm::<u8>::new(&self.context, &self.device, UsmKind::Device, content.len())?;
            buffer.write(&self.queue, 0, &content)?;
            memory.push(buffer);
        }
        let mut args: Vec<Arg<'_>> = memory.iter().map(Arg::usm).collect();
        let structure = kernel.structure(job.seed);
        args.extend([Arg::local(kernel.local_bytes()), Arg::bytes(&structure)]);
        args.extend(kernel.parameters.iter().map(|parameter| Arg::bytes(&parameter.bytes)));
        // The fastest dimension comes last.
        let shape = kernel.shape;
        let reversed = |[x, y, z]: [usize; 3]| [z, y, x];
        let range = NdRange::new(&reversed(shape.global()))?
            .with_local_size(&reversed(shape.local))?
            .with_offset(&reversed(shape.offset))?;
        built.start(&self.queue, range, &args)?.wait().context("launch")?;
        let mut exact = memory[1].to_vec(&self.queue)?;
        exact.extend(memory[3].to_vec(&self.queue)?);
        exact.extend(memory[4].to_vec(&self.queue)?);
        let near = near(&memory[2].to_vec(&self.queue)?, &kernel.approximate, shape.launched());
        Ok(Answer::Done { sum: sum(&exact), near, exact: if job.full { exact } else { Vec::new() } })
    }
}

/// Formats an error in one line.
fn words(error: &anyhow::Error) -> String {
    format!("{error:#}").split_whitespace().collect::<Vec<_>>().join(" ").chars().take(600).collect()
}
