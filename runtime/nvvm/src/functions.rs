//! The functions of a program as text, and those that cannot be translated.

use std::collections::BTreeMap;

use crate::error::{Error, Reason, Result};
use crate::function;
use crate::helpers::Helpers;
use crate::program::{Entry, Program};
use crate::reach::SizedFunction;

/// The functions that run.
pub(crate) struct Functions {
    /// Their text, in the module's order.
    texts: Vec<(SizedFunction, String)>,
    /// Why others cannot be translated.
    wrong: BTreeMap<SizedFunction, Error>,
}

impl Functions {
    /// Writes all functions that run. It is an error if one cannot be translated that is exported or called by address.
    pub(crate) fn write(program: &Program<'_>, helpers: &mut Helpers) -> Result<Self, Error> {
        let mut written = Self { texts: Vec::new(), wrong: BTreeMap::new() };
        let mut length = 0;
        for &(span, size) in program.reach.functions.iter().filter(|(span, _)| span.has_body) {
            let mut text = String::new();
            match function::write(program, helpers, (span, size), &mut text) {
                Ok(()) => {
                    length += text.len();
                    written.texts.push(((span.id, size), text));
                }
                Err(error) => drop(written.wrong.insert((span.id, size), error)),
            }
            if length > function::LONGEST {
                return Err(Reason::from("the program is too large").in_declaration("the functions"));
            }
        }
        let needed = program.exported().into_iter().chain(program.reach.by_address());
        match needed.into_iter().find_map(|root| written.error_from(program, root)) {
            Some(error) => Err(error.clone()),
            None => Ok(written),
        }
    }

    /// Why one of the functions that run when a root does cannot be translated.
    fn error_from(&self, program: &Program<'_>, root: SizedFunction) -> Option<&Error> {
        if self.wrong.is_empty() {
            return None;
        }
        program.reach.running_from(root).iter().find_map(|function| self.wrong.get(function))
    }

    /// Why a kernel cannot run, if a function that it reaches cannot be translated.
    pub(crate) fn refusal(&self, program: &Program<'_>, entry: &Entry) -> Option<String> {
        let error = self.error_from(program, (entry.function, entry.size))?;
        Some(match error {
            Error::Instruction { function, instruction, reason } if *function == entry.name => {
                format!("kernel {function}, instruction {instruction}: {reason}")
            }
            _ => format!("kernel {}: {error}", entry.name),
        })
    }

    /// The text of what runs from these roots.
    pub(crate) fn text(self, program: &Program<'_>, roots: &[SizedFunction]) -> String {
        let running = program.reach.running(roots);
        self.texts
            .into_iter()
            .filter(|(function, _)| running.contains(function))
            .map(|(_, text)| text)
            .collect()
    }
}
