//! `pi-nvvm`: a worker process that compiles NVVM IR to PTX with NVIDIA's libnvvm.
//!
//! The CUDA plugin starts it. It reads requests from standard input and writes answers to standard output
//! (`sycl_pi_nvvm_compiler::protocol`). If libnvvm crashes or hangs, only this process ends.
#![allow(clippy::print_stderr, reason = "a command-line program: its output is its purpose")]

mod libnvvm;
mod sys;
mod time_limit;

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::PathBuf;
use std::process::ExitCode;

use sycl_pi_nvvm_compiler::protocol::{IDLE_LIMIT, NvvmAnswer, NvvmRequest};
use time_limit::TimeLimit;

const USAGE: &str = "Usage: pi-nvvm --libnvvm FILE --libdevice FILE [--parent PID]

Compiles NVVM IR to PTX for sycl-pi's CUDA plugin, which starts it and talks to it on standard input and output.

      --libnvvm FILE    libnvvm.so
      --libdevice FILE  libdevice.10.bc
      --parent PID      the process whose end is this one's; without it only the end of standard input is";

/// The parsed command line.
struct Arguments {
    libnvvm: PathBuf,
    libdevice: PathBuf,
    parent: Option<i32>,
}

impl Arguments {
    /// Reads pairs of an option and its value. A library for that would be larger than the rest of this program.
    fn read(mut words: impl Iterator<Item = OsString>) -> Option<Self> {
        let (mut libnvvm, mut libdevice, mut parent) = (None, None, None);
        while let Some(option) = words.next() {
            let value = words.next()?;
            match option.to_str()? {
                "--libnvvm" => libnvvm = Some(value.into()),
                "--libdevice" => libdevice = Some(value.into()),
                "--parent" => parent = Some(value.to_str()?.parse().ok()?),
                _ => return None,
            }
        }
        Some(Self { libnvvm: libnvvm?, libdevice: libdevice?, parent })
    }
}

fn main() -> ExitCode {
    let Some(arguments) = Arguments::read(env::args_os().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    // From here on the process is detached from its parent, which does not have to wait for it.
    if !sys::detach() {
        return ExitCode::SUCCESS;
    }
    match serve(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pi-nvvm: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Answers requests until there are no more.
fn serve(arguments: &Arguments) -> std::io::Result<()> {
    let (input, output) = sys::take_streams()?;
    sys::end_with(&input, arguments.parent);
    let library = libnvvm::LibNvvm::open(&arguments.libnvvm, &arguments.libdevice);
    let limit = TimeLimit::new();
    let mut reader = BufReader::new(&input);
    let mut writer = BufWriter::new(File::from(output));
    loop {
        // A reader with remaining bytes already has a request.
        if reader.buffer().is_empty() && !sys::wait_for_input(&input, IDLE_LIMIT) {
            return Ok(());
        }
        let Some(request) = NvvmRequest::read(&mut reader)? else { return Ok(()) };
        NvvmAnswer::take(&mut writer)?;
        limit.start(request.limit);
        let answer = match &library {
            Ok(library) => library.answer(&request),
            Err(why) => NvvmAnswer::NoLibrary { why: why.clone() },
        };
        limit.stop();
        answer.write(&mut writer)?;
    }
}
