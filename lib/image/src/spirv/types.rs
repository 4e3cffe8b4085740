//! Sizes and layouts of types, as LLVM lays them out for `spir64` and `spir`.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{AddressingModel, Decoration, Op, StorageClass};

use super::Index;
use super::Inst;

/// The types of a module, with their sizes.
#[derive(Debug)]
pub struct Types<'i> {
    index: &'i Index<'i>,
    layouts: HashMap<u32, TypeLayout>,
    /// The structures without padding.
    packed: HashSet<u32>,
    pointer: u64,
}

#[derive(Clone, Copy, Debug)]
struct TypeLayout {
    size: u64,
    align: u64,
}

impl<'i> Types<'i> {
    /// Lays out every type. Leaves out types without a size, and those whose size exceeds 64 bits.
    pub fn new(index: &'i Index<'i>) -> Self {
        let packed = index.globals().filter(|inst| inst.decoration() == Some(Decoration::CPacked));
        let packed = packed.map(|inst| inst.operand(0)).collect();
        let mut types = Self { index, layouts: HashMap::new(), packed, pointer: 8 };
        for inst in index.globals() {
            if inst.opcode == Op::MemoryModel && inst.operand(0) == AddressingModel::Physical32 as u32 {
                types.pointer = 4;
            }
            if let Some(layout) = types.layout(&inst) {
                types.layouts.insert(inst.operand(0), layout);
            }
        }
        types
    }

    fn layout(&self, inst: &Inst<'_>) -> Option<TypeLayout> {
        let even = |size| Some(TypeLayout { size, align: size });
        match inst.opcode {
            Op::TypeBool => even(1),
            Op::TypeInt | Op::TypeFloat => match inst.operand(1) {
                bits @ (8 | 16 | 32 | 64) => even(u64::from(bits) / 8),
                _ => None,
            },
            Op::TypePointer => even(self.pointer),
            Op::TypeVector => {
                let element = self.layouts.get(&inst.operand(1))?;
                // A vector of three elements occupies the space of four.
                let count = if inst.operand(2) == 3 { 4 } else { u64::from(inst.operand(2)) };
                even(element.size.checked_mul(count)?)
            }
            Op::TypeArray => {
                let element = self.layouts.get(&inst.operand(1))?;
                let size = element.size.checked_mul(self.number(inst.operand(2))?)?;
                Some(TypeLayout { size, align: element.align })
            }
            Op::TypeStruct => {
                let packed = self.packed.contains(&inst.operand(0));
                let mut whole = TypeLayout { size: 0, align: 1 };
                for member in inst.operands.iter().skip(1) {
                    let member = self.layouts.get(member)?;
                    let align = if packed { 1 } else { member.align.max(1) };
                    whole.size = whole.size.checked_next_multiple_of(align)?.checked_add(member.size)?;
                    whole.align = whole.align.max(align);
                }
                whole.size = whole.size.checked_next_multiple_of(whole.align)?;
                Some(whole)
            }
            _ => None,
        }
    }

    /// Returns the value of an integer constant.
    pub fn number(&self, id: u32) -> Option<u64> {
        let inst = self.index.definition(id)?;
        let is_number = matches!(inst.opcode, Op::Constant | Op::SpecConstant);
        let words = inst.operands.get(2..).filter(|_| is_number)?;
        match *words {
            [low] => Some(low.into()),
            [low, high] => Some(u64::from(high) << 32 | u64::from(low)),
            _ => None,
        }
    }

    /// Returns the size of a type in bytes.
    pub fn size(&self, id: u32) -> Option<u64> {
        self.layouts.get(&id).map(|layout| layout.size)
    }

    /// Returns the offsets of the first `count` members of a structure, array or vector, or of all if it has fewer.
    /// Returns nothing for other types.
    pub fn offsets(&self, id: u32, count: usize) -> Vec<u64> {
        let Some(inst) = self.index.definition(id) else { return Vec::new() };
        match inst.opcode {
            Op::TypeStruct => {
                let packed = self.packed.contains(&id);
                let mut at = 0_u64;
                let offsets = inst.operands.iter().skip(1).take(count).map_while(|member| {
                    let layout = self.layouts.get(member)?;
                    let align = if packed { 1 } else { layout.align.max(1) };
                    let offset = at.checked_next_multiple_of(align)?;
                    at = offset.checked_add(layout.size)?;
                    Some(offset)
                });
                offsets.collect()
            }
            Op::TypeArray | Op::TypeVector => {
                let members = match inst.opcode {
                    Op::TypeVector => Some(u64::from(inst.operand(2))),
                    _ => self.number(inst.operand(2)),
                };
                let (Some(members), Some(size)) = (members, self.size(inst.operand(1))) else {
                    return Vec::new();
                };
                (0..members).take(count).map_while(|at| at.checked_mul(size)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Describes the type briefly: `i32`, `float*`, `vec4 of i8`.
    pub fn describe(&self, id: u32) -> String {
        self.describe_to(id, 6)
    }

    fn describe_to(&self, id: u32, depth: u32) -> String {
        let Some(inst) = self.index.definition(id).filter(|_| depth > 0) else { return "...".into() };
        let of = |at: usize| self.describe_to(inst.operand(at), depth - 1);
        match inst.opcode {
            Op::TypeVoid => "void".into(),
            Op::TypeBool => "bool".into(),
            Op::TypeInt => format!("i{}", inst.operand(1)),
            Op::TypeFloat => match inst.operand(1) {
                16 => "half".into(),
                32 => "float".into(),
                64 => "double".into(),
                bits => format!("f{bits}"),
            },
            Op::TypeVector => format!("vec{} of {}", inst.operand(2), of(1)),
            Op::TypeArray => match self.number(inst.operand(2)) {
                Some(count) => format!("{}[{count}]", of(1)),
                None => format!("{}[?]", of(1)),
            },
            Op::TypeStruct => self.index.name(id).unwrap_or_else(|| "struct".into()),
            Op::TypePointer => format!("{} {}*", storage_name(inst.storage_class()), of(2)),
            Op::TypeImage => "image".into(),
            Op::TypeSampler => "sampler".into(),
            Op::TypeOpaque => inst.text(1).map_or_else(|| "opaque".into(), |(name, _)| name),
            _ => match super::grammar::name(inst.raw_opcode) {
                Some(name) => name.to_owned(),
                None => format!("type {}", inst.raw_opcode),
            },
        }
    }
}

/// Returns OpenCL's name of a storage class.
pub(super) fn storage_name(class: Option<StorageClass>) -> &'static str {
    match class {
        Some(StorageClass::UniformConstant) => "constant",
        Some(StorageClass::Workgroup) => "local",
        Some(StorageClass::CrossWorkgroup) => "global",
        Some(StorageClass::Function) => "private",
        Some(StorageClass::Generic) => "generic",
        _ => "other",
    }
}
