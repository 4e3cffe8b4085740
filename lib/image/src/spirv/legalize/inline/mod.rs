//! Inlines functions that are called with generic pointers, or return them.
//!
//! If rusticl does not see the origin of a generic pointer, it takes it for a pointer to global memory. If a pointer is
//! computed from a generic pointer in memory, it never finishes compiling an access through a cast of it, even if the
//! cast is in another function than the computation. Both can be mended only if all of this is in one function.

mod paste;

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{Op, StorageClass};

use super::draft::{Draft, Function};
use super::early_casts::{base, class, passes_on};
use super::line::Line;
use crate::spirv::SpirvError;
use paste::Paste;

/// The most instructions that are added to a module. Each call adds those of its function, which may have calls itself.
const MOST_ADDED: usize = 1 << 18;

/// Inlines each function that is called with a generic pointer, or returns one. Refuses functions that
/// pass a computed pointer to another module, which may cast it.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let places: HashMap<u32, usize> =
        draft.functions.iter().enumerate().map(|(at, function)| (function.id(), at)).collect();
    let imports: HashSet<u32> =
        draft.functions.iter().filter(|function| !function.has_body()).map(Function::id).collect();
    let mut paste = Paste::new(draft, MOST_ADDED);
    let mut inlined: HashMap<u32, Function> = HashMap::new();
    for at in callees_first(&draft.functions, &places) {
        let Some(mut function) = draft.functions.get_mut(at).map(std::mem::take) else { continue };
        let id = function.id();
        if let Some(callee) = paste.calls(draft, &mut function, &inlined)? {
            draft.refuse(
                id,
                format!(
                    "it calls function {} too often for this driver, which needs it inlined",
                    draft.name(callee)
                ),
            );
        }
        let pointers = Pointers::new(draft, &function);
        if let Some(callee) = pointers.passed_on(&function, &imports) {
            draft.refuse(
                id,
                format!(
                    "it passes function {} of another module a pointer that is computed from a generic pointer in \
                     memory, and if that function casts it, this driver never finishes compiling it",
                    draft.name(callee)
                ),
            );
        }
        if takes_generic(draft, &function) || returns_generic(draft, &function) {
            inlined.insert(id, function.clone());
        }
        if let Some(place) = draft.functions.get_mut(at) {
            *place = function;
        }
    }
    Ok(())
}

/// Inlines all functions wherever they are called, as long as this does not add too many instructions. They stay in the
/// module. PoCL does the same in kernels with barriers, and 7.1 loses what some of them store in their variables.
pub(super) fn inline_all(draft: &mut Draft) -> Result<(), SpirvError> {
    let places: HashMap<u32, usize> =
        draft.functions.iter().enumerate().map(|(at, function)| (function.id(), at)).collect();
    let mut paste = Paste::new(draft, MOST_ADDED);
    let mut inlined: HashMap<u32, Function> = HashMap::new();
    for at in callees_first(&draft.functions, &places) {
        let Some(mut function) = draft.functions.get_mut(at).map(std::mem::take) else { continue };
        paste.calls(draft, &mut function, &inlined)?;
        inlined.insert(function.id(), function.clone());
        if let Some(place) = draft.functions.get_mut(at) {
            *place = function;
        }
    }
    Ok(())
}

/// Inlines a function of this module wherever it is called. Keeps it for the calls that are left, if these would add too
/// many instructions.
pub(super) fn inline_one(draft: &mut Draft, id: u32) -> Result<(), SpirvError> {
    let Some(at) = draft.functions.iter().position(|function| function.id() == id) else { return Ok(()) };
    let inlined = HashMap::from([(id, draft.functions.remove(at))]);
    let mut paste = Paste::new(draft, MOST_ADDED);
    let mut functions = std::mem::take(&mut draft.functions);
    let mut is_left = false;
    for function in &mut functions {
        is_left |= paste.calls(draft, function, &inlined)?.is_some();
    }
    if is_left {
        functions.extend(inlined.into_values());
    }
    draft.functions = functions;
    Ok(())
}

/// Returns the functions with bodies such that each one comes after those that it calls, unless it calls itself.
fn callees_first(functions: &[Function], places: &HashMap<u32, usize>) -> Vec<usize> {
    let calls = |at: usize| -> Vec<usize> {
        let lines = functions.get(at).map(|function| function.lines.as_slice()).unwrap_or_default();
        let calls = lines.iter().filter(|line| line.opcode() == Op::FunctionCall);
        calls.filter_map(|line| places.get(&line.operand(2)).copied()).collect()
    };
    let mut order = Vec::new();
    let mut seen = HashSet::new();
    for start in 0..functions.len() {
        let mut open = vec![(start, false)];
        while let Some((at, is_done)) = open.pop() {
            if is_done {
                order.push(at);
            } else if seen.insert(at) {
                open.push((at, true));
                open.extend(calls(at).into_iter().map(|callee| (callee, false)));
            }
        }
    }
    order.retain(|&at| functions.get(at).is_some_and(Function::has_body));
    order
}

/// Where the generic pointers of a function come from.
struct Pointers {
    /// The pointer from which each one is computed.
    from: HashMap<u32, u32>,
    /// Those that are loaded from memory.
    loaded: HashSet<u32>,
}

impl Pointers {
    fn new(draft: &Draft, function: &Function) -> Self {
        let is_generic = |line: &&Line| class(draft, line.operand(0)) == Some(StorageClass::Generic as u32);
        let of = |wanted: fn(Op) -> bool| function.lines.iter().filter(move |line| wanted(line.opcode()));
        Self {
            from: of(passes_on).filter(is_generic).map(|line| (line.operand(1), line.operand(2))).collect(),
            loaded: of(|opcode| opcode == Op::Load).filter(is_generic).map(|line| line.operand(1)).collect(),
        }
    }

    /// Returns a function of these to which the function passes a pointer that is computed from one in memory.
    fn passed_on(&self, function: &Function, to: &HashSet<u32>) -> Option<u32> {
        let is_computed = |&pointer: &u32| {
            self.from.contains_key(&pointer) && self.loaded.contains(&base(&self.from, pointer))
        };
        let calls = function.lines.iter().filter(|line| line.opcode() == Op::FunctionCall);
        let mut calls = calls.filter(|line| to.contains(&line.operand(2)));
        calls.find(|line| line.operands.iter().skip(3).any(is_computed)).map(|line| line.operand(2))
    }
}

/// Returns whether a parameter of the function is a generic pointer.
fn takes_generic(draft: &Draft, function: &Function) -> bool {
    let parameters = function.lines.iter().filter(|line| line.opcode() == Op::FunctionParameter);
    parameters
        .map(|line| class(draft, line.operand(0)))
        .any(|class| class == Some(StorageClass::Generic as u32))
}

fn returns_generic(draft: &Draft, function: &Function) -> bool {
    let kind = function.lines.first().map_or(0, |line| line.operand(0));
    class(draft, kind) == Some(StorageClass::Generic as u32)
}
