//! A module prepared for translation: everything outside the functions' code.

use std::collections::{BTreeMap, HashMap, HashSet};

use sycl_pi_image::spirv::{
    AddressingModel, BuiltIn, Decoration, ExecutionMode, ExecutionModel, Index, Inst, LinkageType,
    MemoryModel, Op, StorageClass,
};

use crate::code::foreign;
use crate::constants::{Constant, Constants};
use crate::error::{Error, Reason, Result};
use crate::masks::Masks;
use crate::names::{self, Names};
use crate::options::Options;
use crate::reach::{LaunchVariables, Reach, SizedFunction};
use crate::subgroup_size::SubgroupSize;
use crate::translation::Global;
use crate::types::{AddressSpace, TypeKind, Types};

/// The addressing and memory model of OpenCL on devices with 64-bit addresses.
const PHYSICAL64_OPENCL: [u32; 2] = [AddressingModel::Physical64 as u32, MemoryModel::OpenCL as u32];

/// The variables that depend on the id and number of work-groups.
const OF_GROUPS: [BuiltIn; 5] = [
    BuiltIn::NumWorkgroups,
    BuiltIn::WorkgroupId,
    BuiltIn::GlobalInvocationId,
    BuiltIn::GlobalSize,
    BuiltIn::GlobalLinearId,
];

/// A kernel's name and function.
#[derive(Debug)]
pub(crate) struct KernelEntry {
    pub(crate) name: String,
    pub(crate) function: u32,
    pub(crate) symbol: String,
    /// The size of its sub-groups.
    pub(crate) size: SubgroupSize,
    /// The sub-group size that it requires.
    pub(crate) required_size: Option<u32>,
    /// The reason why it cannot run on the device, if it cannot.
    pub(crate) refused: Option<String>,
}

/// A variable outside functions.
#[derive(Debug)]
pub(crate) struct Variable {
    pub(crate) id: u32,
    pub(crate) symbol: String,
    /// The type of its address.
    pub(crate) ty: u32,
    pub(crate) class: Option<StorageClass>,
    pub(crate) initializer: Option<u32>,
    /// The name under which it is exported or imported.
    pub(crate) linkage: Option<(String, Option<LinkageType>)>,
    /// Whether it is written as a structure of one member, because libnvvm rejects variables that are pointers to
    /// shared memory.
    pub(crate) boxed: bool,
    /// The type as it is written.
    pub(crate) written: String,
}

/// A module with everything to which its functions refer.
#[derive(Debug)]
pub(crate) struct Program<'m> {
    pub(crate) index: &'m Index<'m>,
    pub(crate) options: &'m Options,
    pub(crate) types: Types,
    pub(crate) constants: Constants,
    /// Built-in variables with the number of their `BuiltIn`.
    pub(crate) builtins: HashMap<u32, u32>,
    /// The definitions of variables.
    pub(crate) variables: String,
    /// The variables that a host can name.
    pub(crate) globals: Vec<Global>,
    pub(crate) entries: Vec<KernelEntry>,
    /// The first entry point of each kernel's function.
    first_entries: HashMap<u32, usize>,
    /// Execution modes, by function.
    modes: HashMap<u32, Vec<Inst<'m>>>,
    /// Exported functions with their symbols, if exports are requested.
    pub(crate) exports: BTreeMap<u32, String>,
    pub(crate) reach: Reach,
    /// The masks for group operations, once determined.
    pub(crate) masks: Masks,
}

impl<'m> Program<'m> {
    /// Reads types, constants and variables, and finds the functions that run.
    pub(crate) fn new(index: &'m Index<'m>, options: &'m Options) -> Result<Self, Error> {
        let mut program = Self {
            index,
            options,
            types: Types::default(),
            constants: Constants::default(),
            builtins: HashMap::new(),
            variables: String::new(),
            globals: Vec::new(),
            entries: Vec::new(),
            first_entries: HashMap::new(),
            modes: HashMap::new(),
            exports: BTreeMap::new(),
            reach: Reach::default(),
            masks: Masks::default(),
        };
        let mut names = Names::default();
        let (mut strict, mut kernel_names) = (Vec::new(), HashSet::new());
        for inst in index.globals() {
            match inst.opcode {
                Op::MemoryModel if inst.operands != PHYSICAL64_OPENCL => {
                    let reason =
                        Reason::from("only 64-bit addresses with OpenCL's memory model are supported");
                    return Err(reason.in_declaration("OpMemoryModel"));
                }
                Op::EntryPoint => {
                    let entry = program.entry(&inst, &mut kernel_names, &mut names);
                    entry.map_err(|reason| reason.in_declaration("OpEntryPoint"))?
                }
                Op::ExecutionMode | Op::ExecutionModeId => {
                    program.modes.entry(inst.operand(0)).or_default().push(inst);
                    if is_mode(&inst, ExecutionMode::ContractionOff) {
                        strict.push(inst.operand(0));
                    }
                }
                Op::Variable => program.builtin(&inst),
                _ => {}
            }
        }
        program.size_subgroups();
        let sizes = program.entries.iter().map(|entry| entry.size);
        program.types = Types::for_sub_groups(sizes.min().unwrap_or_default());
        if options.exports {
            program.find_exports(&mut names);
        }
        let holding = |wanted: &[BuiltIn]| {
            let holds = |which: &u32| wanted.iter().any(|wanted| *wanted as u32 == *which);
            program.builtins.iter().filter(|(_, which)| holds(which)).map(|(&id, _)| id).collect()
        };
        let launch = LaunchVariables {
            offset: holding(&[BuiltIn::GlobalInvocationId, BuiltIn::GlobalOffset]),
            work_dim: holding(&[BuiltIn::WorkDim]),
            groups: if program.is_folded() { holding(&OF_GROUPS) } else { HashSet::new() },
        };
        program.reach = Reach::from_roots(index, &program.roots(), &launch, &strict);
        program.refuse_calls_by_address();
        for inst in index.globals() {
            program.declare(&inst, &mut names).map_err(|reason| reason.in_declaration(describe(&inst)))?;
        }
        program.types.check_forward().map_err(|reason| reason.in_declaration("OpTypeForwardPointer"))?;
        Ok(program)
    }

    fn entry(
        &mut self,
        inst: &Inst<'_>,
        kernel_names: &mut HashSet<String>,
        names: &mut Names,
    ) -> Result<()> {
        let (name, _) = inst.text(2).ok_or("the name does not end")?;
        if inst.operand(0) != ExecutionModel::Kernel as u32 {
            return Err(format!("{name} is not a kernel").into());
        }
        let function = inst.operand(1);
        let found = self.index.function(function).ok_or_else(|| format!("kernel {name} has no function"))?;
        if !found.has_body {
            return Err(format!("kernel {name} has no code").into());
        }
        if !kernel_names.insert(name.clone()) {
            return Err(format!("there are two kernels {name}").into());
        }
        if self.options.variant.as_ref().is_some_and(|variant| variant.kernel != name) {
            return Ok(());
        }
        let symbol = names.visible(&name, format!("k{}", self.entries.len()));
        self.first_entries.entry(function).or_insert(self.entries.len());
        self.entries.push(KernelEntry {
            name,
            function,
            symbol,
            size: SubgroupSize::Warp,
            required_size: None,
            refused: None,
        });
        Ok(())
    }

    /// Returns whether the work-groups of all dimensions are launched as a grid of one dimension.
    pub(crate) fn is_folded(&self) -> bool {
        self.options.variant.as_ref().is_some_and(|variant| variant.folded)
    }

    /// Returns the kernels that can run and the exported functions, with their sub-group sizes.
    pub(crate) fn roots(&self) -> Vec<SizedFunction> {
        let kernels = self.entries.iter().filter(|entry| entry.refused.is_none());
        kernels.map(|entry| (entry.function, entry.size)).chain(self.exported()).collect()
    }

    /// Returns the exported functions. Their callers in other modules have sub-groups of a warp.
    pub(crate) fn exported(&self) -> Vec<SizedFunction> {
        self.exports.keys().map(|&id| (id, SubgroupSize::Warp)).collect()
    }

    /// Sets the sub-group sizes that the kernels require, and marks kernels whose requirements the device does not
    /// support.
    fn size_subgroups(&mut self) {
        for entry in &mut self.entries {
            let mut modes = self.modes.get(&entry.function).into_iter().flatten();
            let asked = modes.rfind(|inst| is_mode(inst, ExecutionMode::SubgroupSize));
            let Some(items) = asked.map(|inst| inst.operand(2)) else { continue };
            entry.required_size = Some(items);
            if self.index.decorations(entry.function, Decoration::VectorComputeFunctionINTEL).next().is_some()
            {
                entry.refused = Some(format!("kernel {}: {}", entry.name, foreign::ESIMD));
                continue;
            }
            match SubgroupSize::of_items(items) {
                Some(size) => entry.size = size,
                None => {
                    entry.refused = Some(format!(
                        "kernel {} requires sub-groups of {items} work-items, and sub-groups have 8, 16 or 32 on CUDA",
                        entry.name
                    ));
                }
            }
        }
    }

    /// Marks the kernels that call functions by address with a sub-group size other than that for which the functions
    /// are written.
    fn refuse_calls_by_address(&mut self) {
        let written = self.reach.address_size();
        for entry in self.entries.iter_mut().filter(|entry| entry.size != written) {
            if self.reach.calls_by_address(entry.function) {
                entry.refused.get_or_insert(format!(
                    "kernel {} calls functions by address with sub-groups of {} work-items, and another kernel of the program \
                     with sub-groups of {}: build them as programs of their own",
                    entry.name,
                    entry.size.items(),
                    written.items()
                ));
            }
        }
    }

    /// Returns the execution modes of a kernel's function, in the module's order.
    pub(crate) fn modes(&self, function: u32) -> &[Inst<'m>] {
        self.modes.get(&function).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the first entry point of a function, if it is a kernel.
    pub(crate) fn entry_of(&self, function: u32) -> Option<&KernelEntry> {
        self.entries.get(*self.first_entries.get(&function)?)
    }

    fn builtin(&mut self, inst: &Inst<'_>) {
        let id = inst.operand(1);
        if let Some(note) = self.index.decorations(id, Decoration::BuiltIn).next() {
            self.builtins.insert(id, note.operand(2));
        }
    }

    fn find_exports(&mut self, names: &mut Names) {
        for span in self.index.functions.iter().filter(|span| span.has_body) {
            if let Some((name, Some(LinkageType::Export | LinkageType::LinkOnceODR))) = self.linkage(span.id)
            {
                let symbol = names.visible(&name, names::function(span.id, SubgroupSize::Warp));
                self.exports.insert(span.id, symbol);
            }
        }
    }

    /// Returns the name of a symbol and its linkage, if known.
    pub(crate) fn linkage(&self, id: u32) -> Option<(String, Option<LinkageType>)> {
        let note = self.index.decorations(id, Decoration::LinkageAttributes).next()?;
        let (name, after) = note.text(2)?;
        Some((name, LinkageType::from_u32(note.operand(after))))
    }

    fn declare(&mut self, inst: &Inst<'_>, names: &mut Names) -> Result<()> {
        match inst.opcode {
            _ if foreign::is_type(inst) => {
                let constants = &self.constants;
                self.types.add(self.index, inst, |id| constants.number(id))
            }
            Op::ConstantFunctionPointerINTEL => {
                let constant = self.function_pointer(inst);
                self.define(inst, constant)
            }
            opcode if opcode == Op::Undef || (Op::ConstantTrue..=Op::SpecConstantOp).contains(&opcode) => {
                let values = self.options.specialization.first();
                let constant = self.constants.defined(self.index, &self.types, values, inst);
                self.define(inst, constant)
            }
            Op::Variable if !self.builtins.contains_key(&inst.operand(1)) => match self.variable(inst, names)
            {
                Ok(address) => self.constants.insert(inst.operand(1), address),
                Err(reason) => self.refuse(inst, reason),
            },
            _ => Ok(()),
        }
    }

    /// Adds a constant. If it needs an unsupported feature, or an operation without a result, the functions that use it
    /// are refused; any other error applies to the program.
    fn define(&mut self, inst: &Inst<'_>, constant: Result<Constant>) -> Result<()> {
        match constant {
            Ok(constant) => self.constants.insert(inst.operand(1), constant),
            Err(reason) => {
                let is_foreign = self.types.get(inst.operand(0)).is_err()
                    || inst.operands.iter().skip(2).any(|&id| self.constants.refusal(id).is_some())
                    || matches!(inst.opcode, Op::ConstantFunctionPointerINTEL | Op::SpecConstantOp);
                if is_foreign { self.refuse(inst, reason) } else { Err(reason) }
            }
        }
    }

    fn refuse(&mut self, inst: &Inst<'_>, reason: Reason) -> Result<()> {
        self.constants.refuse(inst.operand(1), format!("{}: {}", describe(inst), reason.0).into())
    }

    fn function_pointer(&self, inst: &Inst<'_>) -> Result<Constant> {
        let (ty, target) = (inst.operand(0), inst.operand(2));
        if self.index.function(target).is_none_or(|span| !span.has_body) {
            let name = self.function_name(target);
            return Err(format!("function {name} is imported, and no module defines it").into());
        }
        let signature = self.signature(target)?;
        let text = format!(
            "bitcast ({signature}* @{} to i8*)",
            self.function_symbol((target, self.reach.address_size()))
        );
        Ok(Constant::from_text(ty, text))
    }

    /// Writes a variable, and returns its address.
    fn variable(&mut self, inst: &Inst<'_>, names: &mut Names) -> Result<Constant> {
        let (ty, id, class) = (inst.operand(0), inst.operand(1), inst.storage_class());
        if class == Some(StorageClass::Input) {
            return Err("an input variable without a BuiltIn decoration is not supported".into());
        }
        let linkage = self.linkage(id);
        let symbol = match &linkage {
            Some((name, _)) if class != Some(StorageClass::Workgroup) => {
                names.visible(name, names::variable(id))
            }
            _ => names::variable(id),
        };
        let initializer = inst.operands.get(3).copied();
        let (space, pointee) = self.types.pointer(ty)?;
        let boxed =
            matches!(self.types.kind(pointee), Ok(TypeKind::Pointer { space: AddressSpace::Shared, .. }));
        let own = self.types.text(pointee)?;
        let written = if boxed { format!("{{ {own} }}") } else { self.types.written(pointee)? };
        let text = if written == own {
            format!("@{symbol}")
        } else {
            format!("bitcast ({} @{symbol} to {})", space.pointer_to(&written), self.types.text(ty)?)
        };
        let variable = Variable { id, symbol, ty, class, initializer, linkage, boxed, written };
        let (definition, host) = self.variable_definition(&variable)?;
        self.variables.push_str(&definition);
        self.globals.extend(host);
        Ok(Constant::from_text(ty, text))
    }

    /// Returns the symbol of a function.
    pub(crate) fn function_symbol(&self, (id, size): SizedFunction) -> String {
        let exported = self.exports.get(&id).filter(|_| self.is_exported((id, size)));
        exported.cloned().unwrap_or_else(|| names::function(id, size))
    }

    /// Returns whether a function keeps its name for other modules.
    pub(crate) fn is_exported(&self, (id, size): SizedFunction) -> bool {
        size == SubgroupSize::Warp && self.exports.contains_key(&id)
    }

    /// Returns the name of a function for messages.
    pub(crate) fn function_name(&self, id: u32) -> String {
        let entry = self.entry_of(id).map(|entry| entry.name.clone());
        let linkage = || self.linkage(id).map(|(name, _)| name);
        entry.or_else(linkage).or_else(|| self.index.name(id)).unwrap_or_else(|| format!("%{id}"))
    }
}

/// Returns whether an `OpExecutionMode` has this mode.
fn is_mode(inst: &Inst<'_>, mode: ExecutionMode) -> bool {
    inst.opcode == Op::ExecutionMode && inst.operand(1) == mode as u32
}

/// Describes an instruction briefly, by its name and the id of its result.
pub(crate) fn describe(inst: &Inst<'_>) -> String {
    use sycl_pi_image::spirv::grammar;
    let name = grammar::name(inst.raw_opcode)
        .map_or_else(|| inst.raw_opcode.to_string(), |name| format!("Op{name}"));
    match grammar::result(inst) {
        Some(id) => format!("{name} %{id}"),
        None => name,
    }
}
