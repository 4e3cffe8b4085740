//! `pi-nvvm`: a worker process that compiles NVVM IR to PTX by NVIDIA's libnvvm.
//!
//! The CUDA plugin starts it. Requests come on standard input, answers go to standard output (`sycl_pi_nvvm_compiler::protocol`).
//! libnvvm may crash or hang: only this process ends.
#![allow(clippy::print_stderr, reason = "a command-line program: its output is its purpose")]

mod libnvvm;
mod sys;

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use sycl_pi_nvvm_compiler::protocol::{IDLE_LIMIT, NvvmAnswer, NvvmRequest};

/// Compiles NVVM IR to PTX for sycl-pi's CUDA plugin, which starts it and talks to it on standard input and output.
#[derive(Debug, Parser)]
#[command(name = "pi-nvvm", version, about)]
struct Cli {
    /// libnvvm.so
    #[arg(long, value_name = "FILE")]
    libnvvm: PathBuf,
    /// libdevice.10.bc
    #[arg(long, value_name = "FILE")]
    libdevice: PathBuf,
    /// The process whose end is this one's; without it only the end of standard input is
    #[arg(long, value_name = "PID")]
    parent: Option<i32>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    // From here on the process is nobody's child: whoever started it has nothing to wait for.
    if !sys::detach() {
        return ExitCode::SUCCESS;
    }
    match serve(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pi-nvvm: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Answers requests until there are no more.
fn serve(cli: &Cli) -> std::io::Result<()> {
    let (input, output) = sys::take_streams()?;
    sys::end_with(&input, cli.parent);
    let library = libnvvm::LibNvvm::open(&cli.libnvvm, &cli.libdevice);
    let mut reader = BufReader::new(&input);
    let mut writer = BufWriter::new(File::from(output));
    loop {
        // A reader with bytes left has a request already.
        if reader.buffer().is_empty() && !sys::wait_for_input(&input, IDLE_LIMIT) {
            return Ok(());
        }
        let Some(request) = NvvmRequest::read(&mut reader)? else { return Ok(()) };
        sys::end_after(request.limit);
        let answer = match &library {
            Ok(library) => library.answer(&request),
            Err(why) => NvvmAnswer::NoLibrary { why: why.clone() },
        };
        sys::end_never();
        answer.write(&mut writer)?;
    }
}
