//! Keeps LLVM from moving accesses past others that may be to the same memory.
//!
//! PoCL runs the work-items of a group in a loop, and tells LLVM that no round of it depends on another one. LLVM then
//! assumes that accesses within a round do not depend on each other either: when it vectorizes the loop, it accesses
//! neighboring elements at once, although an element at a variable index is stored in between. It vectorizes no loop that
//! stores a vector.

use std::collections::HashMap;

use rspirv::spirv::{MemoryAccess, Op, StorageClass};

use super::barriers::is_barrier;
use super::draft::{Draft, Function};
use super::early_casts::{class, passes_on};
use super::flow::{self, Dominators};
use super::line::Line;
use super::loops::Loops;
use crate::room::{filled, reserve, room};
use crate::spirv::SpirvError;
use crate::spirv::types::Types;
use crate::spirv::{Index, grammar};

/// The largest distance between the elements of neighboring work-items at which LLVM accesses them at once.
const MOST_ELEMENTS: u64 = 8;
/// The most terms of an address that are told apart.
const MOST_TERMS: usize = 32;
/// The most accesses to the same memory for which loops are looked at.
const MOST_ACCESSES: usize = 4096;
/// The most instructions that are looked at for an index.
const MOST_STEPS: usize = 64;
/// The most rows of accesses to the same memory that are told apart. If there are more, every access is said to be between
/// others.
const MOST_ROWS: usize = 64;

/// Stores a vector before each access that is between accesses to neighboring elements.
pub(super) fn rewrite(index: &Index<'_>, draft: &mut Draft) -> Result<(), SpirvError> {
    let types = Types::new(index);
    draft.each_function(|draft, function| {
        let between = between(&accesses(draft, &types, function)?);
        if between.is_empty() { Ok(()) } else { store_vectors(draft, function, &between) }
    })
}

/// An address as a sum.
#[derive(Clone, Debug, Default)]
struct Address {
    /// The pointer to which the rest is added.
    root: u32,
    /// The numbers that are no constants.
    variables: Vec<u32>,
    constants: Vec<u32>,
}

impl Address {
    /// Returns whether this one and another one differ by constants only.
    fn differs_by_constants(&self, other: &Address) -> bool {
        self.root == other.root && self.variables == other.variables
    }
}

/// A load or a store.
struct Access {
    /// The number of its instruction in the function.
    at: usize,
    address: Address,
    /// One of the roots that may be pointers to the same memory.
    memory: u32,
    is_store: bool,
    /// Whether LLVM may combine it with accesses to neighboring elements.
    is_near: bool,
    /// Whether the memory is a variable of the function.
    is_private: bool,
    /// The innermost loop around it.
    around: Option<usize>,
    /// Whether only the rounds of that loop vary the address.
    is_counted: bool,
}

/// Returns the accesses of a function in the module's order.
fn accesses(draft: &Draft, types: &Types<'_>, function: &Function) -> Result<Vec<Access>, SpirvError> {
    let lines = function.lines.iter().enumerate();
    let results = lines.filter_map(|(at, line)| Some((grammar::result(&line.inst())?, (at, line))));
    let results: HashMap<u32, (usize, &Line)> = results.collect();
    let loops = innermost_loops(draft, function)?;
    let mut addresses: HashMap<u32, Address> = HashMap::new();
    let mut accesses = Vec::new();
    for (at, line) in function.lines.iter().enumerate() {
        let address = |pointer: u32| {
            let own = || Address { root: pointer, ..Address::default() };
            addresses.get(&pointer).cloned().unwrap_or_else(own)
        };
        let (pointer, is_store) = match line.opcode() {
            Op::Load => (line.operand(2), false),
            Op::Store => (line.operand(0), true),
            opcode if may_access(opcode) => {
                let ids = draft.ids(line).unwrap_or_default();
                for pointer in ids.iter().filter(|id| is_pointer(draft, **id)) {
                    reserve(&mut accesses, 1)?;
                    // No other address has this term.
                    let variables = vec![0, at as u32];
                    accesses.push(Access {
                        at,
                        address: Address { variables, ..address(*pointer) },
                        memory: 0,
                        is_store: true,
                        is_near: false,
                        is_private: false,
                        around: None,
                        is_counted: false,
                    });
                }
                continue;
            }
            opcode if passes_on(opcode) || matches!(opcode, Op::PtrCastToGeneric | Op::GenericCastToPtr) => {
                let mut sum = address(line.operand(2));
                for index in line.operands.iter().skip(3) {
                    add(draft, &results, &mut sum, *index);
                }
                if sum.variables.len() + sum.constants.len() < MOST_TERMS {
                    sum.variables.sort_unstable();
                    addresses.insert(line.operand(1), sum);
                }
                continue;
            }
            _ => continue,
        };
        let address = address(pointer);
        let root = results.get(&address.root).filter(|(_, root)| root.opcode() == Op::Variable);
        let whole = root.and_then(|(_, root)| types.size(draft.definition(root.operand(0))?.operand(2)));
        let value = if is_store { draft.kind(line.operand(1)) } else { Some(line.operand(0)) };
        let element = value.and_then(|kind| types.size(kind));
        let is_long = |(whole, element): (u64, u64)| whole > element.saturating_mul(MOST_ELEMENTS);
        let is_near = !whole.zip(element).is_some_and(is_long);
        reserve(&mut accesses, 1)?;
        let around = loops.get(at).copied().flatten();
        let is_counter = |id: &u32| counter(&results, *id).is_some_and(|phi| loops.get(phi) == Some(&around));
        let is_counted = around.is_some() && address.variables.iter().all(is_counter);
        let is_private = root.is_some();
        let memory = 0;
        accesses.push(Access { at, address, memory, is_store, is_near, is_private, around, is_counted });
    }
    let memories = Memories::of(draft, function, &addresses);
    for access in &mut accesses {
        access.memory = memories.of_root(access.address.root);
        access.is_private &= !memories.parents.contains_key(&access.address.root);
    }
    Ok(accesses)
}

/// Adds an index to an address. A number that is the sum of others is taken apart.
fn add(draft: &Draft, results: &HashMap<u32, (usize, &Line)>, sum: &mut Address, index: u32) {
    let mut open = vec![index];
    for _ in 0..MOST_STEPS {
        let Some(id) = open.pop().filter(|_| sum.variables.len() + sum.constants.len() < MOST_TERMS) else {
            return;
        };
        match results.get(&id).map(|(_, line)| line) {
            None if draft.definition(id).is_some() => sum.constants.push(id),
            Some(line) if matches!(line.opcode(), Op::UConvert | Op::SConvert | Op::CopyObject) => {
                open.push(line.operand(2));
            }
            // Compilers write the latter for sums whose numbers have no bit in common.
            Some(line) if matches!(line.opcode(), Op::IAdd | Op::BitwiseOr) => {
                open.extend([line.operand(2), line.operand(3)]);
            }
            _ => sum.variables.push(id),
        }
    }
}

/// Returns whether an instruction other than a load or a store may access the memory of its pointers.
fn may_access(opcode: Op) -> bool {
    matches!(opcode, Op::FunctionCall | Op::ExtInst | Op::CopyMemory | Op::CopyMemorySized)
        || (Op::AtomicLoad..=Op::AtomicXor).contains(&opcode)
}

fn is_pointer(draft: &Draft, id: u32) -> bool {
    draft.kind(id).is_some_and(|kind| class(draft, kind).is_some())
}

/// The roots that may be pointers to the same memory. Different parameters are said to point to different memory, as the
/// order of accesses rarely matters if they do not.
#[derive(Default)]
struct Memories {
    parents: HashMap<u32, u32>,
}

impl Memories {
    /// Stands for the pointers that are kept in memory.
    const KEPT: u32 = u32::MAX;
    /// Stands for the pointers that are converted to integers.
    const INTEGERS: u32 = u32::MAX - 1;

    fn of(draft: &Draft, function: &Function, addresses: &HashMap<u32, Address>) -> Self {
        let mut memories = Self::default();
        let root = |id: u32| addresses.get(&id).map_or(id, |address| address.root);
        let keeps = |line: &Line| line.opcode() == Op::Store && is_pointer(draft, line.operand(1));
        let is_any_kept = function.lines.iter().any(keeps);
        for line in &function.lines {
            let (id, first) = (line.operand(1), line.operand(2));
            match line.opcode() {
                Op::Select if is_pointer(draft, id) => {
                    memories.unite(root(line.operand(3)), id);
                    memories.unite(root(line.operand(4)), id);
                }
                Op::Phi if is_pointer(draft, id) => {
                    for value in line.operands.iter().skip(2).step_by(2) {
                        memories.unite(root(*value), id);
                    }
                }
                Op::ConvertPtrToU => memories.unite(root(first), Self::INTEGERS),
                Op::ConvertUToPtr => memories.unite(id, Self::INTEGERS),
                Op::Store if keeps(line) => memories.unite(root(id), Self::KEPT),
                Op::Load if is_any_kept && is_pointer(draft, id) => memories.unite(id, Self::KEPT),
                _ => {}
            }
        }
        memories
    }

    /// Returns the same id for all roots that may be pointers to the same memory.
    fn of_root(&self, root: u32) -> u32 {
        let mut last = root;
        while let Some(&next) = self.parents.get(&last).filter(|&&next| next != last) {
            last = next;
        }
        last
    }

    fn unite(&mut self, one: u32, other: u32) {
        let (one, other) = (self.of_root(one), self.of_root(other));
        self.parents.insert(one, other);
        self.parents.insert(other, other);
    }
}

/// Returns the innermost loop around each instruction.
fn innermost_loops(draft: &Draft, function: &Function) -> Result<Vec<Option<usize>>, SpirvError> {
    let mut around = filled(None, function.lines.len())?;
    if function.lines.iter().any(|line| line.opcode() == Op::Phi) {
        let blocks = flow::blocks(draft, &function.lines)?;
        let loops = Loops::of(&blocks, &Dominators::of(&blocks)?, |_| false)?;
        for (number, block) in blocks.iter().enumerate() {
            around
                .get_mut(block.lines.clone())
                .into_iter()
                .for_each(|around| around.fill(loops.innermost(number)));
        }
    }
    Ok(around)
}

/// Returns the place of the counter if a number is one, or a multiple of one: of a number that a later one follows.
fn counter(results: &HashMap<u32, (usize, &Line)>, id: u32) -> Option<usize> {
    let (at, line) = results.get(&id)?;
    match line.opcode() {
        Op::Phi => {
            let values = line.operands.iter().skip(2).step_by(2);
            values.filter_map(|value| results.get(value)).any(|(later, _)| later > at).then_some(*at)
        }
        Op::IMul | Op::ShiftLeftLogical if !results.contains_key(&line.operand(3)) => {
            let factor = line.operand(2);
            results.get(&factor).filter(|(_, factor)| factor.opcode() == Op::Phi)?;
            counter(results, factor)
        }
        _ => None,
    }
}

/// Returns whether no other elements are accessed in the loop whose rounds vary an address. Either the compiler unrolls
/// the loop, and the address is a constant, or it does not vectorize what is around the loop.
fn is_alone(accesses: &[&Access], access: &Access) -> bool {
    let is_other = |other: &&Access| {
        other.around == access.around && !other.address.differs_by_constants(&access.address)
    };
    access.is_counted && accesses.len() <= MOST_ACCESSES && !accesses.iter().any(is_other)
}

/// Accesses of one kind whose addresses differ by constants.
struct Row<'a> {
    address: &'a Address,
    constants: &'a [u32],
    is_store: bool,
    first: usize,
    last: usize,
    has_several: bool,
}

/// Returns the numbers of the instructions that access other elements, perhaps the same ones, between accesses to
/// neighboring elements: stores between loads, and either between stores.
fn between(accesses: &[Access]) -> Vec<usize> {
    let mut roots: HashMap<u32, Vec<&Access>> = HashMap::new();
    for access in accesses {
        roots.entry(access.memory).or_default().push(access);
    }
    let mut between = Vec::new();
    for accesses in roots.values().filter(|accesses| accesses.iter().any(|access| access.is_store)) {
        let rows = rows(accesses);
        let is_private = accesses.iter().any(|access| access.is_private);
        let found = accesses.iter().filter(|access| !is_alone(accesses, access)).filter(|access| {
            rows.len() > MOST_ROWS
                || is_inside(&rows, access, is_private, true)
                || access.is_store && is_inside(&rows, access, is_private, false)
        });
        between.extend(found.map(|access| access.at));
    }
    between.sort_unstable();
    between
}

/// Returns the rows of accesses to the same memory: the first ones, and one more if there are more.
fn rows<'a>(accesses: &[&'a Access]) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for access in accesses.iter().filter(|access| access.is_near) {
        let (address, constants) = (&access.address, access.address.constants.as_slice());
        let is_same =
            |row: &&mut Row<'_>| row.address.differs_by_constants(address) && row.is_store == access.is_store;
        if let Some(row) = rows.iter_mut().find(is_same) {
            row.last = access.at;
            row.has_several |= row.constants != constants;
        } else if rows.len() <= MOST_ROWS {
            let (first, last, has_several) = (access.at, access.at, false);
            rows.push(Row { address, constants, is_store: access.is_store, first, last, has_several });
        }
    }
    rows
}

/// Returns whether an access is between others of this kind. The indices of variables of the function may turn out to be
/// constants, so all others count there.
fn is_inside(rows: &[Row<'_>], access: &Access, is_private: bool, is_store: bool) -> bool {
    let others = || {
        rows.iter()
            .filter(|row| row.is_store == is_store && !row.address.differs_by_constants(&access.address))
    };
    let is_around = |first: usize, last: usize| first < access.at && access.at < last;
    if is_private {
        let first = others().map(|row| row.first).min();
        first.zip(others().map(|row| row.last).max()).is_some_and(|(first, last)| is_around(first, last))
    } else {
        others().any(|row| row.has_several && is_around(row.first, row.last))
    }
}

/// Returns whether LLVM vectorizes no loop with this store, and does not drop it.
fn is_vector_store(draft: &Draft, line: &Line) -> bool {
    let kind = draft.kind(line.operand(1)).and_then(|kind| draft.definition(kind));
    let is_volatile = line.operand(2) & MemoryAccess::VOLATILE.bits() != 0;
    line.opcode() == Op::Store && is_volatile && kind.is_some_and(|kind| kind.opcode() == Op::TypeVector)
}

/// Stores a vector before the first of these instructions in each block, and behind each barrier.
fn store_vectors(draft: &mut Draft, function: &mut Function, between: &[usize]) -> Result<(), SpirvError> {
    const WORDS: u32 = 2;
    const ALIGNMENT: u32 = 8;
    let (private, flags) =
        (StorageClass::Function as u32, (MemoryAccess::VOLATILE | MemoryAccess::ALIGNED).bits());
    let word = draft.int(32)?;
    let kind = draft.type_of(Op::TypeVector, &[word, WORDS])?;
    let pointer = draft.type_of(Op::TypePointer, &[private, kind])?;
    let zeros = draft.constant_of(Op::ConstantNull, kind, &[])?;
    let mut variables = Vec::new();
    let mut code = room(function.lines.len())?;
    let mut is_stored = false;
    for (at, line) in std::mem::take(&mut function.lines).into_iter().enumerate() {
        if line.opcode() == Op::Label || is_barrier(line.opcode()) {
            is_stored = false;
        }
        if !is_stored && between.binary_search(&at).is_ok() {
            let variable = draft.emit(&mut variables, Op::Variable, pointer, &[private])?;
            reserve(&mut code, 1)?;
            code.push(Line::new(Op::Store, &[variable, zeros, flags, ALIGNMENT]));
            is_stored = true;
        }
        is_stored |= is_vector_store(draft, &line);
        code.push(line);
    }
    let first = code.iter().position(|line| line.opcode() == Op::Label).map_or(0, |first| first + 1);
    code.splice(first..first, variables);
    function.lines = code;
    Ok(())
}
