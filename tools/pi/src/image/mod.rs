//! `pi image`: compiles and shows device images, and splits, links and converts them.

mod compare;
mod compile;
mod config;
mod document;
mod dot;
mod emulate;
mod extract;
mod file;
mod filter;
mod legalize;
mod link;
mod show;
mod specialize;
mod split;
mod wrap;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::output::{CommandStatus, Output};

#[derive(Args)]
pub struct ImageArguments {
    #[command(subcommand)]
    command: ImageCommand,
}

#[derive(Subcommand)]
enum ImageCommand {
    /// Show a device image: kernels with their arguments, requirements, constants, globals, symbols.
    ///
    /// FILE is SPIR-V, a property file (.prop, .props.json), a file table (.table), or an item of the program cache
    /// (.src). It can also be an ELF object, program or shared library that contains images. For a SPIR-V file
    /// NAME.spv, the properties in NAME.props.json or NAME.prop are shown too. If neither exists, they are derived from
    /// the code.
    #[command(
        after_help = "Examples:\n  pi image show kernels.spv\n  pi image show images.table --json | jq '.[].kernels[].name'\n  \
                      pi image show libkernels.so\n  pi image show a.spv b.spv --svg calls.svg"
    )]
    Show(show::ShowArguments),
    /// Compile OpenCL C or C++ for OpenCL to SPIR-V, with its property file.
    ///
    /// The compiler is clang of LLVM 15 or newer with llvm-spirv, or a clang that writes SPIR-V itself. It is searched
    /// for in the active environment, in PATH and in the system's folders. PI_CLANG and PI_LLVM_SPIRV name others.
    /// Arguments after -- are passed to clang.
    #[command(after_help = "Examples:\n  pi image compile kernel.cl -o kernel.spv\n  \
                            pi image compile kernel.clcpp -o kernel.spv -- -DSIZE=16 -cl-fast-relaxed-math")]
    Compile(compile::CompileArguments),
    /// Write the code and the properties of each image of a library to files, and a file table of all images.
    ///
    /// The code of an image becomes NAME_NUMBER.spv, or .bc or .bin if it is not SPIR-V. Its properties become .prop
    /// and .props.json, and the list of its entries becomes .sym. DIR is created if it does not exist.
    #[command(after_help = "Examples:\n  pi image extract libkernels.so -o kernels\n  \
                            pi image filter -target=intel_gpu_pvc kernels/libkernels.table -o pvc.table")]
    Extract(extract::ExtractArguments),
    /// Split SPIR-V into device images, each with its property file, and a file table of all images.
    ///
    /// Entries are kernels and exported functions. Whatever the mode, entries with different aspects, required
    /// work-group sizes or sub-group sizes never share an image.
    #[command(after_help = "Examples:\n  pi image split kernels.spv -o images.table\n  \
                            pi image split kernels.spv --mode per_kernel --dependencies -o parts.table")]
    Split(split::SplitArguments),
    /// Drop the rows of a file table whose images a target cannot run. Also available as sycl-aspect-filter.
    ///
    /// Usage: pi image filter -target=T [-device-config-file=FILE] TABLE [-o OUT]. Without a configuration file the
    /// built-in one is used. Without OUT the table is printed.
    #[command(after_help = "Example:\n  pi image filter -target=intel_gpu_pvc images.table -o pvc.table")]
    Filter(filter::FilterArguments),
    /// Print the device configuration that pi image filter uses, or entries for the devices of this machine.
    ///
    /// The configuration can be copied and extended, and passed to pi image filter with -device-config-file.
    #[command(after_help = "Examples:\n  pi image config > devices.yaml\n  \
                            pi image config --from-device --name my_gpu >> devices.yaml")]
    Config(config::ConfigArguments),
    /// Link SPIR-V modules into one, and bind imports to exports.
    ///
    /// Warns if a function needs an aspect that its calling kernel does not have, and lists the calls that lead to it.
    #[command(after_help = "Example:\n  pi image link main.spv library.spv -o whole.spv")]
    Link(link::LinkArguments),
    /// Fix the values of specialization constants.
    ///
    /// CONSTANT is a SpecId or a name in the code. VALUE is written according to the constant's type: 42, -1, 2.5,
    /// true.
    #[command(after_help = "Examples:\n  pi image specialize kernels.spv 0=42 1=2.5 -o fixed.spv\n  \
                            pi image specialize kernels.spv --all -o defaults.spv")]
    Specialize(specialize::SpecializeArguments),
    /// Turn specialization constants into loads from a buffer, for targets that do not support them.
    ///
    /// Kernels that use constants take a pointer to the buffer as their last argument. It contains all constants in
    /// ascending order of their ids, as described by the property sets that are written next to OUT.
    #[command(after_help = "Example:\n  pi image emulate kernels.spv -o emulated.spv")]
    Emulate(emulate::EmulateArguments),
    /// Rewrite SPIR-V so that an OpenCL driver accepts it and computes the right results.
    ///
    /// PoCL and Mesa's rusticl refuse some modules that DPC++ compiles, and compute wrong results with others. The
    /// OpenCL plugin rewrites modules in the same way before it passes them to these drivers.
    #[command(after_help = "Example:\n  pi image legalize kernels.spv --for rusticl-26.1 -o legal.spv")]
    Legalize(legalize::LegalizeArguments),
    /// Put images into an object file that registers them when a program that contains it starts.
    ///
    /// FILE is one of the files that pi image show accepts. The object calls __sycl_register_lib and
    /// __sycl_unregister_lib of a SYCL runtime.
    #[command(
        after_help = "Example:\n  pi image wrap images.table -o images.o && c++ main.o images.o -lpi_runtime"
    )]
    Wrap(wrap::WrapArguments),
    /// Derive the property sets of the images in DIR, or in a file, from their code, and compare them with the
    /// compiler's own.
    #[command(after_help = "Examples:\n  pi image compare lib/image/tests/images --markdown\n  \
                            pi image compare libkernels.so")]
    Compare(compare::CompareArguments),
}

/// `pi image`
pub fn run(arguments: &ImageArguments, output: &mut Output) -> Result<CommandStatus> {
    match &arguments.command {
        ImageCommand::Show(arguments) => show::run(arguments, output),
        ImageCommand::Compile(arguments) => compile::run(arguments, output),
        ImageCommand::Extract(arguments) => extract::run(arguments, output),
        ImageCommand::Split(arguments) => split::run(arguments, output),
        ImageCommand::Filter(arguments) => filter::run(arguments, output),
        ImageCommand::Config(arguments) => config::run(arguments, output),
        ImageCommand::Link(arguments) => link::run(arguments, output),
        ImageCommand::Specialize(arguments) => specialize::run(arguments, output),
        ImageCommand::Emulate(arguments) => emulate::run(arguments, output),
        ImageCommand::Legalize(arguments) => legalize::run(arguments, output),
        ImageCommand::Wrap(arguments) => wrap::run(arguments, output),
        ImageCommand::Compare(arguments) => compare::run(arguments, output),
    }
}
