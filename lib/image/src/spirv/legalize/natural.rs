//! Drops `CPacked` from structures whose layout does not depend on it.
//!
//! rusticl lays packed structures out correctly in all memory except kernel arguments. It places an argument at a
//! multiple of the structure's alignment, which is 1 if it is packed, and reads each number from the preceding multiple
//! of the number's size. DPC++ declares classes as packed although their members have the same offsets without it, so
//! the decoration is dropped there. Kernels whose arguments still contain numbers at other offsets are refused.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{AddressingModel, Decoration, FunctionParameterAttribute, Op};

use super::draft::Draft;
use crate::spirv::Inst;
use crate::spirv::{FunctionSpan, Index};

/// Drops the decoration wherever all members of all types keep their offsets.
pub(super) fn rewrite(index: &Index<'_>, draft: &mut Draft) {
    let packed = index.globals().filter(|inst| inst.decoration() == Some(Decoration::CPacked));
    let packed: HashSet<u32> = packed.map(|inst| inst.operand(0)).collect();
    if packed.is_empty() {
        return;
    }
    let mut needed = HashSet::new();
    let layouts = loop {
        let mut layouts = Packings::new(index, &packed, &needed);
        index.globals().for_each(|inst| layouts.add(&inst));
        if layouts.blamed.is_subset(&needed) {
            break layouts.known;
        }
        let blamed = layouts.blamed;
        needed.extend(blamed);
    };
    for entry in index.globals().filter(|inst| inst.opcode == Op::EntryPoint) {
        let Some(kernel) = index.function(entry.operand(1)) else { continue };
        if let Some(number) = misread_argument(index, kernel, &layouts) {
            draft.refuse(
                kernel.id,
                format!(
                    "argument {number} is a packed structure whose numbers are not aligned, and this driver reads \
                     them wrong"
                ),
            );
        }
    }
    draft.retain_globals(|line| !line.decorates(Decoration::CPacked) || needed.contains(&line.operand(0)));
}

/// Returns the number of the first argument that the driver misreads.
fn misread_argument(
    index: &Index<'_>,
    kernel: &FunctionSpan,
    layouts: &HashMap<u32, Packing>,
) -> Option<usize> {
    let code = index.module.range(kernel.first, kernel.end);
    code.filter(|inst| inst.opcode == Op::FunctionParameter).position(|parameter| {
        let by_value = index
            .decorations(parameter.operand(1), Decoration::FuncParamAttr)
            .any(|inst| inst.operand(2) == FunctionParameterAttribute::ByVal as u32);
        let kind = parameter.operand(0);
        let pointee = index.definition(kind).filter(|_| by_value).map(|pointer| pointer.operand(2));
        let layout = layouts.get(&pointee.unwrap_or(kind));
        layout.is_some_and(|layout| !layout.in_place || layout.largest > layout.made)
    })
}

/// The layout of a type in memory.
#[derive(Clone, Copy, Debug)]
struct Packing {
    /// Its size in bytes. It is unknown if a specialization constant may change it.
    size: Option<u64>,
    /// Its alignment in the module.
    wanted: u64,
    /// Its alignment if only the structures that need it are packed.
    made: u64,
    /// The largest alignment of a number in it.
    largest: u64,
    /// Whether each number is at a multiple of its alignment, provided that the whole is.
    in_place: bool,
}

impl Packing {
    fn number(size: u64) -> Self {
        Self { size: Some(size), wanted: size, made: size, largest: size, in_place: true }
    }

    /// A type with an unknown layout.
    fn unknown() -> Self {
        Self { size: None, ..Self::number(1) }
    }
}

/// The layouts of types in the module's order, in which parts precede the types that contain them.
struct Packings<'i> {
    index: &'i Index<'i>,
    /// The structures that the module packs.
    packed: &'i HashSet<u32>,
    /// The structures among them that stay packed.
    needed: &'i HashSet<u32>,
    known: HashMap<u32, Packing>,
    /// The structures that must stay packed as well, because a member would move otherwise.
    blamed: HashSet<u32>,
    /// The types whose parts were blamed.
    visited: HashSet<u32>,
    pointer: u64,
}

impl<'i> Packings<'i> {
    fn new(index: &'i Index<'i>, packed: &'i HashSet<u32>, needed: &'i HashSet<u32>) -> Self {
        let model = index.globals().find(|inst| inst.opcode == Op::MemoryModel);
        let is_short = model.is_some_and(|inst| inst.operand(0) == AddressingModel::Physical32 as u32);
        Self {
            index,
            packed,
            needed,
            known: HashMap::new(),
            blamed: HashSet::new(),
            visited: HashSet::new(),
            pointer: if is_short { 4 } else { 8 },
        }
    }

    fn get(&self, id: u32) -> Packing {
        self.known.get(&id).copied().unwrap_or_else(Packing::unknown)
    }

    /// Adds a type.
    fn add(&mut self, inst: &Inst<'_>) {
        let layout = match inst.opcode {
            Op::TypeBool => Packing::number(1),
            Op::TypeInt | Op::TypeFloat if [8, 16, 32, 64].contains(&inst.operand(1)) => {
                Packing::number(u64::from(inst.operand(1)) / 8)
            }
            Op::TypePointer => Packing::number(self.pointer),
            Op::TypeVector => {
                // A vector of three elements occupies the space of four.
                let count = if inst.operand(2) == 3 { 4 } else { u64::from(inst.operand(2)) };
                let size = self.get(inst.operand(1)).size.and_then(|size| size.checked_mul(count));
                size.map_or_else(Packing::unknown, Packing::number)
            }
            Op::TypeArray => self.array(inst),
            Op::TypeStruct => self.structure(inst),
            _ => return,
        };
        self.known.insert(inst.operand(0), layout);
    }

    fn array(&self, inst: &Inst<'_>) -> Packing {
        let element = self.get(inst.operand(1));
        let length = self.index.definition(inst.operand(2)).filter(|length| length.opcode == Op::Constant);
        let length = length.and_then(|length| match length.operands.get(2..)? {
            [low] => Some(u64::from(*low)),
            [low, 0] => Some(u64::from(*low)),
            _ => None,
        });
        Packing {
            size: element.size.zip(length).and_then(|(size, length)| size.checked_mul(length)),
            in_place: element.in_place && is_multiple(element.size, element.largest),
            ..element
        }
    }

    fn structure(&mut self, inst: &Inst<'_>) -> Packing {
        let id = inst.operand(0);
        let is_packed = self.packed.contains(&id);
        let members: Vec<(u32, Packing)> =
            inst.operands.iter().skip(1).map(|&member| (member, self.get(member))).collect();
        let wanted = |member: &Packing| if is_packed { 1 } else { member.wanted };
        let align = members.iter().map(|(_, member)| wanted(member)).max().unwrap_or(1);
        let mut end = Some(0_u64);
        let mut offsets = Vec::new();
        for (_, member) in &members {
            let offset = end.and_then(|end| end.checked_next_multiple_of(wanted(member)));
            end = offset.zip(member.size).and_then(|(offset, size)| offset.checked_add(size));
            offsets.push(offset);
        }
        let size = end.and_then(|end| end.checked_next_multiple_of(align));
        // Whether everything keeps its offset if this member has its new alignment.
        let fits = |member: &Packing, offset: Option<u64>| {
            member.made <= wanted(member)
                || is_multiple(offset, member.made)
                    && (member.made <= align || is_multiple(size, member.made))
        };
        let moved: Vec<u32> = members
            .iter()
            .zip(&offsets)
            .filter(|((_, member), offset)| !fits(member, **offset))
            .map(|((member, _), _)| *member)
            .collect();
        let stays_packed = is_packed && (self.needed.contains(&id) || !moved.is_empty());
        if stays_packed {
            self.blamed.insert(id);
        } else {
            moved.into_iter().for_each(|member| self.blame(member));
        }
        let made = |member: &Packing| if stays_packed { 1 } else { member.made };
        let in_place = |member: &Packing, offset: Option<u64>| {
            member.in_place && (member.largest <= made(member) || is_multiple(offset, member.largest))
        };
        Packing {
            size,
            wanted: align,
            made: members.iter().map(|(_, member)| made(member)).max().unwrap_or(1),
            largest: members.iter().map(|(_, member)| member.largest).max().unwrap_or(1),
            in_place: members.iter().zip(&offsets).all(|((_, member), offset)| in_place(member, *offset)),
        }
    }

    /// Blames the outermost packed structures in a type whose alignment grows.
    fn blame(&mut self, kind: u32) {
        let mut open = vec![kind];
        while let Some(id) = open.pop() {
            let layout = self.get(id);
            if layout.made <= layout.wanted || !self.visited.insert(id) {
                continue;
            }
            if self.packed.contains(&id) {
                self.blamed.insert(id);
                continue;
            }
            let Some(inst) = self.index.definition(id) else { continue };
            match inst.opcode {
                Op::TypeArray => open.push(inst.operand(1)),
                Op::TypeStruct => open.extend(inst.operands.iter().skip(1)),
                _ => {}
            }
        }
    }
}

/// Returns whether a number is known to be a multiple of another one.
fn is_multiple(number: Option<u64>, of: u64) -> bool {
    number.is_some_and(|number| number.checked_rem(of).is_none_or(|rest| rest == 0))
}
