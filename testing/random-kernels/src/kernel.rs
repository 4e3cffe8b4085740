//! A kernel with everything needed to run it: text, sizes, arguments.

use regex::Regex;
use testing_nvvm::Random;

use crate::declarations::Declarations;
use crate::node::{Dropped, Node, without_unused};
use crate::types::{Kind, Ty};

/// The members of the structure that each kernel takes by value, and its size.
pub(crate) const ARGUMENT: [Ty; 4] =
    [Ty::scalar(Kind::Int(8)), Ty::UINT, Ty { kind: Kind::Float(32), lanes: 4 }, Ty::ULONG];
pub(crate) const ARGUMENT_BYTES: usize = 48;

/// The size of the input, which work-items read anywhere.
pub(crate) const INPUT_BYTES: usize = 4096;
/// The maximum number of words that the work-items of the launch change together.
pub(crate) const SHARED_WORDS: usize = 16;
/// The number of each work-item's own words, which it changes atomically.
pub(crate) const OWN_WORDS: usize = 4;
/// The maximum number of inexact results of a work-item.
pub(crate) const NEAR: usize = 2;

/// The size of a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) local: [usize; 3],
    pub(crate) groups: [usize; 3],
    pub(crate) offset: [usize; 3],
    /// The size of sub-groups that the kernel requires.
    pub(crate) sub_group: Option<usize>,
}

impl Shape {
    pub(crate) fn global(&self) -> [usize; 3] {
        [0, 1, 2].map(|axis| self.local[axis] * self.groups[axis])
    }

    /// Returns the number of work-items in a work-group.
    pub(crate) fn items(&self) -> usize {
        self.local.iter().product()
    }

    /// Returns the number of work-items in the launch.
    pub(crate) fn launched(&self) -> usize {
        self.items() * self.groups.iter().product::<usize>()
    }
}

/// An argument that is passed by value.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) id: String,
    pub(crate) ty: Ty,
    pub(crate) bytes: Vec<u8>,
}

/// A function that the kernel calls.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) id: String,
    pub(crate) head: String,
    pub(crate) variables: String,
    pub(crate) nodes: Vec<Node>,
    pub(crate) end: String,
}

/// An inexact result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approximate {
    /// The name of OpenCL.std's function.
    pub(crate) name: &'static str,
    pub(crate) is_float: bool,
    /// OpenCL's limit, in units in the last place.
    pub(crate) limit: f64,
}

/// A kernel.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) index: u64,
    pub(crate) declarations: Declarations,
    /// The text before its variables, and the text after them.
    pub(crate) head: [String; 2],
    pub(crate) variables: String,
    pub(crate) functions: Vec<Function>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) shape: Shape,
    pub(crate) parameters: Vec<Parameter>,
    /// The number of words that each work-item stores.
    pub(crate) slots: usize,
    pub(crate) approximate: Vec<Approximate>,
}

/// The text at the start of every module.
const HEAD: &str = "OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Vector16
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability Float16
OpCapability Float64
OpCapability GenericPointer
OpCapability Groups
OpCapability Int64Atomics
OpCapability SubgroupDispatch
OpCapability GroupNonUniform
OpCapability GroupNonUniformVote
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformShuffleRelative
OpCapability SubgroupShuffleINTEL
OpCapability SubgroupBufferBlockIOINTEL
OpExtension \"SPV_INTEL_subgroups\"
%cl = OpExtInstImport \"OpenCL.std\"
OpMemoryModel Physical64 OpenCL
";

/// Returns the text of a module with these kernels.
pub(crate) fn module(kernels: &[(&Kernel, &Dropped)]) -> String {
    let (mut declarations, mut modes, mut functions) =
        (Declarations::default(), String::new(), String::new());
    for (kernel, dropped) in kernels {
        declarations.merge(&kernel.declarations);
        modes += &kernel.modes();
        functions += &kernel.body(dropped);
    }
    let declarations = declarations.lines().join("\n");
    format!("{HEAD}{modes}{declarations}\n{functions}")
}

impl Kernel {
    /// Returns its name.
    pub(crate) fn name(&self) -> String {
        format!("k{}", self.index)
    }

    fn modes(&self) -> String {
        let name = self.name();
        let inputs: Vec<&str> = self.declarations.inputs().collect();
        let mut text = format!(
            "OpEntryPoint Kernel %{name} \"{name}\" {}\nOpExecutionMode %{name} ContractionOff\n",
            inputs.join(" ")
        );
        if let Some(size) = self.shape.sub_group {
            text += &format!("OpExecutionMode %{name} SubgroupSizeMode {size}\n");
        }
        text
    }

    /// Returns its functions and itself.
    fn body(&self, dropped: &Dropped) -> String {
        let mut kernel = format!("{}{}{}", self.head[0], self.variables, self.head[1]);
        self.nodes.iter().for_each(|node| node.write(dropped, &mut kernel));
        kernel += "OpReturn\nOpFunctionEnd\n";
        let mut text = String::new();
        for function in &self.functions {
            if kernel.split_whitespace().any(|word| word == function.id) {
                text = text + &function.head + &function.variables;
                function.nodes.iter().for_each(|node| node.write(dropped, &mut text));
                text += &function.end;
            }
        }
        text + &kernel
    }

    /// Returns only its own text, without unused parts.
    pub(crate) fn text(&self, dropped: &Dropped) -> String {
        without_unused(&module(&[(self, dropped)]))
    }

    /// Returns whether it computes in half precision, even if nothing uses the result.
    pub(crate) fn needs_half(&self) -> bool {
        self.declarations.lines().iter().any(|line| line.ends_with("= OpTypeFloat 16"))
    }

    /// Returns the numbers of statements with a line that an expression matches.
    pub(crate) fn statements_with(&self, pattern: &Regex) -> Dropped {
        let mut numbers = Dropped::new();
        let functions = self.functions.iter().flat_map(|function| &function.nodes);
        self.nodes.iter().chain(functions).for_each(|node| node.matching(pattern, &mut numbers));
        numbers
    }

    /// Returns the numbers of all statements, outer ones and later ones first.
    pub(crate) fn statements(&self) -> Vec<usize> {
        let mut numbers = Vec::new();
        self.nodes.iter().rev().for_each(|node| node.numbers(&mut numbers));
        self.functions
            .iter()
            .flat_map(|function| &function.nodes)
            .for_each(|node| node.numbers(&mut numbers));
        numbers
    }

    /// Returns the size of its local memory argument: the largest element for each work-item.
    pub(crate) fn local_bytes(&self) -> usize {
        self.shape.items() * 128
    }

    /// Returns the bytes of the structure that it takes by value.
    pub(crate) fn structure(&self, seed: u64) -> Vec<u8> {
        let mut random = Random::new(seed ^ !self.index);
        (0..ARGUMENT_BYTES).map(|_| random.number() as u8).collect()
    }

    /// Returns the initial content of its buffers: the input, the results, the inexact results, words that all change,
    /// own words.
    pub(crate) fn buffers(&self, seed: u64) -> [Vec<u8>; 5] {
        let mut random = Random::new(seed ^ self.index.wrapping_mul(0xbf58_476d_1ce4_e5b9));
        let mut words =
            |count: usize| (0..count).flat_map(|_| word(&mut random).to_le_bytes()).collect::<Vec<u8>>();
        let items = self.shape.launched();
        let (input, shared, own) = (words(INPUT_BYTES / 8), words(SHARED_WORDS), words(OWN_WORDS * items));
        [
            input,
            vec![0; (self.slots * items).max(1) * 8],
            vec![0; (self.approximate.len() * items).max(1) * 8],
            shared,
            own,
        ]
    }
}

/// Returns a word of a random kind: random bits, small numbers, floating-point numbers of each size, limits.
fn word(random: &mut Random) -> u64 {
    let bits = random.number();
    match random.below(8) {
        0 | 1 => bits,
        2 => bits & 0x0f,
        3 => (f64::from(bits as i32) / 65536.0).to_bits(),
        4 => {
            let both = [bits as i32, (bits >> 32) as i32].map(|half| (half as f32 / 1048576.0).to_bits());
            u64::from(both[0]) | u64::from(both[1]) << 32
        }
        // Four halves between 2^-8 and 2^8.
        5 => bits & 0x83ff_83ff_83ff_83ff | (0x1c00_1c00_1c00_1c00 + (bits >> 20 & 0x0c00_0c00_0c00_0c00)),
        6 => 0xffff_0001_8000_7fff_u64.rotate_left((bits % 64) as u32),
        _ => [0x7ff0 << 48, 0x7f80_0000_ff80_0000, 0x7c00_fc00_8000_0001, 1 << 63][(bits % 4) as usize],
    }
}
