//! Launches randomly chosen kernels with arguments, and compares their results with a loop on the host.

use std::path::{Path, PathBuf};

use sycl_pi_image::spirv::{ArgumentKind, EntryPoint};
use sycl_pi_image::unwrap::unwrap;
use sycl_pi_runtime::{Arg, Error, NdRange, Registry, Result, Runtime, SpecValues, Usm, UsmKind};

use super::families::{Checked, Shape, evaluate, is_exact, of_kernel, operand};
use super::values::{Number, Type};
use super::{Stack, line};
use crate::reflect;

/// More than one group takes, and not a multiple of anything.
const ELEMENTS: usize = 1003;

/// A kernel of a library.
struct Candidate {
    library: PathBuf,
    image: usize,
    kernel: String,
}

/// Launches `count` kernels of the libraries from a number on, the same for the same seed. Prints a line for each: its
/// library, its name, and `right`, `refused` or `wrong` with a reason.
///
/// # Panics
/// Panics if a library or the plugin cannot be opened.
#[allow(clippy::print_stdout, reason = "the parent reads it")]
pub fn launch(plugin: &Path, seed: u64, count: usize, from: usize, libraries: &[PathBuf]) {
    let stack = Stack::open(plugin).unwrap_or_else(|error| panic!("{error}"));
    let mut candidates: Vec<Candidate> = libraries.iter().flat_map(|library| candidates(library)).collect();
    println!("{}", line(&["candidates", &candidates.len().to_string()]));
    let mut state = seed | 1;
    let (mut done, mut launched) = (0, 0);
    while launched < count && !candidates.is_empty() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let chosen = candidates.swap_remove((state >> 33) as usize % candidates.len());
        done += 1;
        if done <= from {
            continue;
        }
        let library = chosen.library.display().to_string();
        println!("{}", line(&["next", &done.to_string(), &library, &chosen.kernel]));
        launched += 1;
        match try_kernel(&stack, &chosen) {
            Ok(Outcome::Right) => println!("{}", line(&["right", ""])),
            // Takes another one instead.
            Ok(Outcome::OtherArguments) => {
                launched -= 1;
                println!("{}", line(&["other", "its arguments are not those of its family"]));
            }
            Ok(Outcome::Wrong(text)) => println!("{}", line(&["wrong", &text])),
            Err(error) => println!("{}", line(&["refused", &error.to_string()])),
        }
    }
    println!("{}", line(&["end"]));
}

fn candidates(library: &Path) -> Vec<Candidate> {
    let name = library.display().to_string();
    let bytes = std::fs::read(library).unwrap_or_else(|error| panic!("{name}: {error}"));
    let found = unwrap(&name, &bytes).unwrap_or_else(|error| panic!("{error}"));
    let kernels = found.images.iter().enumerate().flat_map(|(image, parts)| {
        parts
            .entries
            .iter()
            .filter(|entry| of_kernel(entry).is_some())
            .map(move |entry| (image, entry.to_string()))
    });
    kernels.map(|(image, kernel)| Candidate { library: library.into(), image, kernel }).collect()
}

enum Outcome {
    Right,
    OtherArguments,
    Wrong(String),
}

fn try_kernel(stack: &Stack, chosen: &Candidate) -> Result<Outcome> {
    let Some(checked) = of_kernel(&chosen.kernel) else { return Ok(Outcome::OtherArguments) };
    let file = std::fs::read(&chosen.library).map_err(|error| Error::Invalid(error.to_string()))?;
    let mut found = unwrap("library", &file).map_err(|error| Error::Invalid(error.to_string()))?;
    let registry = Registry::new();
    crate::add(&registry, found.images.swap_remove(chosen.image))?;
    let image = registry.images().remove(0);
    let entries = reflect(&image).map(|found| found.entry_points).unwrap_or_default();
    let Some(entry) = entries.iter().find(|entry| entry.name == chosen.kernel) else {
        return Ok(Outcome::OtherArguments);
    };
    let removed =
        image.properties().param_opt.get(&chosen.kernel).is_some_and(|mask| mask.kept() != mask.arguments);
    if removed || !has_arguments(entry, &checked) {
        return Ok(Outcome::OtherArguments);
    }
    let runtime = Runtime::with_caches(&stack.context, &registry, &stack.caches);
    let kernel = runtime.kernel(&stack.device, &chosen.kernel, &SpecValues::new())?;
    run(stack, &kernel, &checked)
}

/// Returns whether the code takes the arguments of the kernel's family, with pointers and values at their positions.
fn has_arguments(entry: &EntryPoint, checked: &Checked) -> bool {
    let pointers = checked.inputs.len() + 1;
    let element = Some(checked.result.size() as u64);
    let (first, last): (&[Option<u64>], &[Option<u64>]) = match checked.shape {
        Shape::CountLast | Shape::InPlace => (&[], &[Some(8)]),
        Shape::CountFirst => (&[Some(8)], &[]),
        Shape::Sequence => (&[], &[element, element]),
        Shape::Fill => (&[], &[element]),
    };
    let value = |size: &Option<u64>| ArgumentKind::Value(*size);
    let mut wanted: Vec<ArgumentKind> = first.iter().map(value).collect();
    wanted.extend((0..pointers).map(|_| ArgumentKind::Pointer("global")));
    wanted.extend(last.iter().map(value));
    entry.arguments.iter().map(|argument| &argument.kind).eq(&wanted)
}

fn run(stack: &Stack, kernel: &sycl_pi_runtime::Kernel, checked: &Checked) -> Result<Outcome> {
    let Checked { shape, function, inputs, result } = checked;
    let memory = |of: Type, position: usize| -> Result<(Usm<u8>, Vec<Number>)> {
        let numbers: Vec<Number> =
            (0..ELEMENTS).map(|at| of.convert(operand(function, of, position, at))).collect();
        let mut bytes = Vec::with_capacity(ELEMENTS * of.size());
        numbers.iter().for_each(|number| of.write(*number, &mut bytes));
        let memory = Usm::<u8>::new(&stack.context, &stack.device, UsmKind::Device, bytes.len())?;
        memory.write(&stack.queue, 0, &bytes)?;
        Ok((memory, numbers))
    };
    // In place, the result is the first operand and the input the second.
    let first = usize::from(*shape == Shape::InPlace);
    let mut operands = Vec::new();
    for (at, input) in inputs.iter().enumerate() {
        operands.push(memory(*input, at + first)?);
    }
    let (out, before) = memory(*result, 0)?;
    let wanted = wanted(checked, &operands, &before);
    let Some(wanted) = wanted else { return Ok(Outcome::Wrong(format!("the host has no {function}"))) };

    let count = (ELEMENTS as u64).to_le_bytes();
    let (mut begin, mut step) = (Vec::new(), Vec::new());
    result.write(Number::Integer(3), &mut begin);
    result.write(Number::Integer(2), &mut step);
    let mut args: Vec<Arg<'_>> = Vec::new();
    if *shape == Shape::CountFirst {
        args.push(Arg::bytes(&count));
    }
    args.extend(operands.iter().map(|(memory, _)| Arg::usm(memory)));
    args.push(Arg::usm(&out));
    match shape {
        Shape::CountLast | Shape::InPlace => args.push(Arg::bytes(&count)),
        Shape::Sequence => args.extend([Arg::bytes(&begin), Arg::bytes(&step)]),
        Shape::Fill => args.push(Arg::bytes(&begin)),
        Shape::CountFirst => {}
    }
    let range = match shape {
        Shape::Sequence | Shape::Fill => NdRange::linear(ELEMENTS),
        _ => NdRange::linear(ELEMENTS.next_multiple_of(64)).with_local_size(&[64])?,
    };
    // SAFETY: each kernel of the family stays within the given number of elements.
    unsafe { kernel.launch(&stack.queue, range, &args) }?.wait()?;
    let bytes = out.to_vec(&stack.queue)?;
    let exact = is_exact(function);
    for (at, (bytes, wanted)) in bytes.chunks(result.size()).zip(wanted).enumerate() {
        let got = result.read(bytes);
        if !result.agrees(got, wanted, exact) {
            let values: Vec<Number> =
                operands.iter().filter_map(|(_, numbers)| numbers.get(at).copied()).collect();
            return Ok(Outcome::Wrong(format!(
                "{function} of {values:?} is {got:?} at {at}, not {wanted:?}"
            )));
        }
    }
    Ok(Outcome::Right)
}

/// Returns the results that a loop on the host computes.
fn wanted(checked: &Checked, operands: &[(Usm<u8>, Vec<Number>)], before: &[Number]) -> Option<Vec<Number>> {
    let result = |at: usize, first: &Number| {
        let value = match checked.shape {
            Shape::Sequence => Number::Integer(3 + 2 * at as i64),
            Shape::Fill => Number::Integer(3),
            Shape::InPlace => {
                let second = operands.first().and_then(|(_, numbers)| numbers.get(at))?;
                evaluate(&checked.function, &[*first, *second])?
            }
            _ => {
                let values: Vec<Number> =
                    operands.iter().filter_map(|(_, numbers)| numbers.get(at).copied()).collect();
                evaluate(&checked.function, &values)?
            }
        };
        Some(checked.result.convert(value))
    };
    before.iter().enumerate().map(|(at, first)| result(at, first)).collect()
}
