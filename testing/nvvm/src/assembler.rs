//! Assembles SPIR-V from text in the specification's notation, with one instruction in each line: `%sum = OpIAdd
//! %uint %a %b`. A semicolon starts a comment.

use std::collections::{HashMap, HashSet};

use anyhow::{Context, Result, bail, ensure};
use sycl_pi_image::spirv::{Op, grammar};

use crate::names::{OPCODES, number};

/// The state of the assembly of a module.
#[derive(Default)]
struct Assembler {
    ids: HashMap<String, u32>,
    defined: HashSet<u32>,
    /// Ids used by instructions other than names and decorations, which may refer to something that a random kernel
    /// leaves out.
    used: HashSet<u32>,
    /// The bits of number types, and whether they are floating-point.
    types: HashMap<u32, (u32, bool)>,
    /// Instructions with the section that they belong to.
    instructions: Vec<(u8, Vec<u32>)>,
}

/// Assembles a module. Declarations may be in any order of sections. Functions come last.
///
/// # Errors
///
/// Fails for a line that is not an instruction, with its text, and for an undefined name.
pub fn assemble(text: &str) -> Result<Vec<u8>> {
    let mut assembler = Assembler::default();
    let mut inside = false;
    for line in text.lines().map(|line| line.split(';').next().unwrap_or_default().trim()) {
        if line.is_empty() {
            continue;
        }
        let (opcode, words) = assembler.instruction(line).with_context(|| line.to_owned())?;
        inside |= opcode == Op::Function;
        let section = if inside { 10 } else { section(opcode) };
        assembler.instructions.push((section, words));
    }
    if let Some((name, _)) =
        assembler.ids.iter().find(|(_, id)| assembler.used.contains(id) && !assembler.defined.contains(id))
    {
        bail!("nothing defines %{name}");
    }
    assembler.instructions.sort_by_key(|(section, _)| *section);
    let bound = assembler.ids.len() as u32 + 1;
    let mut words = vec![0x0723_0203, 0x0001_0400, 0, bound, 0];
    words.extend(assembler.instructions.into_iter().flat_map(|(_, words)| words));
    Ok(words.into_iter().flat_map(u32::to_le_bytes).collect())
}

/// Returns the position of an instruction's section in a module.
fn section(opcode: Op) -> u8 {
    match opcode {
        Op::Capability => 0,
        Op::Extension => 1,
        Op::ExtInstImport => 2,
        Op::MemoryModel => 3,
        Op::EntryPoint => 4,
        Op::ExecutionMode | Op::ExecutionModeId => 5,
        Op::String | Op::Source => 6,
        Op::Name | Op::MemberName => 7,
        Op::Decorate | Op::MemberDecorate | Op::DecorateId | Op::DecorateString => 8,
        _ => 9,
    }
}

impl Assembler {
    fn id(&mut self, name: &str) -> u32 {
        let next = self.ids.len() as u32 + 1;
        *self.ids.entry(name.to_owned()).or_insert(next)
    }

    fn instruction(&mut self, line: &str) -> Result<(Op, Vec<u32>)> {
        let mut tokens = tokens(line)?;
        let result = match tokens.get(1).map(String::as_str) {
            Some("=") => Some(tokens.drain(..2).next().unwrap_or_default()),
            _ => None,
        };
        let name = if tokens.is_empty() { String::new() } else { tokens.remove(0) };
        let opcode = *OPCODES.get(&name).with_context(|| format!("{name} is no instruction"))?;
        let (typed, has_result) = grammar::results(opcode);
        ensure!(has_result == result.is_some(), "whether there is a result");
        let mut words = vec![0];
        let mut operands = tokens.iter();
        if typed {
            let ty = operands.next().context("the type is missing")?;
            let id = self.id(ty.strip_prefix('%').context("the type is no id")?);
            self.used.insert(id);
            words.push(id);
        }
        if let Some(result) = &result {
            let id = self.id(result.strip_prefix('%').context("the result is no id")?);
            self.defined.insert(id);
            words.push(id);
        }
        // The numbers of these instructions have the width of a type.
        let width = match opcode {
            Op::Constant | Op::SpecConstant => words.get(1).and_then(|ty| self.types.get(ty)).copied(),
            _ => None,
        };
        let is_note = matches!(section(opcode), 7 | 8);
        for operand in operands {
            let Some(name) = operand.strip_prefix('%') else {
                literal(operand, width, &mut words)?;
                continue;
            };
            let id = self.id(name);
            words.push(id);
            if !is_note {
                self.used.insert(id);
            }
        }
        match (opcode, words.as_slice()) {
            (Op::TypeInt, &[_, id, bits, _]) => drop(self.types.insert(id, (bits, false))),
            (Op::TypeFloat, &[_, id, bits]) => drop(self.types.insert(id, (bits, true))),
            // For other encodings the bits are given.
            (Op::TypeFloat, &[_, id, bits, _]) => drop(self.types.insert(id, (bits, false))),
            _ => {}
        }
        let length = words.len() as u32;
        if let Some(first) = words.first_mut() {
            *first = length << 16 | opcode as u32;
        }
        Ok((opcode, words))
    }
}

/// Adds the words of an operand that is not an id: a string, or a number of that width.
fn literal(operand: &str, width: Option<(u32, bool)>, words: &mut Vec<u32>) -> Result<()> {
    if let Some(text) = operand.strip_prefix('"') {
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize(text.len() / 4 * 4 + 4, 0);
        let (chunks, _) = bytes.as_chunks::<4>();
        words.extend(chunks.iter().map(|chunk| u32::from_le_bytes(*chunk)));
    } else if let Some(value) = number(operand).filter(|_| width.is_none()) {
        words.push(value);
    } else {
        let (bits, float) = width.unwrap_or((32, false));
        let value = match (float && !operand.starts_with("0x"), bits) {
            (true, 64) => operand.parse::<f64>()?.to_bits(),
            (true, 32) => u64::from(operand.parse::<f32>()?.to_bits()),
            (true, _) => bail!("a half is given by its bits"),
            (false, _) => integer(operand)?,
        };
        words.push(value as u32);
        if bits > 32 {
            words.push((value >> 32) as u32);
        }
    }
    Ok(())
}

fn integer(text: &str) -> Result<u64> {
    Ok(match (text.strip_prefix("0x"), text.starts_with('-')) {
        (Some(digits), _) => u64::from_str_radix(digits, 16)?,
        (None, true) => text.parse::<i64>()?.cast_unsigned(),
        (None, false) => text.parse::<u64>().with_context(|| format!("{text} is no number"))?,
    })
}

/// Splits a line into words. A string in quotation marks is one word, without the closing mark.
fn tokens(line: &str) -> Result<Vec<String>> {
    let mut tokens = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let quoted = rest.starts_with('"');
        let end = match quoted {
            true => rest.get(1..).and_then(|inner| inner.find('"')).context("the text does not end")? + 1,
            false => rest.find(char::is_whitespace).unwrap_or(rest.len()),
        };
        tokens.push(rest.get(..end).unwrap_or_default().to_owned());
        rest = rest.get(end + usize::from(quoted)..).unwrap_or_default().trim_start();
    }
    Ok(tokens)
}

/// Types and constants of every test: `%uint`, `%p_uint` (global memory), `%u_7`, `%i_true` and so on.
const COMMON: &str = "
OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Int64
%cl = OpExtInstImport \"OpenCL.std\"
OpMemoryModel Physical64 OpenCL
%void = OpTypeVoid
%bool = OpTypeBool
%uchar = OpTypeInt 8 0
%ushort = OpTypeInt 16 0
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%v2uint = OpTypeVector %uint 2
%v4uint = OpTypeVector %uint 4
%v3ulong = OpTypeVector %ulong 3
%v2float = OpTypeVector %float 2
%v4float = OpTypeVector %float 4
%p_uchar = OpTypePointer CrossWorkgroup %uchar
%p_ushort = OpTypePointer CrossWorkgroup %ushort
%p_uint = OpTypePointer CrossWorkgroup %uint
%p_ulong = OpTypePointer CrossWorkgroup %ulong
%p_half = OpTypePointer CrossWorkgroup %half
%p_float = OpTypePointer CrossWorkgroup %float
%p_double = OpTypePointer CrossWorkgroup %double
%p_v4uint = OpTypePointer CrossWorkgroup %v4uint
%p_v4float = OpTypePointer CrossWorkgroup %v4float
%s_uint = OpTypePointer Workgroup %uint
%g_uint = OpTypePointer Generic %uint
%f_uint = OpTypePointer Function %uint
%true = OpConstantTrue %bool
%false = OpConstantFalse %bool
%u_0 = OpConstant %uint 0
%u_1 = OpConstant %uint 1
%u_2 = OpConstant %uint 2
%u_3 = OpConstant %uint 3
%u_4 = OpConstant %uint 4
%u_7 = OpConstant %uint 7
%u_16 = OpConstant %uint 16
%u_31 = OpConstant %uint 31
%u_32 = OpConstant %uint 32
%u_100 = OpConstant %uint 100
%l_0 = OpConstant %ulong 0
%l_1 = OpConstant %ulong 1
%l_2 = OpConstant %ulong 2
; scopes
%device = OpConstant %uint 1
%group = OpConstant %uint 2
%subgroup = OpConstant %uint 3
; memory semantics
%relaxed = OpConstant %uint 0x380
%acq_rel = OpConstant %uint 0x308
%seq_cst = OpConstant %uint 0x310
%p_v3ulong = OpTypePointer Input %v3ulong
%p_in_uint = OpTypePointer Input %uint
%id = OpVariable %p_v3ulong Input
%lane = OpVariable %p_in_uint Input
OpDecorate %id BuiltIn LocalInvocationId
OpDecorate %lane BuiltIn SubgroupLocalInvocationId
";

/// Assembles a module with the common types and one kernel `k`, whose code can use `%x`, `%y` and `%z`, the local
/// id as `%uint`, and `%l`, which is `%x` as `%ulong`. `parameters` are `%type %name` pairs separated by commas.
///
/// # Errors
///
/// Those of [`assemble`].
pub fn kernel(declarations: &str, parameters: &str, code: &str) -> Result<Vec<u8>> {
    let parameters: Vec<(&str, &str)> = parameters
        .split(',')
        .filter_map(|parameter| parameter.trim().split_once(' '))
        .map(|(ty, name)| (ty, name.trim()))
        .collect();
    let types: Vec<&str> = parameters.iter().map(|(ty, _)| *ty).collect();
    let mut text = format!("{COMMON}\nOpEntryPoint Kernel %k \"k\"\n{declarations}\n");
    text +=
        &format!("%k.type = OpTypeFunction %void {}\n%k = OpFunction %void None %k.type\n", types.join(" "));
    for (ty, name) in &parameters {
        text += &format!("{name} = OpFunctionParameter {ty}\n");
    }
    text += "%entry = OpLabel\n%k.id = OpLoad %v3ulong %id Aligned 32\n";
    text += "%l = OpCompositeExtract %ulong %k.id 0\n%x = OpUConvert %uint %l\n";
    text += "%k.y = OpCompositeExtract %ulong %k.id 1\n%y = OpUConvert %uint %k.y\n";
    text += "%k.z = OpCompositeExtract %ulong %k.id 2\n%z = OpUConvert %uint %k.z\n";
    text += code;
    if !code.contains("OpFunctionEnd") {
        text += "\nOpReturn\nOpFunctionEnd\n";
    }
    assemble(&text)
}
