//! Reflection: the contents of a module that others use, and those that it needs.

use std::collections::HashMap;

use super::Index;
use super::Inst;
use super::SpirvError;
use super::call_graph::CallGraph;
use super::constants::{self, SpecScalar, SpecTop};
use super::grammar;
use super::types::{Types, storage_name};
use rspirv::spirv::{
    Capability, Decoration, ExecutionMode, FunctionParameterAttribute, LinkageType, Op, StorageClass,
};

/// How a kernel receives an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A pointer to memory, with the storage class.
    Pointer(&'static str),
    /// A structure behind a pointer (`ByVal`), with its size in bytes.
    Structure(Option<u64>),
    /// A value, with its size in bytes.
    Value(Option<u64>),
    /// An image, a sampler or something else without a size.
    Object,
}

/// A kernel argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name, if the module contains it.
    pub name: Option<String>,
    /// How the kernel receives it.
    pub kind: ArgumentKind,
    /// The description of its type.
    pub type_name: String,
}

/// An execution mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Its number.
    pub number: u32,
    /// Its operands: literals, or the values of the ids for modes that have ids.
    pub operands: Vec<u32>,
}

impl Mode {
    /// Returns the mode's name in the specification.
    pub fn name(&self) -> String {
        ExecutionMode::from_u32(self.number)
            .map_or_else(|| self.number.to_string(), |mode| format!("{mode:?}"))
    }
}

/// An entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    /// Its function's id.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Its execution modes.
    pub modes: Vec<Mode>,
}

impl EntryPoint {
    /// Returns the operands of one of its modes.
    pub fn mode(&self, mode: ExecutionMode) -> Option<&[u32]> {
        self.modes.iter().find(|one| one.number == mode as u32).map(|one| one.operands.as_slice())
    }
}

/// The role of a symbol for other modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkageKind {
    /// Defined here for other modules.
    Export,
    /// Defined in another module.
    Import,
    /// Defined here, and possibly in other modules too.
    LinkOnceOdr,
}

/// A symbol with linkage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linkage {
    /// The function's or variable's id.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Its linkage.
    pub kind: LinkageKind,
    /// Whether it is a function.
    pub is_function: bool,
    /// Whether it is a variable that the device provides.
    pub is_built_in: bool,
}

/// A variable outside functions, with its SPV_INTEL_global_variable_decorations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its id.
    pub id: u32,
    /// Its name in the module.
    pub name: Option<String>,
    /// Its storage class, if known.
    pub storage: Option<StorageClass>,
    /// The size of its type in bytes.
    pub size: Option<u64>,
    /// The size of a device global's value, which is its pointer's target or the variable itself.
    pub value_size: Option<u64>,
    /// Whether a device global is the value itself.
    pub image_scope: bool,
    /// `HostAccessINTEL`: the access and the unique id.
    pub host_access: Option<(u32, String)>,
    /// `InitModeINTEL`
    pub init_mode: Option<u32>,
    /// `ImplementInCSRINTEL`
    pub implement_in_csr: Option<u32>,
    /// Whether the device provides it.
    pub is_built_in: bool,
}

/// The contents of a module: what it offers and needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reflection {
    /// Major and minor version.
    pub version: (u8, u8),
    /// Its capabilities.
    pub capabilities: Vec<u32>,
    /// Its extensions.
    pub extensions: Vec<String>,
    /// Its entry points.
    pub entry_points: Vec<EntryPoint>,
    /// Its symbols.
    pub linkage: Vec<Linkage>,
    /// Its scalar specialization constants.
    pub spec_scalars: Vec<SpecScalar>,
    /// Its specialization constants as the source declares them.
    pub spec_constants: Vec<SpecTop>,
    /// Its variables.
    pub globals: Vec<Global>,
    /// The texts of `UserSemantic` decorations, with the ids that they decorate.
    pub semantics: Vec<(u32, String)>,
    /// Its call graph.
    pub call_graph: CallGraph,
}

/// Returns a capability's name in the specification.
pub fn capability_name(number: u32) -> String {
    Capability::from_u32(number).map_or_else(|| number.to_string(), |name| format!("{name:?}"))
}

impl Reflection {
    /// Collects what a module offers and needs.
    pub fn of(index: &Index<'_>) -> Result<Self, SpirvError> {
        let types = Types::new(index);
        let mut reflection = Self {
            version: index.module.version(),
            capabilities: Vec::new(),
            extensions: Vec::new(),
            entry_points: Vec::new(),
            linkage: Vec::new(),
            spec_scalars: constants::scalars(index, &types),
            spec_constants: constants::tops(index, &types)?,
            globals: Vec::new(),
            semantics: Vec::new(),
            call_graph: CallGraph::new(index),
        };
        let mut modes: HashMap<u32, Vec<Mode>> = HashMap::new();
        let mut left = MOST_PARTS;
        for inst in index.globals() {
            let unended = || inst.error("the text does not end");
            match inst.opcode {
                Op::Capability => reflection.capabilities.push(inst.operand(0)),
                Op::Extension => reflection.extensions.push(inst.text(0).ok_or_else(unended)?.0),
                Op::EntryPoint => {
                    let (name, _) = inst.text(2).ok_or_else(unended)?;
                    let id = inst.operand(1);
                    let arguments = arguments(index, &types, id, &mut left)?;
                    reflection.entry_points.push(EntryPoint { id, name, arguments, modes: Vec::new() });
                }
                Op::ExecutionMode | Op::ExecutionModeId => {
                    let value = |&word: &u32| match inst.opcode {
                        Op::ExecutionMode => Some(word),
                        _ => types.number(word).and_then(|number| u32::try_from(number).ok()),
                    };
                    let operands = inst.operands.iter().skip(2).filter_map(value).collect();
                    modes
                        .entry(inst.operand(0))
                        .or_default()
                        .push(Mode { number: inst.operand(1), operands });
                }
                Op::Decorate => decorated(index, &inst, &mut reflection)?,
                Op::Variable => reflection.globals.push(global(index, &types, &inst)),
                _ => {}
            }
        }
        for entry in &mut reflection.entry_points {
            let modes = modes.get(&entry.id).map(Vec::as_slice).unwrap_or_default();
            left = left.checked_sub(modes.len()).ok_or_else(too_many_parts)?;
            entry.modes = modes.to_vec();
        }
        Ok(reflection)
    }

    /// Returns whether the module declares a capability.
    pub fn has_capability(&self, capability: Capability) -> bool {
        self.capabilities.contains(&(capability as u32))
    }

    /// Returns the symbols of one kind.
    pub fn symbols(&self, kind: LinkageKind) -> impl Iterator<Item = &Linkage> {
        self.linkage.iter().filter(move |symbol| symbol.kind == kind)
    }
}

fn decorated(index: &Index<'_>, inst: &Inst<'_>, reflection: &mut Reflection) -> Result<(), SpirvError> {
    let unended = || inst.error("the text does not end");
    let id = inst.operand(0);
    match inst.decoration() {
        Some(Decoration::LinkageAttributes) => {
            let (name, after) = inst.text(2).ok_or_else(unended)?;
            let kind = match LinkageType::from_u32(inst.operand(after)) {
                Some(LinkageType::Export) => LinkageKind::Export,
                Some(LinkageType::Import) => LinkageKind::Import,
                Some(LinkageType::LinkOnceODR) => LinkageKind::LinkOnceOdr,
                _ => {
                    let other = inst.operand(after);
                    return Err(inst.error(format!("linkage type {other} is not known")));
                }
            };
            let is_function = index.function(id).is_some();
            let is_built_in = index.decorations(id, Decoration::BuiltIn).next().is_some();
            reflection.linkage.push(Linkage { id, name, kind, is_function, is_built_in });
        }
        Some(Decoration::UserSemantic) => {
            reflection.semantics.push((id, inst.text(2).ok_or_else(unended)?.0));
        }
        _ => {}
    }
    Ok(())
}

/// The most arguments and modes of all kernels together, because several kernels may share a function.
const MOST_PARTS: usize = 1 << 20;

fn too_many_parts() -> SpirvError {
    SpirvError::whole(format!("the kernels have more than {MOST_PARTS} arguments and modes"))
}

fn arguments(
    index: &Index<'_>,
    types: &Types<'_>,
    function: u32,
    left: &mut usize,
) -> Result<Vec<Argument>, SpirvError> {
    let Some(function) = index.function(function) else { return Ok(Vec::new()) };
    let insts = index.module.range(function.first + 1, function.end);
    let parameters = insts.take_while(|inst| !matches!(inst.opcode, Op::Label | Op::FunctionEnd));
    let parameters = parameters.filter(|inst| inst.opcode == Op::FunctionParameter);
    let argument = |inst: Inst<'_>| {
        let (kind, id) = (inst.operand(0), inst.operand(1));
        let definition = index.definition(kind);
        let pointer = definition.filter(|definition| definition.opcode == Op::TypePointer);
        let by_value = index
            .decorations(id, Decoration::FuncParamAttr)
            .any(|inst| inst.operand(2) == FunctionParameterAttribute::ByVal as u32);
        let kind = match pointer {
            Some(pointer) if by_value || pointer.storage_class() == Some(StorageClass::Function) => {
                ArgumentKind::Structure(types.size(pointer.operand(2)))
            }
            Some(pointer) => ArgumentKind::Pointer(storage_name(pointer.storage_class())),
            None => match types.size(kind) {
                Some(size) => ArgumentKind::Value(Some(size)),
                None => ArgumentKind::Object,
            },
        };
        let name = index.name(id).filter(|name| !name.is_empty());
        Argument { name, kind, type_name: types.describe(inst.operand(0)) }
    };
    let mut arguments = Vec::new();
    for parameter in parameters {
        *left = left.checked_sub(1).ok_or_else(too_many_parts)?;
        arguments.push(argument(parameter));
    }
    Ok(arguments)
}

fn global(index: &Index<'_>, types: &Types<'_>, inst: &Inst<'_>) -> Global {
    let id = inst.operand(1);
    let value = grammar::result_type(inst)
        .and_then(|pointer| index.definition(pointer))
        .map(|pointer| pointer.operand(2));
    let literal = |kind| index.decorations(id, kind).next().map(|inst| inst.operand(2));
    let host_access = index.decorations(id, Decoration::HostAccessINTEL).next();
    let behind = value.and_then(|value| behind_pointer(index, value));
    let size = value.and_then(|value| types.size(value));
    Global {
        id,
        name: index.name(id),
        storage: inst.storage_class(),
        size,
        value_size: behind.map_or(size, |value| types.size(value)),
        image_scope: behind.is_none(),
        host_access: host_access.and_then(|inst| Some((inst.operand(2), inst.text(3)?.0))),
        init_mode: literal(Decoration::InitModeINTEL),
        implement_in_csr: literal(Decoration::ImplementInRegisterMapINTEL),
        is_built_in: index.decorations(id, Decoration::BuiltIn).next().is_some(),
    }
}

/// Returns the type of the value of a device global without image scope, whose class consists of a pointer and the
/// value, possibly inside other classes.
fn behind_pointer(index: &Index<'_>, mut class: u32) -> Option<u32> {
    for _ in 0..8 {
        let inst = index.definition(class).filter(|inst| inst.opcode == Op::TypeStruct)?;
        let first = inst.operands.get(1).copied()?;
        let pointer = index.definition(first).filter(|first| first.opcode == Op::TypePointer);
        match (pointer, inst.operands.get(2)) {
            (Some(_), Some(&value)) => return Some(value),
            (Some(_), None) => return None,
            (None, _) => class = first,
        }
    }
    None
}
