//! Arguments for any function: valid ones, except for the one that is tested.

use std::ffi::c_void;

use sycl_ur_core::Layout;
use testing_ur_host::Filling;

use super::objects::Objects;

/// A rule of `ur_api.h` about an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// A handle that must not be null.
    Handle,
    /// A pointer that must not be null.
    Pointer,
    /// An enumerator or flags, for which an unknown value is refused.
    Enumeration,
}

/// Returns the rules of a function: the parameters' names and rules.
pub(super) fn rules(function: &str) -> Vec<(&'static str, Rule)> {
    let lines = include_str!("../../../documented.txt").lines();
    let line = lines
        .filter(|line| !line.starts_with('#'))
        .find_map(|line| line.strip_prefix(function)?.strip_prefix(' '));
    let words = line.unwrap_or_default().split_whitespace();
    words
        .filter_map(|word| {
            let (name, kind) = word.split_once(':')?;
            match kind {
                "handle" => Some((name, Rule::Handle)),
                "pointer" => Some((name, Rule::Pointer)),
                _ => Some((name, Rule::Enumeration)),
            }
        })
        .collect()
}

/// Valid arguments, with one chosen by the caller.
pub(super) struct Ask<'a> {
    pub(super) objects: &'a Objects<'a>,
    pub(super) rules: &'a [(&'static str, Rule)],
    pub(super) layout: Layout,
    /// The index of the tested argument, and its value.
    pub(super) tried: (usize, u64),
}

/// Returns whether a parameter is the handle of an object.
pub(super) fn is_handle(ty: &str) -> bool {
    ty.ends_with("_handle_t") && !ty.starts_with('*') && !ty.contains("native")
}

extern "C" fn nothing() {}

/// Returns memory that is never freed, with words at its start followed by zeros.
fn memory(words: &[usize]) -> u64 {
    let room = Box::leak(vec![0_usize; 1024].into_boxed_slice());
    room.iter_mut().zip(words).for_each(|(to, from)| *to = *from);
    room.as_mut_ptr().cast::<c_void>() as u64
}

impl Filling for Ask<'_> {
    fn bytes(&self, place: usize, parameter: &str, ty: &str) -> [u64; 3] {
        if place == self.tried.0 {
            return [self.tried.1, 0, 0];
        }
        let needed = self.rules.contains(&(parameter, Rule::Pointer));
        let callback =
            ty.ends_with("_callback_t") || ty.ends_with("_deleter_t") || ty.ends_with("_function_t");
        let one = match ty {
            _ if is_handle(ty) => self.objects.of(ty) as u64,
            _ if callback && needed => nothing as *const () as u64,
            _ if callback => 0,
            _ if ty.starts_with('*') => {
                let kind = ty.rsplit(' ').next().unwrap_or_default();
                match parameter {
                    "pPropValue" => memory(&[]),
                    _ if needed && kind == "ur_buffer_region_t" => memory(&[0, 0, 0, 64]),
                    _ if needed => memory(&[self.objects.of(kind)]),
                    _ => 0,
                }
            }
            "ur_rect_region_t" => return [1, 1, 1],
            "ur_rect_offset_t" | "u8" | "ur_bool_t" => 0,
            "usize" if parameter == "propSize" => 4096,
            "usize" if parameter.contains("ffset") => 0,
            "usize" => 8,
            "u32" if parameter.starts_with("numEventsIn") || parameter.starts_with("numSync") => 0,
            "u32" if ["numKernelAlternatives", "numArgs"].contains(&parameter) => 0,
            "u32" | "ur_platform_info_t" => 1,
            "ur_device_type_t" => 2,
            "ur_usm_migration_flags_t" if self.layout >= Layout::V2026_0 => 1,
            _ => 0,
        };
        [one, 0, 0]
    }
}
