//! Runs kernels on a device of a plugin.

use std::path::Path;

use anyhow::{Context as _, Result};
use sycl_pi_runtime::{
    Arg, CacheConfig, Caches, Context, Device, ImageParts, NdRange, Queue, QueueOptions, Registry, Runtime,
    SpecValues, Usm, UsmKind,
};
use testing_nvvm::assemble;
use testing_programs::{Launch as _, add, open};

use crate::case::Case;
use crate::kernel::module;
use crate::types::Scalar;

/// The content of results before a kernel writes them.
const UNWRITTEN: u8 = 0xa5;

pub(crate) struct Machine {
    device: Device,
    context: Context,
    queue: Queue,
}

impl Machine {
    pub(crate) fn open(plugin: &Path) -> Result<Self> {
        let device = open(plugin)?.first_device()?;
        let context = Context::new(std::slice::from_ref(&device))?;
        let queue = Queue::new(&context, &device, QueueOptions::new())?;
        Ok(Self { device, context, queue })
    }

    /// Runs cases as kernels of a single module. Returns each output's bits for each case.
    pub(crate) fn run(&self, cases: &[&Case]) -> Result<Vec<Result<Vec<Vec<u64>>>>> {
        let bytes = assemble(&module(cases))?;
        let registry = Registry::new();
        let mut image = ImageParts::default();
        image.name = "builtins".into();
        image.target = "spir64".into();
        image.bytes = bytes.into();
        image.entries = (0..cases.len()).map(|at| format!("k{at}").into()).collect();
        add(&registry, image)?;
        let caches = Caches::new(&CacheConfig::default().with_persistent(false));
        let runtime = Runtime::with_caches(&self.context, &registry, &caches);
        Ok(cases
            .iter()
            .enumerate()
            .map(|(at, case)| self.launch(&runtime, &format!("k{at}"), case))
            .collect())
    }

    fn launch(&self, runtime: &Runtime, name: &str, case: &Case) -> Result<Vec<Vec<u64>>> {
        let kernel = runtime.kernel(&self.device, name, &SpecValues::new()).context("build")?;
        let memory = |content: &[u8]| -> Result<Usm<u8>> {
            let memory = Usm::<u8>::new(&self.context, &self.device, UsmKind::Device, content.len())?;
            memory.write(&self.queue, 0, content)?;
            Ok(memory)
        };
        let mut all = Vec::new();
        for input in &case.inputs {
            all.push(memory(&encoded(input.ty, &input.bits))?);
        }
        for output in &case.outputs {
            all.push(memory(&vec![UNWRITTEN; output.expected.len() * output.ty.bits() / 8])?);
        }
        let args: Vec<Arg<'_>> = all.iter().map(Arg::usm).collect();
        let mut range = NdRange::new(&[case.items()])?;
        if let Some(group) = case.group {
            range = range.with_local_size(&[group])?;
        }
        kernel.start(&self.queue, range, &args)?.wait().context("launch")?;
        let outputs = case.outputs.iter().zip(all.iter().skip(case.inputs.len()));
        outputs.map(|(output, memory)| Ok(decoded(output.ty, &memory.to_vec(&self.queue)?))).collect()
    }
}

fn encoded(ty: Scalar, numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|bits| bits.to_le_bytes().into_iter().take(ty.bits() / 8)).collect()
}

fn decoded(ty: Scalar, bytes: &[u8]) -> Vec<u64> {
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
    bytes.chunks(ty.bits() / 8).map(number).collect()
}
