//! The parts of SPIR-V that every backend which accepts it must inspect: whether the module is complete, and what it
//! exports.
//!
//! Compilers in drivers terminate the process on some malformed modules and treat others as empty. Neither kind may
//! reach them.

mod grammar;

use std::collections::{HashMap, HashSet};

use sycl_pi_spirv::read::{self, HEADER};
use sycl_pi_spirv::{Decoration, Inst, LinkageType, MAGIC_NUMBER, MemoryModel, Op, SpirvError};

use crate::types::ErrorCode;
use crate::{Error, Result};

/// The first word of a module in the byte order of this machine.
const MAGIC: [u8; 4] = MAGIC_NUMBER.to_le_bytes();
const MAGIC_SWAPPED: [u8; 4] = MAGIC_NUMBER.to_be_bytes();

/// The memory model of every module for OpenCL, Level Zero and SYCL.
const OPENCL: u32 = MemoryModel::OpenCL as u32;
/// Prefixes of the instruction sets that such modules may import.
const SETS: [&[u8]; 4] = [b"OpenCL.", b"NonSemantic.", b"DebugInfo", b"SPIRV.debug"];
const EXPORT: u32 = LinkageType::Export as u32;
const IMPORT: u32 = LinkageType::Import as u32;

/// Refuses what no driver should see: data that is not a module, a module without a body, a truncated module, and
/// anything that only modules for other interfaces may contain. Intel's CPU runtime terminates the process on most of
/// these.
pub fn check(il: &[u8]) -> Result<()> {
    let bad = |what: String| {
        Err(Error::new(ErrorCode::INVALID_BINARY, format!("il is not a SPIR-V module: {what}")))
    };
    if il.get(..4) == Some(&MAGIC_SWAPPED) {
        // The other byte order is allowed and left to the driver to check.
        return Ok(());
    }
    if il.get(..4) != Some(&MAGIC) {
        return bad(format!("it starts with {:02x?}", il.get(..4.min(il.len())).unwrap_or_default()));
    }
    if !il.len().is_multiple_of(4) || il.len() < 4 * HEADER + 4 {
        return bad(format!(
            "{} bytes are not a whole number of words after a header of {}",
            il.len(),
            4 * HEADER
        ));
    }
    let words = words(il)?;
    let (version, bound) = (words[1], words[3]);
    if version >> 16 != 1 {
        return bad(format!("its version is {version:#x}, which does not belong to SPIR-V 1"));
    }
    // Each instruction states its length in words, and the last one must end at the end of the module. A module that
    // was truncated between two instructions ends inside a function, or lacks the function of an entry point or the
    // memory model.
    let (mut entry_points, mut functions) = (Vec::new(), HashSet::new());
    let (mut open, mut memory_model) = (false, false);
    let mut seen = grammar::Seen::default();
    for inst in read::instructions(&words) {
        let inst = match inst {
            Ok(inst) => inst,
            Err(error) => return bad(format!("{error}: truncated?")),
        };
        // The ids among the operands of the instructions that every module has.
        let ids = match inst.opcode {
            Op::MemoryModel => {
                memory_model = true;
                if inst.operand(1) != OPENCL {
                    return bad(format!("its memory model is {}, not OpenCL (2)", inst.operand(1)));
                }
                0..0
            }
            Op::ExtInstImport => {
                let name = inst.text_bytes(1);
                if !SETS.iter().any(|set| name.starts_with(set)) {
                    let name = String::from_utf8_lossy(&name);
                    return bad(format!(
                        "it imports the instruction set {name:?}, which kernels cannot have"
                    ));
                }
                0..1
            }
            Op::EntryPoint => {
                entry_points.push(inst.operand(1));
                1..2
            }
            Op::Function => {
                functions.insert(inst.operand(1));
                open = true;
                0..2
            }
            Op::FunctionEnd => {
                open = false;
                0..0
            }
            Op::Variable | Op::Store => 0..2,
            Op::Load => 0..3,
            _ => 0..0,
        };
        if let Some(id) = inst.operands.iter().take(ids.end).skip(ids.start).find(|id| **id >= bound) {
            let byte = 4 * inst.word;
            return bad(format!("the instruction at byte {byte} names %{id}, but its bound is {bound}"));
        }
        seen.read(&inst);
    }
    if !memory_model || open || entry_points.iter().any(|entry| !functions.contains(entry)) {
        return bad("it ends before its memory model, or before its last function does: truncated?".into());
    }
    seen.fault(version).map_or(Ok(()), bad)
}

/// Returns the words of a module that [`check`] accepted. The result is empty for a module in the other byte order,
/// which is left to the driver.
///
/// # Errors
///
/// `OUT_OF_HOST_MEMORY`.
pub fn words(il: &[u8]) -> Result<Vec<u32>> {
    if il.get(..4) != Some(&MAGIC) {
        return Ok(Vec::new());
    }
    read::words(il).map_err(|error: SpirvError| {
        let code =
            if error.is_out_of_memory { ErrorCode::OUT_OF_HOST_MEMORY } else { ErrorCode::INVALID_BINARY };
        Error::new(code, error.to_string())
    })
}

/// Iterates over the complete instructions of a module.
fn instructions(words: &[u32]) -> impl Iterator<Item = Inst<'_>> {
    read::instructions(words).map_while(std::result::Result::ok)
}

/// Returns whether a module that passed [`check`] has functions. Returns true for a module in the other byte order,
/// which is not read.
///
/// # Errors
///
/// `OUT_OF_HOST_MEMORY`.
pub fn has_functions(il: &[u8]) -> Result<bool> {
    let words = words(il)?;
    Ok(words.is_empty() || instructions(&words).any(|inst| inst.opcode == Op::Function))
}

/// The symbols that a module exports and imports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Linkage {
    /// The module exports a function that is not a kernel.
    pub exports_functions: bool,
    /// The module exports a variable.
    pub exports_variables: bool,
    /// The module imports something.
    pub imports: bool,
}

/// Reads the linkage of a module that [`check`] accepted.
///
/// # Errors
///
/// `OUT_OF_HOST_MEMORY`.
pub fn linkage(il: &[u8]) -> Result<Linkage> {
    let mut linkage = Linkage::default();
    let (mut exported, mut entries) = (HashSet::new(), HashSet::new());
    for inst in instructions(&words(il)?) {
        match inst.opcode {
            Op::EntryPoint => drop(entries.insert(inst.operand(1))),
            Op::Decorate => match linkage_type(&inst) {
                Some(EXPORT) => drop(exported.insert(inst.operand(0))),
                Some(IMPORT) => linkage.imports = true,
                _ => {}
            },
            Op::Function | Op::Variable if exported.contains(&inst.operand(1)) => {
                let is_function = inst.opcode == Op::Function;
                linkage.exports_variables |= !is_function;
                linkage.exports_functions |= is_function && !entries.contains(&inst.operand(1));
            }
            _ => {}
        }
    }
    Ok(linkage)
}

/// Returns the linkage type of a decoration, if it is a linkage decoration.
fn linkage_type(inst: &Inst<'_>) -> Option<u32> {
    let is_linkage = inst.decoration() == Some(Decoration::LinkageAttributes);
    inst.operands.get(3..)?.last().copied().filter(|_| is_linkage)
}

/// Refuses to link modules that define the same symbol twice. Intel's CPU runtime 2023.2.4 terminates the process on
/// them.
///
/// # Errors
///
/// `LINK_PROGRAM_FAILURE` with the symbol and the indices of the modules, and `OUT_OF_HOST_MEMORY`.
pub fn check_definitions(modules: &[impl AsRef<[u8]>]) -> Result<()> {
    let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
    for (number, module) in modules.iter().enumerate() {
        for name in definitions(&words(module.as_ref())?) {
            if let Some(other) = known.get(&name).filter(|other| **other != number) {
                let text = format!(
                    "programs {other} and {number} to link both define {:?}",
                    String::from_utf8_lossy(&name)
                );
                return Err(Error::new(ErrorCode::LINK_PROGRAM_FAILURE, text));
            }
            known.insert(name, number);
        }
    }
    Ok(())
}

/// Returns the names of the kernels and exports of a module that [`check`] accepted. Definitions that may be merged do
/// not count.
fn definitions(words: &[u32]) -> Vec<Vec<u8>> {
    let before_functions = instructions(words).take_while(|inst| inst.opcode != Op::Function);
    let defining = before_functions.filter(|inst| match inst.opcode {
        Op::Decorate => linkage_type(inst) == Some(EXPORT),
        opcode => opcode == Op::EntryPoint,
    });
    defining.map(|inst| inst.text_bytes(2)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OP_DECORATE: u32 = Op::Decorate as u32;
    const OP_ENTRY_POINT: u32 = Op::EntryPoint as u32;
    const OP_EXT_INST_IMPORT: u32 = Op::ExtInstImport as u32;
    const OP_FUNCTION: u32 = Op::Function as u32;
    const OP_FUNCTION_END: u32 = Op::FunctionEnd as u32;
    const OP_MEMORY_MODEL: u32 = Op::MemoryModel as u32;
    const OP_STORE: u32 = Op::Store as u32;
    const OP_VARIABLE: u32 = Op::Variable as u32;
    const LINKAGE_ATTRIBUTES: u32 = Decoration::LinkageAttributes as u32;

    fn module(body: &[&[u32]]) -> Vec<u8> {
        let header = [0x0723_0203, 0x0001_0000, 0, 10, 0];
        header.iter().chain(body.iter().copied().flatten()).flat_map(|word| word.to_le_bytes()).collect()
    }

    fn op(op: u32, operands: &[u32]) -> Vec<u32> {
        let mut words = vec![(operands.len() as u32 + 1) << 16 | op];
        words.extend(operands);
        words
    }

    /// Declares `void` and the type of functions without parameters.
    fn types(void: u32, function: u32) -> Vec<u32> {
        [op(19, &[void]), op(33, &[function, void])].concat()
    }

    fn decorate(target: u32, linkage: u32) -> Vec<u32> {
        op(OP_DECORATE, &[target, LINKAGE_ATTRIBUTES, u32::from_le_bytes(*b"abc\0"), linkage])
    }

    #[test]
    fn the_time_for_a_module_grows_with_its_length_only() {
        const MANY: u32 = 100_000;
        let mut body = vec![op(OP_MEMORY_MODEL, &[2, 2]), types(MANY, MANY + 1)];
        body.extend((1..MANY).map(|id| op(OP_ENTRY_POINT, &[6, id, 0])));
        body.extend((1..MANY).map(|id| op(OP_DECORATE, &[id, LINKAGE_ATTRIBUTES, 0, EXPORT])));
        body.extend(
            (1..MANY).flat_map(|id| [op(OP_FUNCTION, &[MANY, id, 0, MANY + 1]), op(OP_FUNCTION_END, &[])]),
        );
        let mut module = module(&body.iter().map(Vec::as_slice).collect::<Vec<_>>());
        // The bound of the ids.
        module[12..16].copy_from_slice(&(MANY + 2).to_le_bytes());
        let start = std::time::Instant::now();
        assert!(check(&module).is_ok());
        assert!(!linkage(&module).unwrap().exports_functions);
        // Comparing each function with each entry point would take minutes.
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }

    #[test]
    fn a_whole_module_passes_and_any_cut_of_it_does_not() {
        let whole = module(&[
            &op(17, &[4]),
            &op(OP_MEMORY_MODEL, &[2, 2]),
            &types(1, 3),
            &op(OP_ENTRY_POINT, &[6, 2, u32::from_le_bytes(*b"k\0\0\0")]),
            &op(OP_FUNCTION, &[1, 2, 0, 3]),
            &op(OP_FUNCTION_END, &[]),
        ]);
        assert!(check(&whole).is_ok());
        // If truncated after the memory model or after a type, it is still a module, though an empty one. Every other
        // truncation is refused.
        let empty = 4 * HEADER + 8 + 12;
        for length in 0..whole.len() {
            let is_empty = [empty, empty + 8, empty + 20].contains(&length);
            assert_eq!(check(&whole[..length]).is_ok(), is_empty, "{length} bytes");
        }
        assert!(check(b"#include <a>").is_err());
    }

    #[test]
    fn what_only_other_modules_have_is_refused() {
        let text = |name: &[u8]| {
            let mut bytes = name.to_vec();
            bytes.resize(name.len() / 4 * 4 + 4, 0);
            let words: Vec<u32> =
                bytes.as_chunks().0.iter().map(|word: &[u8; 4]| u32::from_le_bytes(*word)).collect();
            words
        };
        let import = |name: &[u8]| op(OP_EXT_INST_IMPORT, &[&[1], &*text(name)].concat());
        let model = op(OP_MEMORY_MODEL, &[2, OPENCL]);
        let why = |body: &[&[u32]]| check(&module(body)).map_err(|error| error.text().to_owned()).err();
        for name in ["OpenCL.std", "OpenCL.DebugInfo.100", "NonSemantic.Shader.DebugInfo.200", "SPIRV.debug"]
        {
            assert_eq!(why(&[&import(name.as_bytes()), &model]), None, "{name}");
        }
        for name in ["GLSL.std.450", "Vendor.Unknown", ""] {
            let text = why(&[&import(name.as_bytes()), &model]).unwrap();
            assert!(text.contains(&format!("{name:?}")), "{text}");
        }
        assert!(why(&[&op(OP_MEMORY_MODEL, &[0, 1])]).unwrap().contains("memory model"));
        // The bound is 10.
        let store =
            |id| [op(OP_FUNCTION, &[1, 2, 0, 3]), op(OP_STORE, &[id, 2]), op(OP_FUNCTION_END, &[])].concat();
        assert_eq!(why(&[&model, &types(1, 3), &op(OP_VARIABLE, &[1, 9, 5]), &store(9)]), None);
        assert!(why(&[&model, &types(1, 3), &store(10)]).unwrap().contains("%10, but its bound"));
        let load =
            [op(OP_FUNCTION, &[1, 2, 0, 3]), op(Op::Load as u32, &[1, 4, 10]), op(OP_FUNCTION_END, &[])]
                .concat();
        assert!(why(&[&model, &types(1, 3), &load]).unwrap().contains("%10, but its bound"));
        let mut newer = module(&[&model]);
        newer[6] = 2;
        assert!(check(&newer).unwrap_err().text().contains("version"));
    }

    #[test]
    fn an_id_that_nothing_defines_is_refused() {
        let model = op(OP_MEMORY_MODEL, &[2, OPENCL]);
        let why = |body: &[&[u32]]| check(&module(body)).map_err(|error| error.text().to_owned()).err();
        let (function, end) = (op(OP_FUNCTION, &[1, 2, 0, 3]), op(OP_FUNCTION_END, &[]));
        let variable = op(OP_VARIABLE, &[1, 4, 5]);
        let (store, call) = (op(OP_STORE, &[4, 4]), op(57, &[1, 5, 7, 4]));
        // The callee follows the call, with its id.
        let callee = [op(OP_FUNCTION, &[1, 7, 0, 3]), end.clone()].concat();
        let body = [&function, &store, &call, &end, &callee].map(Vec::as_slice).concat();
        assert_eq!(why(&[&model, &types(1, 3), &variable, &body]), None);
        // Names and decorations of undefined ids are accepted, because drivers ignore them.
        let (name, decoration) = (op(5, &[9, 0]), op(OP_DECORATE, &[9, 22]));
        assert_eq!(why(&[&model, &name, &decoration, &types(1, 3), &variable, &body]), None);
        // So are lines of a file that has no name.
        let line = op(8, &[9, 1, 1]);
        let with_line = [&function, &line, &store, &call, &end, &callee].map(Vec::as_slice).concat();
        assert_eq!(why(&[&model, &types(1, 3), &variable, &with_line]), None);

        let without_variable = why(&[&model, &types(1, 3), &body]).unwrap();
        assert!(without_variable.contains("%4, which nothing defines"), "{without_variable}");
        let without_type = why(&[&model, &op(19, &[1]), &variable, &body]).unwrap();
        assert!(without_type.contains("%3, which nothing defines"), "{without_type}");
        let calls_with_undefined =
            [&function, &op(57, &[1, 5, 7, 8]), &end, &callee].map(Vec::as_slice).concat();
        let argument = why(&[&model, &types(1, 3), &calls_with_undefined]).unwrap();
        assert!(argument.contains("%8, which nothing defines"), "{argument}");
        // An unknown instruction may define what others use, if it belongs to an extension.
        let newer = op(10, &[u32::from_le_bytes(*b"SPV_"), 0]);
        let unknown = op(29_999, &[1, 4, 8]);
        assert_eq!(why(&[&newer, &model, &types(1, 3), &unknown, &body]), None);
    }

    #[test]
    fn an_opcode_that_nothing_declared_brings_is_refused() {
        const FUNCTION_POINTERS: u32 = 5603;
        let (model, unknown) = (op(OP_MEMORY_MODEL, &[2, OPENCL]), op(29_999, &[1]));
        let capability = |number| op(17, &[number]);
        let extension = |name: &[u8; 28]| {
            let words: Vec<u32> = name.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
            op(10, &words)
        };
        let known = [capability(FUNCTION_POINTERS), extension(b"SPV_INTEL_function_pointers\0")].concat();
        let why = |body: &[&[u32]]| check(&module(body)).map_err(|error| error.text().to_owned()).err();
        assert_eq!(why(&[&known, &model]), None);
        let text = why(&[&known, &model, &unknown]).unwrap();
        assert!(text.contains("opcode 29999"), "{text}");
        // Anything newer than the grammar may add instructions: an extension, a capability or a version.
        assert_eq!(why(&[&extension(b"SPV_INTEL_function_somethin\0"), &model, &unknown]), None);
        assert_eq!(why(&[&capability(29_999), &model, &unknown]), None);
        let mut newer = module(&[&model, &unknown]);
        newer[5] = 7;
        assert!(check(&newer).is_ok());
    }

    #[test]
    fn variables_are_no_functions() {
        let (model, variable) = (op(OP_MEMORY_MODEL, &[2, 2]), op(OP_VARIABLE, &[1, 2, 5]));
        let function = op(OP_FUNCTION, &[1, 2, 0, 3]);
        assert!(!has_functions(&module(&[&model])).unwrap());
        assert!(!has_functions(&module(&[&model, &variable])).unwrap());
        assert!(has_functions(&module(&[&model, &variable, &function, &op(OP_FUNCTION_END, &[])])).unwrap());
    }

    #[test]
    fn a_symbol_that_two_modules_define_is_refused_by_its_name() {
        let function = op(OP_FUNCTION, &[1, 2, 0, 3]);
        let kernel = module(&[&op(OP_ENTRY_POINT, &[6, 2, u32::from_le_bytes(*b"abc\0")]), &function]);
        let exports = module(&[&decorate(2, EXPORT), &function]);
        let merged = module(&[&decorate(2, 2), &function]);
        let imports = module(&[&decorate(2, IMPORT), &function]);
        check_definitions(&[&kernel, &imports, &merged, &merged]).unwrap();
        for (one, two) in [(&kernel, &kernel), (&kernel, &exports), (&exports, &exports)] {
            let error = check_definitions(&[&imports, one, two]).unwrap_err();
            assert_eq!(error.code(), ErrorCode::LINK_PROGRAM_FAILURE);
            assert!(error.text().contains("1 and 2") && error.text().contains("\"abc\""), "{}", error.text());
        }
    }

    #[test]
    fn linkage_tells_functions_variables_and_imports_apart() {
        let (function, variable) = (op(OP_FUNCTION, &[1, 2, 0, 3]), op(OP_VARIABLE, &[1, 2, 5]));
        let entry = op(OP_ENTRY_POINT, &[6, 2, u32::from_le_bytes(*b"k\0\0\0")]);
        let exports = |body: &[&[u32]]| linkage(&module(body)).unwrap();

        assert_eq!(exports(&[&function, &variable]), Linkage::default());
        assert!(exports(&[&decorate(2, EXPORT), &function]).exports_functions);
        assert!(!exports(&[&entry, &decorate(2, EXPORT), &function]).exports_functions, "a kernel");
        let variable = exports(&[&decorate(2, EXPORT), &variable]);
        assert!(variable.exports_variables && !variable.exports_functions);
        assert!(exports(&[&decorate(2, IMPORT), &function]).imports);
    }
}
