//! Small functions of the generated module. They contain everything specific to NVVM, so that a host can replace their
//! bodies.

pub(crate) mod async_copy;
pub(crate) mod atomics;
mod bfloat16;
pub(crate) mod conversions;
pub(crate) mod lanes;
pub(crate) mod matrix;
mod null_guard;
mod printf;
pub(crate) mod reduce;
mod remainder;
mod small_atomics;
pub(crate) mod synchronize;
pub(crate) mod work_items;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Attributes of every helper.
pub(crate) const INLINE: &str = "alwaysinline convergent nounwind";

/// The helper functions and library functions that a module uses.
#[derive(Debug, Default)]
pub(crate) struct Helpers {
    /// Definitions and declarations, by name.
    texts: BTreeMap<String, String>,
    /// The numbers of the guard helpers, by what they do.
    guards: HashMap<String, usize>,
    /// The numbers of texts.
    printed: HashMap<String, usize>,
    /// Whether functions of libdevice are used.
    pub(crate) libdevice: bool,
}

impl Helpers {
    /// Adds a definition, unless one with this name exists.
    pub(crate) fn define(&mut self, name: &str, make: impl FnOnce(&mut Self) -> String) {
        if !self.texts.contains_key(name) {
            // The name is reserved first, because `make` may ask for it recursively.
            self.texts.insert(name.to_owned(), String::new());
            let text = make(self);
            self.texts.insert(name.to_owned(), text);
        }
    }

    /// Adds a declaration with the types of result and parameters, and attributes.
    pub(crate) fn declare(&mut self, result: &str, name: &str, parameters: &str, attributes: &str) {
        let make = |_: &mut Self| format!("declare {result} @{name}({parameters}) {attributes}\n");
        self.define(name, make);
    }

    /// Declares a function of libdevice, and returns its full name: for `sinpif`, `__nv_sinpif`.
    pub(crate) fn declare_libdevice(&mut self, result: &str, name: &str, parameters: &str) -> String {
        self.libdevice = true;
        let function = format!("__nv_{name}");
        self.declare(result, &function, parameters, "nounwind");
        function
    }

    /// Returns the number of a text; equal texts share a number.
    fn numbered_text(&mut self, text: &str) -> usize {
        let number = self.printed.len();
        *self.printed.entry(text.to_owned()).or_insert(number)
    }

    /// Writes all definitions and declarations.
    pub(crate) fn write(&self, out: &mut String) {
        for text in self.texts.values() {
            let _ = writeln!(out, "{text}");
        }
    }
}
