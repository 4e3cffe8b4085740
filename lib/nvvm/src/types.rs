//! Types: SPIR-V's, their spelling in LLVM's text, and their sizes.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use sycl_pi_image::spirv::{
    CooperativeMatrixUse, Decoration, Dim, FPEncoding, Index, Inst, Op, Scope, StorageClass,
};

use crate::code::foreign;
use crate::error::Result;
use crate::matrix_shape::MatrixShape;
use crate::subgroup_size::SubgroupSize;

/// A type with longer text is refused, because nested types can exceed any memory.
const LONGEST: usize = 4096;

/// The most rows or columns of a cooperative matrix, and the most components that a work-item holds of one.
const MOST_ROWS: u64 = 256;
const MOST_COMPONENTS: u32 = 256;

/// The kind of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TypeKind {
    Void,
    /// A type that is used only through pointers.
    Opaque,
    Bool,
    Int(u32),
    Float(u32),
    /// `bfloat16`, held in an `i16`.
    Bfloat16,
    Vector {
        element: u32,
        count: u32,
    },
    /// A cooperative matrix: the components that one work-item holds, as a vector.
    Matrix {
        element: u32,
        count: u32,
        shape: MatrixShape,
    },
    Array {
        element: u32,
        count: u64,
    },
    Struct {
        members: Vec<u32>,
        packed: bool,
    },
    Pointer {
        space: AddressSpace,
        pointee: u32,
    },
    /// The handle of a bindless image with a sampler, a texture object.
    SampledImage {
        dimensions: u32,
    },
    /// The address of a function: an `i8*` that is cast at the call.
    FunctionPointer,
    Function {
        result: u32,
        parameters: Vec<u32>,
    },
    /// The reason why it cannot be translated.
    Unsupported(&'static str),
}

/// An address space of NVVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressSpace {
    Generic,
    Global,
    Shared,
}

impl AddressSpace {
    /// Returns the address space of a storage class. Constant memory is an ordinary buffer, and private memory is
    /// generic.
    fn from_storage_class(class: StorageClass) -> Option<Self> {
        match class {
            StorageClass::CrossWorkgroup
            | StorageClass::UniformConstant
            | StorageClass::DeviceOnlyINTEL
            | StorageClass::HostOnlyINTEL => Some(Self::Global),
            StorageClass::Workgroup => Some(Self::Shared),
            StorageClass::Function | StorageClass::Generic | StorageClass::Private | StorageClass::Input => {
                Some(Self::Generic)
            }
            _ => None,
        }
    }

    /// Returns its number in LLVM.
    pub(crate) fn number(self) -> u32 {
        match self {
            Self::Generic => 0,
            Self::Global => 1,
            Self::Shared => 3,
        }
    }

    /// Returns the type of a pointer into it, given the pointee's type.
    pub(crate) fn pointer_to(self, pointee: &str) -> String {
        match self {
            Self::Generic => format!("{pointee}*"),
            _ => format!("{pointee} addrspace({})*", self.number()),
        }
    }
}

/// Size and alignment in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) size: u64,
    pub(crate) align: u64,
}

/// A type.
#[derive(Debug)]
pub(crate) struct Type {
    pub(crate) kind: TypeKind,
    pub(crate) text: String,
    pub(crate) layout: Option<Layout>,
}

/// The types of a module.
#[derive(Debug, Default)]
pub(crate) struct Types {
    table: HashMap<u32, Type>,
    forward: HashSet<u32>,
    /// The forward-declared types that are members of structures before their definition.
    used_forward: Vec<u32>,
    structs: Vec<u32>,
    /// The smallest sub-group size of the program, which determines the space for a cooperative matrix.
    smallest_size: SubgroupSize,
}

impl Types {
    /// Creates an empty table for a program with sub-groups of this size or larger.
    pub(crate) fn for_sub_groups(smallest_size: SubgroupSize) -> Self {
        Self { smallest_size, ..Self::default() }
    }

    /// Returns the type with this id.
    pub(crate) fn get(&self, id: u32) -> Result<&Type> {
        let found = self.table.get(&id).ok_or_else(|| format!("%{id} is used as a type and is none"))?;
        match found.kind {
            TypeKind::Unsupported(reason) => Err(reason.into()),
            _ => Ok(found),
        }
    }

    /// Returns the type with this id, or the reason why it is unsupported.
    fn supported(&self, id: u32) -> Result<&Type, &'static str> {
        match self.table.get(&id) {
            Some(Type { kind: TypeKind::Unsupported(why), .. }) => Err(why),
            Some(found) => Ok(found),
            None => Err("its elements have a type that is not defined"),
        }
    }

    /// Returns the kind of the type with this id.
    pub(crate) fn kind(&self, id: u32) -> Result<&TypeKind> {
        self.get(id).map(|found| &found.kind)
    }

    /// Returns LLVM's spelling.
    pub(crate) fn text(&self, id: u32) -> Result<&str> {
        self.get(id).map(|found| found.text.as_str())
    }

    /// Returns the size and alignment.
    pub(crate) fn layout(&self, id: u32) -> Result<Layout> {
        self.get(id)?.layout.ok_or_else(|| format!("type %{id} has no size").into())
    }

    /// Returns the element type and count of a vector, or the type itself.
    pub(crate) fn scalar(&self, id: u32) -> Result<(u32, Option<u32>)> {
        Ok(match *self.kind(id)? {
            TypeKind::Vector { element, count } | TypeKind::Matrix { element, count, .. } => {
                (element, Some(count))
            }
            _ => (id, None),
        })
    }

    /// Returns the component type and the shape of a cooperative matrix.
    pub(crate) fn matrix(&self, id: u32) -> Result<(u32, MatrixShape)> {
        match *self.kind(id)? {
            TypeKind::Matrix { element, shape, .. } => Ok((element, shape)),
            _ => Err("a cooperative matrix is expected".into()),
        }
    }

    /// Returns the address space and the pointee of a pointer type.
    pub(crate) fn pointer(&self, id: u32) -> Result<(AddressSpace, u32)> {
        match *self.kind(id)? {
            TypeKind::Pointer { space, pointee } => Ok((space, pointee)),
            _ => Err(format!("type %{id} is not a pointer").into()),
        }
    }

    /// Returns the number of scalars in a value of the type, up to a limit.
    pub(crate) fn scalars(&self, id: u32, limit: u64) -> u64 {
        let mut stack = vec![(id, 1_u64)];
        let (mut sum, mut steps) = (0_u64, 0_u64);
        while let Some((id, times)) = stack.pop() {
            // Nested structures without scalars would never reach the limit.
            steps += 1;
            if steps > limit * 16 {
                return limit + 1;
            }
            match self.table.get(&id).map(|found| &found.kind) {
                Some(TypeKind::Struct { members, .. }) => {
                    stack.extend(members.iter().map(|&member| (member, times)))
                }
                Some(TypeKind::Array { element, count }) => {
                    stack.push((*element, times.saturating_mul(*count)))
                }
                Some(TypeKind::Vector { count, .. } | TypeKind::Matrix { count, .. }) => {
                    sum = sum.saturating_add(times.saturating_mul((*count).into()))
                }
                _ => sum = sum.saturating_add(times),
            }
            if sum > limit || times > limit {
                return limit + 1;
            }
        }
        sum
    }

    /// Returns whether a type, or a type that it contains, is a wanted one.
    pub(crate) fn has(&self, id: u32, wanted: impl Fn(&TypeKind) -> bool) -> bool {
        let (mut waiting, mut seen) = (vec![id], HashSet::new());
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.table.get(&id).map(|found| &found.kind) {
                Some(kind) if wanted(kind) => return true,
                Some(TypeKind::Struct { members, .. }) => waiting.extend(members),
                Some(
                    TypeKind::Array { element, .. }
                    | TypeKind::Vector { element, .. }
                    | TypeKind::Matrix { element, .. },
                ) => waiting.push(*element),
                _ => {}
            }
        }
        false
    }

    /// Adds the type that an instruction declares; `number` returns the values of integer constants.
    pub(crate) fn add(
        &mut self,
        index: &Index<'_>,
        inst: &Inst<'_>,
        number: impl Fn(u32) -> Option<u64>,
    ) -> Result<()> {
        let id = inst.operand(0);
        if inst.opcode == Op::TypeForwardPointer {
            self.forward.insert(id);
            return Ok(());
        }
        let mut new = self.declared(index, inst, number)?;
        if new.text.len() > LONGEST {
            new.kind = TypeKind::Unsupported("the type is nested too deeply");
            new.text = String::new();
        }
        if let TypeKind::Struct { members, .. } = &new.kind {
            self.structs.push(id);
            self.used_forward.extend(members.iter().filter(|member| !self.table.contains_key(member)));
        }
        self.table.insert(id, new);
        Ok(())
    }

    fn declared(
        &self,
        index: &Index<'_>,
        inst: &Inst<'_>,
        number: impl Fn(u32) -> Option<u64>,
    ) -> Result<Type> {
        let even = |size: u64| Some(Layout { size, align: size });
        let plain = |kind, text: String, layout| Ok(Type { kind, text, layout });
        let unsupported =
            |why| Ok(Type { kind: TypeKind::Unsupported(why), text: String::new(), layout: None });
        match inst.opcode {
            Op::TypeVoid => plain(TypeKind::Void, "void".into(), None),
            Op::TypeBool => plain(TypeKind::Bool, "i1".into(), even(1)),
            Op::TypeInt => match inst.operand(1) {
                bits @ 1..=128 => {
                    let size = u64::from(bits).div_ceil(8).next_power_of_two();
                    plain(TypeKind::Int(bits), format!("i{bits}"), even(size))
                }
                _ => unsupported("integers of more than 128 bits are not supported"),
            },
            Op::TypeFloat => match (inst.operand(1), inst.operands.len()) {
                (16, 3) if inst.operand(2) == FPEncoding::BFloat16KHR as u32 => {
                    plain(TypeKind::Bfloat16, "i16".into(), even(2))
                }
                (16, 2) => plain(TypeKind::Float(16), "half".into(), even(2)),
                (32, 2) => plain(TypeKind::Float(32), "float".into(), even(4)),
                (64, 2) => plain(TypeKind::Float(64), "double".into(), even(8)),
                _ => unsupported(
                    "floating-point numbers that are neither bfloat16 nor IEEE's with 16, 32 or 64 bits are not supported",
                ),
            },
            Op::TypeVector => {
                let (element, count) = (inst.operand(1), inst.operand(2));
                let scalar = match self.supported(element) {
                    Ok(scalar) => scalar,
                    Err(why) => return unsupported(why),
                };
                if !matches!(
                    scalar.kind,
                    TypeKind::Bool
                        | TypeKind::Int(_)
                        | TypeKind::Float(_)
                        | TypeKind::Bfloat16
                        | TypeKind::Pointer { .. }
                ) || !(2..=64).contains(&count)
                {
                    return unsupported("vectors have 2 to 64 numbers, truth values or pointers");
                }
                let size =
                    scalar.layout.map_or(1, |layout| layout.size) * u64::from(count).next_power_of_two();
                plain(TypeKind::Vector { element, count }, format!("<{count} x {}>", scalar.text), even(size))
            }
            Op::TypeSampledImage => self.sampled_image(index, inst),
            Op::TypeCooperativeMatrixKHR => self.cooperative_matrix(inst, number),
            Op::TypeArray => {
                let element = inst.operand(1);
                let count =
                    number(inst.operand(2)).ok_or("the length of an array is not an integer constant")?;
                let part = match self.supported(element) {
                    Ok(part) => part,
                    Err(why) => return unsupported(why),
                };
                let layout = part.layout.ok_or("the elements of an array have no size")?;
                let size = layout
                    .size
                    .checked_mul(count)
                    .filter(|&size| size < 1 << 40)
                    .ok_or("the array is too large")?;
                let layout = Layout { size, align: layout.align };
                plain(TypeKind::Array { element, count }, format!("[{count} x {}]", part.text), Some(layout))
            }
            Op::TypeStruct => self.structure(index, inst),
            Op::TypePointer => self.address(inst),
            Op::TypeFunction => {
                let parameters = inst.operands.get(2..).unwrap_or_default().to_vec();
                plain(TypeKind::Function { result: inst.operand(1), parameters }, String::new(), None)
            }
            Op::TypeEvent => plain(TypeKind::Int(64), "i64".into(), even(8)),
            Op::TypeOpaque => plain(TypeKind::Opaque, "i8".into(), None),
            _ => unsupported(foreign::why(inst)),
        }
    }

    /// Translates an image of one, two or three dimensions with a sampler.
    fn sampled_image(&self, index: &Index<'_>, inst: &Inst<'_>) -> Result<Type> {
        let image = index.definition(inst.operand(1)).filter(|image| image.opcode == Op::TypeImage);
        let image = image.ok_or("the sampled value is not an image")?;
        let (is_array, has_samples) = (image.operand(4) != 0, image.operand(5) != 0);
        let dimensions = match Dim::from_u32(image.operand(2)) {
            Some(Dim::Dim1D) => 1,
            Some(Dim::Dim2D) => 2,
            Some(Dim::Dim3D) => 3,
            _ => 0,
        };
        if dimensions == 0 || is_array || has_samples {
            let why = "sampled images have 1, 2 or 3 dimensions on CUDA, and are not arrays or cubes";
            return Ok(Type { kind: TypeKind::Unsupported(why), text: String::new(), layout: None });
        }
        let layout = Some(Layout { size: 8, align: 8 });
        Ok(Type { kind: TypeKind::SampledImage { dimensions }, text: "i64".into(), layout })
    }

    fn cooperative_matrix(&self, inst: &Inst<'_>, number: impl Fn(u32) -> Option<u64>) -> Result<Type> {
        let unsupported =
            |why| Ok(Type { kind: TypeKind::Unsupported(why), text: String::new(), layout: None });
        let element = inst.operand(1);
        let component = match self.supported(element) {
            Ok(component) => component,
            Err(why) => return unsupported(why),
        };
        let [scope, rows, columns, usage] = [2, 3, 4, 5].map(|at| number(inst.operand(at)));
        if scope != Some(Scope::Subgroup as u64) {
            return unsupported("cooperative matrices belong to a sub-group on CUDA");
        }
        let (Some(rows @ 1..=MOST_ROWS), Some(columns @ 1..=MOST_ROWS)) = (rows, columns) else {
            return unsupported("cooperative matrices have 1 to 256 rows and columns on CUDA");
        };
        let usage = usage.and_then(|usage| CooperativeMatrixUse::from_u32(usage as u32));
        let usage = usage.ok_or("the use of a cooperative matrix is not known")?;
        let shape = MatrixShape { rows: rows as u32, columns: columns as u32, usage };
        let count = shape.own_components(self.smallest_size).next_power_of_two();
        let size = component.layout.map_or(1, |layout| layout.size) * u64::from(count);
        let is_number = matches!(
            component.kind,
            TypeKind::Int(8 | 16 | 32 | 64) | TypeKind::Float(_) | TypeKind::Bfloat16
        );
        if !is_number || count > MOST_COMPONENTS {
            return unsupported(
                "a cooperative matrix has more than 256 components for a work-item, or no numbers",
            );
        }
        Ok(Type {
            kind: TypeKind::Matrix { element, count, shape },
            text: format!("<{count} x {}>", component.text),
            layout: Some(Layout { size, align: size }),
        })
    }

    fn structure(&self, index: &Index<'_>, inst: &Inst<'_>) -> Result<Type> {
        let id = inst.operand(0);
        let members = inst.operands.get(1..).unwrap_or_default().to_vec();
        let packed = index.decorations(id, Decoration::CPacked).next().is_some();
        let mut whole = Layout { size: 0, align: 1 };
        for &member in &members {
            let known = self.table.get(&member);
            if known.is_none() && !self.forward.contains(&member) {
                return Err(format!("member type %{member} is not defined").into());
            }
            if let Some(TypeKind::Unsupported(why)) = known.map(|known| &known.kind) {
                return Ok(Type { kind: TypeKind::Unsupported(why), text: String::new(), layout: None });
            }
            let layout = known.map_or(Some(Layout { size: 8, align: 8 }), |known| known.layout);
            let layout = layout.ok_or("a member has no size")?;
            let align = if packed { 1 } else { layout.align.max(1) };
            let end = whole.size.checked_next_multiple_of(align).and_then(|at| at.checked_add(layout.size));
            whole.size = end.filter(|&end| end < 1 << 40).ok_or("the structure is too large")?;
            whole.align = whole.align.max(align);
        }
        whole.size = whole.size.next_multiple_of(whole.align);
        Ok(Type { kind: TypeKind::Struct { members, packed }, text: format!("%s{id}"), layout: Some(whole) })
    }

    fn address(&self, inst: &Inst<'_>) -> Result<Type> {
        let (class, pointee) = (inst.storage_class(), inst.operand(2));
        let layout = Some(Layout { size: 8, align: 8 });
        let Some(behind) = self.table.get(&pointee) else {
            return Err(format!("type %{pointee} is not defined").into());
        };
        if class == Some(StorageClass::CodeSectionINTEL) || matches!(behind.kind, TypeKind::Function { .. }) {
            return Ok(Type { kind: TypeKind::FunctionPointer, text: "i8*".into(), layout });
        }
        let Some(space) = class.and_then(AddressSpace::from_storage_class) else {
            let kind = TypeKind::Unsupported("the storage class is not supported on CUDA");
            return Ok(Type { kind, text: String::new(), layout: None });
        };
        let behind = match &behind.kind {
            TypeKind::Void | TypeKind::Unsupported(_) => "i8",
            _ => behind.text.as_str(),
        };
        let text = space.pointer_to(behind);
        Ok(Type { kind: TypeKind::Pointer { space, pointee }, text, layout })
    }

    /// Checks that forward-declared types used in structures are pointers, because only a pointer's size is known in
    /// advance.
    pub(crate) fn check_forward(&self) -> Result<()> {
        for id in &self.used_forward {
            match self.table.get(id).map(|found| &found.kind) {
                Some(TypeKind::Pointer { .. } | TypeKind::FunctionPointer) => {}
                _ => return Err(format!("type %{id} is declared in advance and is not a pointer").into()),
            }
        }
        Ok(())
    }

    /// Writes the definitions of structures.
    pub(crate) fn definitions(&self, out: &mut String) -> Result<()> {
        for &id in &self.structs {
            let Some(TypeKind::Struct { members, packed }) = self.table.get(&id).map(|found| &found.kind)
            else {
                continue;
            };
            let texts: Result<Vec<&str>> = members.iter().map(|&member| self.text(member)).collect();
            let texts = texts?.join(", ");
            let _ = match packed {
                true => writeln!(out, "%s{id} = type <{{ {texts} }}>"),
                false => writeln!(out, "%s{id} = type {{ {texts} }}"),
            };
        }
        Ok(())
    }
}
