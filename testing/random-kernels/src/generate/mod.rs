//! Generates kernels, each from a seed and a number.
//!
//! Nothing in them is undefined. Shift counts and indices are masked, divisors are not zero, and numbers fit before
//! they are converted. Work-items write to separate addresses or atomically, and barriers are only where all work-items
//! arrive. Inexact results are stored at once, with the error that OpenCL allows, and are never used in computations.

mod approximate;
mod atomics;
mod control;
mod convert;
mod exact;
mod functions;
mod groups;
mod local;
mod memory;
mod sinks;
pub(crate) mod structures;
mod template;
mod values;

use std::fmt::Write;

use testing_nvvm::Random;

use crate::declarations::Declarations;
use crate::kernel::{Approximate, Kernel, Parameter, Shape};
use crate::node::{Node, Replaced};
use crate::types::{Kind, Ty};

/// A value that later statements can use.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) id: String,
    pub(crate) ty: Ty,
    /// Whether all work-items of a work-group have the same value.
    pub(crate) uniform: bool,
    /// The number of uses.
    uses: usize,
}

/// A generator for a kernel, or for one of its functions.
pub(crate) struct Generator {
    random: Random,
    declarations: Declarations,
    /// The prefix of the kernel's ids, and their number.
    prefix: String,
    ids: usize,
    nodes: usize,
    values: Vec<Value>,
    /// The blocks around the next statement, with the innermost last.
    blocks: Vec<Vec<Node>>,
    /// Whether this kernel has a barrier of the work-group somewhere.
    meets: bool,
    /// Whether all work-items of a work-group arrive here together.
    together: bool,
    /// Whether this is a function without access to the kernel's arguments.
    in_function: bool,
    /// The function's variables.
    variables: String,
    functions: Vec<crate::kernel::Function>,
    /// Kinds of numbers that this kernel prefers.
    kinds: Vec<Kind>,
    shape: Shape,
    approximate: Vec<Approximate>,
    /// The number of words that atomic operations of the whole launch have changed.
    shared_words: usize,
}

/// Returns the random state for a kernel, such that consecutive kernels have nothing in common.
fn random_for(seed: u64, index: u64) -> Random {
    let mut mixed = Random::new(seed.rotate_left(32) ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    Random::new(mixed.number() ^ seed)
}

/// Generates the kernel of a seed and a number.
pub(crate) fn kernel(seed: u64, index: u64) -> Kernel {
    let mut random = random_for(seed, index);
    let shape = shape(&mut random, has_sub_groups(index));
    let meets = has_sub_groups(index) || random.below(3) > 0;
    let mut generator = Generator {
        random,
        declarations: Declarations::default(),
        prefix: format!("%k{index}."),
        ids: 0,
        nodes: 0,
        values: Vec::new(),
        blocks: vec![Vec::new()],
        meets,
        together: meets,
        in_function: false,
        variables: String::new(),
        functions: Vec::new(),
        kinds: Vec::new(),
        shape,
        approximate: Vec::new(),
        shared_words: 0,
    };
    generator.kinds = (0..3).map(|_| generator.any_kind()).collect();
    generator.whole(index)
}

/// The number of consecutive kernels with the same result of [`has_sub_groups`].
pub(crate) const ALIKE: u64 = 32;

/// Returns whether a kernel requires sub-groups of a size. Intel's compiler then makes a vector of each value, so these
/// kernels get fewer values.
pub(crate) fn has_sub_groups(index: u64) -> bool {
    index / ALIKE % 8 == 7
}

/// If a sub-group size is required, work-groups consist of whole sub-groups.
fn shape(random: &mut Random, has_sub_groups: bool) -> Shape {
    let sub_group = has_sub_groups.then(|| [8, 8, 8, 16, 16, 32][random.below(6)]);
    let local = match (sub_group, random.below(5)) {
        (None, 0) => [4, 3, 2],
        (None, 1) => [8, 5, 1],
        (None, _) => [[1, 7, 16, 32, 64, 96][random.below(6)], 1, 1],
        (Some(size), 0) => [size, 2, 1],
        (Some(size), _) => [size * (1 + random.below(64 / size)), 1, 1],
    };
    let groups = [[1, 1, 1], [2, 1, 1], [3, 1, 1], [1, 2, 1], [1, 1, 2]][random.below(5)];
    let offset = if random.below(4) == 0 { [5, 3, 9] } else { [0; 3] };
    Shape { local, groups, offset, sub_group }
}

impl Generator {
    /// Returns a new id.
    fn id(&mut self) -> String {
        self.ids += 1;
        format!("{}{}", self.prefix, self.ids)
    }

    /// Appends a statement to the innermost block.
    fn push(&mut self, pieces: Vec<String>, blocks: Vec<Vec<Node>>, results: &[(String, Ty)]) {
        let results = results
            .iter()
            .map(|(id, ty)| Replaced {
                id: id.clone(),
                ty: self.declarations.ty(*ty),
                zero: self.declarations.constant(*ty, 0),
            })
            .collect();
        self.nodes += 1;
        let node = Node { number: self.nodes, pieces, blocks, filled: String::new(), results };
        if let Some(block) = self.blocks.last_mut() {
            block.push(node);
        }
    }

    /// Appends a statement that writes to a variable of which later ones read any part. If it is dropped, `zeros` fills
    /// the variable.
    fn fill(&mut self, text: String, zeros: String) {
        self.push(vec![text], Vec::new(), &[]);
        if let Some(node) = self.blocks.last_mut().and_then(|block| block.last_mut()) {
            node.filled = zeros;
        }
    }

    /// Appends a statement without nested ones, and makes its result known.
    fn define(&mut self, id: String, ty: Ty, uniform: bool, text: String) -> Value {
        self.push(vec![text], Vec::new(), &[(id.clone(), ty)]);
        self.know(id, ty, uniform)
    }

    fn know(&mut self, id: String, ty: Ty, uniform: bool) -> Value {
        let value = Value { id, ty, uniform, uses: 0 };
        self.values.push(value.clone());
        value
    }

    /// Creates a variable of the function from a type's id.
    fn variable(&mut self, ty: &str) -> String {
        let (id, pointer) = (self.id(), self.declarations.pointer("Function", ty));
        let _ = writeln!(self.variables, "{id} = OpVariable {pointer} Function");
        id
    }

    /// Generates one or several statements of any kind that is allowed here.
    fn statement(&mut self, depth: usize) {
        match self.random.below(100) {
            0..22 => self.integer(),
            22..38 => self.floating(),
            38..46 => self.comparison(),
            46..56 => self.conversion(),
            56..64 => self.vector(),
            64..69 if !self.in_function => self.load_input(),
            69..72 => self.private_array(),
            72..74 => self.structure(),
            74 if !self.in_function => match self.random.below(2) {
                0 => self.table(),
                _ => self.either(),
            },
            75..81 if depth < 3 => self.control(depth),
            81..83 if !self.in_function => self.call(),
            83..86 if !self.in_function => self.atomic(),
            86..88 if !self.in_function => self.approximate(),
            88..92 if self.together && !self.in_function => self.local(),
            92..98 if self.together && !self.in_function => self.group(),
            98..100 if !self.in_function => self.identifier(),
            _ => self.integer(),
        }
    }

    fn whole(mut self, index: u64) -> Kernel {
        let parameters = self.parameters();
        let head = self.head(index, &parameters);
        let statements = 4 + self.random.below(if self.shape.sub_group.is_some() { 6 } else { 10 });
        for _ in 0..statements {
            self.statement(0);
        }
        let slots = self.sinks();
        Kernel {
            index,
            declarations: self.declarations,
            head,
            variables: self.variables,
            functions: self.functions,
            nodes: self.blocks.pop().unwrap_or_default(),
            shape: self.shape,
            parameters,
            slots,
            approximate: self.approximate,
        }
    }

    /// Returns the parameters after the buffers, which are passed by value.
    fn parameters(&mut self) -> Vec<Parameter> {
        (0..self.random.below(4))
            .map(|_| {
                let kind = self.any_kind();
                let ty = Ty::scalar(kind).with_lanes([1, 1, 2, 4][self.random.below(4)]);
                let bytes = (0..ty.bytes()).map(|_| self.random.number() as u8).collect();
                Parameter { id: self.id(), ty, bytes }
            })
            .collect()
    }

    /// Returns the kernel up to its variables, and the identifiers that later text uses.
    fn head(&mut self, index: u64, parameters: &[Parameter]) -> [String; 2] {
        let (bytes, words) = (
            self.declarations.pointer_to("CrossWorkgroup", Ty::scalar(Kind::Int(8))),
            self.declarations.pointer_to("CrossWorkgroup", Ty::ULONG),
        );
        let prefix = self.prefix.clone();
        let own = |name: &str| format!("{prefix}{name}");
        let mut typed = vec![(bytes, own("in"))];
        typed.extend(["out", "near", "shared", "own"].map(|name| (words.clone(), own(name))));
        typed.push((self.declarations.pointer_to("Workgroup", Ty::scalar(Kind::Int(8))), own("local")));
        typed.push((self.structure_argument(), own("by_value")));
        for parameter in parameters {
            typed.push((self.declarations.ty(parameter.ty), parameter.id.clone()));
            self.know(parameter.id.clone(), parameter.ty, true);
        }
        self.declarations.line("%void = OpTypeVoid".to_owned());
        let types: Vec<String> = typed.iter().map(|(ty, _)| ty.clone()).collect();
        let function = format!("%kernel_{}", types.join("_").replace('%', ""));
        self.declarations.line(format!("{function} = OpTypeFunction %void {}", types.join(" ")));
        let mut text = format!("%k{index} = OpFunction %void None {function}\n");
        for (ty, id) in typed {
            let _ = writeln!(text, "{id} = OpFunctionParameter {ty}");
        }
        let _ = writeln!(text, "{} = OpLabel", self.named("entry"));
        [text, self.places() + &self.members()]
    }

    /// Returns an id with a name.
    fn named(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Computes the work-item's number in the launch, `%k.g`, and in its work-group, `%k.l`, both with 64 bits.
    fn places(&mut self) -> String {
        let three = Ty::ULONG.with_lanes(3);
        let (global, local) = (
            self.declarations.builtin("GlobalInvocationId", three),
            self.declarations.builtin("LocalInvocationId", three),
        );
        let (v3, ulong) = (self.declarations.ty(three), self.declarations.ty(Ty::ULONG));
        let (sizes, offset, local_sizes) = (self.shape.global(), self.shape.offset, self.shape.local);
        let mut text = String::new();
        for (name, from, offsets, sizes) in [("g", global, offset, sizes), ("l", local, [0; 3], local_sizes)]
        {
            let id = self.named(name);
            let _ = writeln!(text, "{id}.v = OpLoad {v3} {from} Aligned 32");
            let mut factor = 1;
            let mut sum = self.declarations.constant(Ty::ULONG, 0);
            for axis in 0..3 {
                let (back, by) = (
                    self.declarations.constant(Ty::ULONG, offsets[axis] as u64),
                    self.declarations.constant(Ty::ULONG, factor as u64),
                );
                let result = if axis == 2 { id.clone() } else { format!("{id}.s{axis}") };
                let _ = writeln!(text, "{id}.e{axis} = OpCompositeExtract {ulong} {id}.v {axis}");
                let _ = writeln!(text, "{id}.d{axis} = OpISub {ulong} {id}.e{axis} {back}");
                let _ = writeln!(text, "{id}.m{axis} = OpIMul {ulong} {id}.d{axis} {by}");
                let _ = writeln!(text, "{result} = OpIAdd {ulong} {sum} {id}.m{axis}");
                sum = result;
                factor *= sizes[axis];
            }
        }
        for name in ["g", "l"] {
            let id = self.named(name);
            self.know(id, Ty::ULONG, false);
        }
        text
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use testing_nvvm::assemble;

    use super::*;
    use crate::kernel::module;
    use crate::node::Dropped;

    /// A device without half precision cannot build such a kernel.
    #[test]
    fn a_kernel_needs_half_precision_if_its_module_has_it() {
        let nothing = Dropped::new();
        let has_half = |text: &str| text.contains("OpTypeFloat 16");
        let kernels: Vec<_> = (0..100).map(|index| kernel(50, index)).collect();
        for kernel in &kernels {
            assert_eq!(kernel.needs_half(), has_half(&module(&[(kernel, &nothing)])), "{}", kernel.index);
        }
        // Nothing uses the halves of 67.
        assert!(kernels[67].needs_half() && !has_half(&kernels[67].text(&nothing)));
    }

    #[test]
    fn a_seed_and_a_number_give_one_kernel() {
        let text = |seed, index| module(&[(&kernel(seed, index), &Dropped::new())]);
        assert_eq!(text(1, 5), text(1, 5));
        let different: BTreeSet<String> = (0..60).map(|index| text(1 + index % 3, index / 3)).collect();
        assert_eq!(different.len(), 60);
    }

    #[test]
    fn kernels_are_valid_with_any_statements_left_out() {
        for index in (0..ALIKE * 8).step_by(5) {
            let kernel = kernel(3, index);
            let statements = kernel.statements();
            for every in [0, 2, 3] {
                let dropped =
                    statements.iter().copied().filter(|number| every > 0 && number % every == 0).collect();
                let text = module(&[(&kernel, &dropped)]);
                if let Err(error) = assemble(&text) {
                    panic!("kernel {index}: {error:#}");
                }
                let missing: Vec<&str> = undefined(&text);
                assert!(missing.is_empty(), "kernel {index} without every {every}th: {missing:?}\n{text}");
            }
        }
    }

    /// Otherwise, what a driver makes of memory that nothing was stored in would pass for its fault.
    #[test]
    fn a_variable_is_written_before_it_is_read_with_any_statement_left_out() {
        for index in (0..ALIKE * 8).step_by(5) {
            let kernel = kernel(3, index);
            for number in kernel.statements() {
                let text = module(&[(&kernel, &Dropped::from([number]))]);
                let read = read_first(&text);
                assert!(read.is_empty(), "kernel {index} without {number}: {read:?}\n{text}");
            }
        }
    }

    /// Returns the variables in private memory whose first use is not a store.
    fn read_first(text: &str) -> Vec<&str> {
        let mut variables: BTreeMap<&str, &str> = BTreeMap::new();
        let (mut written, mut read) = (BTreeSet::new(), Vec::new());
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let of = |at: usize| words.get(at).and_then(|id| variables.get(id)).copied();
            match words.as_slice() {
                [id, "=", "OpVariable", _, "Function"] => drop(variables.insert(id, id)),
                [
                    id,
                    "=",
                    "OpPtrCastToGeneric" | "OpBitcast" | "OpAccessChain" | "OpInBoundsAccessChain",
                    ..,
                ] => {
                    let variable = of(4);
                    variables.extend(variable.map(|variable| (*id, variable)));
                }
                ["OpStore", ..] => written.extend(of(1)),
                ["OpCopyMemory" | "OpCopyMemorySized", ..] => {
                    read.extend(of(2).filter(|variable| !written.contains(variable)));
                    written.extend(of(1));
                }
                [_, "=", "OpLoad", ..] => read.extend(of(4).filter(|variable| !written.contains(variable))),
                [_, "=", "OpExtInst", ..] => written.extend((5..words.len()).filter_map(of)),
                _ => {}
            }
        }
        read
    }

    /// Returns ids without a definition.
    fn undefined(text: &str) -> Vec<&str> {
        let defined: BTreeSet<&str> =
            text.lines().filter_map(|line| Some(line.split_once(" = ")?.0.trim())).collect();
        let code = text.lines().filter(|line| !line.starts_with("OpDecorate"));
        code.flat_map(str::split_whitespace)
            .filter(|word| word.starts_with('%') && !defined.contains(word))
            .collect()
    }

    #[test]
    fn what_the_wild_has_occurs() {
        let mut words = BTreeSet::new();
        for index in 0..ALIKE * 16 {
            let text = module(&[(&kernel(9, index), &Dropped::new())]);
            words.extend(text.split_whitespace().map(str::to_owned));
        }
        let expected = [
            "OpAtomicCompareExchange",
            "OpControlBarrier",
            "OpConvertFToS",
            "OpCopyMemorySized",
            "OpFunctionCall",
            "OpGroupIAdd",
            "OpGroupNonUniformBallot",
            "OpLoopMerge",
            "OpPtrCastToGeneric",
            "OpSMod",
            "OpSubgroupShuffleINTEL",
            "OpSwitch",
            "OpVectorInsertDynamic",
            "SaturatedConversion",
            "UniformConstant",
            "sinpi",
            "u_mad_hi",
            "vloadn",
        ];
        let missing: Vec<&str> = expected.into_iter().filter(|word| !words.contains(*word)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
