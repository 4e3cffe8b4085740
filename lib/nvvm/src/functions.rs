//! The functions of a program as text, and those that cannot be translated.

use std::collections::{BTreeMap, HashMap, hash_map};

use crate::error::{Error, Reason, Result};
use crate::function;
use crate::helpers::Helpers;
use crate::program::{KernelEntry, Program};
use crate::reach::SizedFunction;

/// The functions that run.
pub(crate) struct Functions {
    /// Their text, in the module's order.
    texts: Vec<(SizedFunction, String)>,
    /// The errors of the functions that cannot be translated.
    wrong: BTreeMap<SizedFunction, Error>,
    /// The functions that reach one of these, with the first such function that was found.
    reaching: HashMap<SizedFunction, SizedFunction>,
}

impl Functions {
    /// Writes all functions that run. Fails if a function that is exported or called by address cannot be translated.
    pub(crate) fn write(program: &Program<'_>, helpers: &mut Helpers) -> Result<Self, Error> {
        let mut written = Self { texts: Vec::new(), wrong: BTreeMap::new(), reaching: HashMap::new() };
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
        written.spread(program);
        let needed = program.exported().into_iter().chain(program.reach.by_address());
        match needed.into_iter().find_map(|root| written.error_from(root)) {
            Some(error) => Err(error.clone()),
            None => Ok(written),
        }
    }

    /// Finds the callers, direct and indirect, of functions that cannot be translated. Functions called by address are
    /// never among these, because they are required.
    fn spread(&mut self, program: &Program<'_>) {
        for &cause in self.wrong.keys() {
            let (id, size) = cause;
            let mut waiting = vec![id];
            while let Some(id) = waiting.pop() {
                if let hash_map::Entry::Vacant(place) = self.reaching.entry((id, size)) {
                    place.insert(cause);
                    waiting.extend(program.reach.callers(id));
                }
            }
        }
    }

    /// Returns the error of a function that runs when a root does, if one cannot be translated.
    fn error_from(&self, root: SizedFunction) -> Option<&Error> {
        self.wrong.get(self.reaching.get(&root)?)
    }

    /// Returns the reason why a kernel cannot run, if a function that it reaches cannot be translated.
    pub(crate) fn refusal(&self, entry: &KernelEntry) -> Option<String> {
        let error = self.error_from((entry.function, entry.size))?;
        Some(match error {
            Error::Instruction { function, instruction, reason } if *function == entry.name => {
                format!("kernel {function}, instruction {instruction}: {reason}")
            }
            _ => format!("kernel {}: {error}", entry.name),
        })
    }

    /// Returns the text of everything that runs from these roots.
    pub(crate) fn text(self, program: &Program<'_>, roots: &[SizedFunction]) -> String {
        let running = program.reach.running(roots);
        self.texts
            .into_iter()
            .filter(|(function, _)| running.contains(function))
            .map(|(_, text)| text)
            .collect()
    }
}
