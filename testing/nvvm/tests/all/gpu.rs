//! Executes kernels on the processor: the fake libnvvm compiles the translator's output, and the software CUDA
//! driver launches it. Both know PTX and NVVM's intrinsics, but nothing of the translator.

use std::ffi::CString;

use anyhow::{Context, Result, bail, ensure};
use sycl_pi_nvvm::{Options, Translation, translate};
use testing_nvvm::{Scalar, bytes, numbers};

use crate::stand_ins::{Memory, Module, compile};

/// A kernel's argument.
#[derive(Clone, Debug)]
pub(crate) enum Arg {
    /// The bytes of a value.
    Value(Vec<u8>),
    /// Global memory with these bytes. Its final content is returned.
    Buffer(Vec<u8>),
}

/// The size of a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launch {
    /// The number of work-groups in x, y and z.
    pub(crate) groups: [u64; 3],
    /// The number of work-items of a work-group.
    pub(crate) items: [u64; 3],
}

impl Launch {
    /// One work-group of `items` work-items.
    pub(crate) fn group(items: u64) -> Self {
        Self { groups: [1; 3], items: [items, 1, 1] }
    }
}

/// A compiled kernel.
#[derive(Debug)]
pub(crate) struct HostGpu {
    module: Module,
    symbol: CString,
    /// The translator's result.
    pub(crate) translation: Translation,
}

impl HostGpu {
    /// Translates modules, and compiles their kernel `k`.
    pub(crate) fn new(modules: &[&[u8]], options: &Options) -> Result<Self> {
        let translation = translate(modules, options)?;
        let kernel =
            translation.kernels.iter().find(|kernel| kernel.name == "k").context("there is no kernel k")?;
        if let Some(reason) = &kernel.refused {
            bail!("{reason}");
        }
        let symbol = CString::new(kernel.symbol.as_str())?;
        let module = compile(&translation.ir)
            .and_then(|ptx| Module::load(&ptx))
            .with_context(|| numbered(&translation.ir))?;
        Ok(Self { module, symbol, translation })
    }

    /// Runs the kernel, and returns its buffers.
    pub(crate) fn run(&self, launch: Launch, args: &[Arg]) -> Result<Vec<Vec<u8>>> {
        let mut memories = Vec::new();
        let mut values = Vec::new();
        for arg in args {
            values.push(match arg {
                Arg::Value(bytes) => bytes.clone(),
                Arg::Buffer(bytes) => {
                    let memory = Memory::with(bytes)?;
                    let address = memory.address().to_le_bytes().to_vec();
                    memories.push((memory, bytes.len()));
                    address
                }
            });
        }
        let [groups, items] = [launch.groups, launch.items].map(|sizes| sizes.map(|size| size as u32));
        self.module.launch(&self.symbol, groups, items, &mut values)?;
        memories.iter().map(|(memory, size)| memory.read(*size)).collect()
    }
}

/// Computes on columns of numbers, with one work-item for each row. All columns have the same length, at most 1024.
pub(crate) fn compute<R: Scalar>(module: &[u8], columns: &[Vec<u8>], rows: usize) -> Result<Vec<R>> {
    compute_with(module, &Options::default(), columns, rows)
}

/// Computes as `compute` does, with options of the translator.
pub(crate) fn compute_with<R: Scalar>(
    module: &[u8],
    options: &Options,
    columns: &[Vec<u8>],
    rows: usize,
) -> Result<Vec<R>> {
    let gpu = HostGpu::new(&[module], options)?;
    let zeros = vec![R::read(&[0; 8][..size_of::<R>()]); rows];
    let mut args = vec![Arg::Buffer(bytes(&zeros))];
    args.extend(columns.iter().cloned().map(Arg::Buffer));
    let out = gpu.run(Launch::group(rows as u64), &args)?;
    ensure!(!out.is_empty(), "no column came back");
    Ok(numbers(&out[0]))
}

/// Returns text with line numbers, for messages.
fn numbered(text: &str) -> String {
    text.lines().enumerate().map(|(at, line)| format!("{:4} {line}\n", at + 1)).collect()
}
