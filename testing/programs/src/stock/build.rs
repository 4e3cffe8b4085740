//! Builds every kernel of a library through the runtime.

use std::path::Path;
use std::sync::Arc;

use sycl_pi_runtime::{ErrorKind, Registry, Runtime, SpecValues};

use super::{Stack, line};

/// Builds every `step`-th kernel of a library from a number on, and prints a line before each build and one with its
/// result. The driver may end the process. The parent then continues after that kernel.
///
/// # Panics
/// Panics if the library or the plugin cannot be opened.
#[allow(clippy::print_stdout, reason = "the parent reads it")]
pub fn build(plugin: &Path, library: &Path, from: usize, step: usize) {
    let stack = Stack::open(plugin).unwrap_or_else(|error| panic!("{error}"));
    let registry = Registry::new();
    // SAFETY: a vendor's compiler made the library.
    let (_, errors) = unsafe { registry.add_file(library) }.unwrap_or_else(|error| panic!("{error}"));
    for error in errors {
        println!("{}", line(&["malformed", &error.to_string()]));
    }
    let mut names: Vec<Arc<str>> = Vec::new();
    for image in registry.images() {
        names.extend(image.kernels().iter().cloned());
    }
    println!("{}", line(&["kernels", &names.len().to_string()]));
    let runtime = Runtime::with_caches(&stack.context, &registry, &stack.caches);
    for (number, name) in names.iter().enumerate().skip(from).step_by(step) {
        println!("{}", line(&["next", &number.to_string(), name]));
        let outcome = match runtime.kernel(&stack.device, name, &SpecValues::new()) {
            Ok(_) => line(&["built", ""]),
            Err(error) if error.kind() == ErrorKind::KernelNotSupported => {
                line(&["refused", &error.to_string()])
            }
            Err(error) => line(&["failed", &error.to_string()]),
        };
        println!("{outcome}");
    }
    println!("{}", line(&["end"]));
}
