//! What the driver has to know of a SPIR-V module: its kernels and the kinds of their arguments, its imports and exports,
//! its specialization constants. OpenCL runtimes do not tell this for SPIR-V.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgKind {
    /// An address in global memory.
    Pointer,
    /// Local memory.
    Local,
    /// An image.
    Image,
    /// A sampler.
    Sampler,
    /// A value, with its size where that is known.
    Value(Option<usize>),
}

/// A kernel.
#[derive(Clone, Debug, Default)]
pub(crate) struct KernelInfo {
    pub(crate) arguments: Vec<ArgKind>,
    /// Required group size; zeros where none is.
    pub(crate) group_size: [u32; 3],
    /// Required sub-group size; 0 where none is.
    pub(crate) sub_group_size: u32,
}

/// A module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reflection {
    pub(crate) kernels: BTreeMap<String, KernelInfo>,
    pub(crate) imports: BTreeSet<String>,
    pub(crate) exports: BTreeSet<String>,
    /// Exported variables.
    pub(crate) globals: BTreeSet<String>,
    /// Specialization constants: id and size.
    pub(crate) constants: BTreeMap<u32, usize>,
    /// What is wrong with the module's form, if anything is.
    pub(crate) broken: Option<&'static str>,
}

#[derive(Clone, Copy)]
enum Type {
    Sized(usize),
    Vector(u32, usize),
    Array(u32, u32),
    Pointer(u32, u32),
    Image,
    Sampler,
    Struct,
}

#[derive(Default)]
struct Reader {
    types: HashMap<u32, Type>,
    members: HashMap<u32, Vec<u32>>,
    constants: HashMap<u32, u32>,
    packed: BTreeSet<u32>,
    by_value: BTreeSet<u32>,
    spec_ids: HashMap<u32, u32>,
    spec_types: Vec<(u32, u32)>,
    linkage: Vec<(u32, String, u32)>,
    entries: Vec<(u32, String)>,
    modes: HashMap<u32, KernelInfo>,
    parameters: HashMap<u32, Vec<(u32, u32)>>,
    functions: BTreeSet<u32>,
}

/// A string literal of operands, and how many words it took.
fn string(words: &[u32]) -> (String, usize) {
    let mut bytes = Vec::new();
    for (index, word) in words.iter().enumerate() {
        for byte in word.to_le_bytes() {
            if byte == 0 {
                return (String::from_utf8_lossy(&bytes).into_owned(), index + 1);
            }
            bytes.push(byte);
        }
    }
    (String::from_utf8_lossy(&bytes).into_owned(), words.len())
}

/// Reads a module.
pub(crate) fn reflect(spirv: &[u8]) -> Reflection {
    let words: Vec<u32> = spirv
        .chunks_exact(4)
        .map(|chunk| chunk.iter().rev().fold(0, |word, byte| (word << 8) | u32::from(*byte)))
        .collect();
    let mut reflection = Reflection::default();
    if words.first() != Some(&0x0723_0203) {
        reflection.broken = Some("no SPIR-V");
        return reflection;
    }
    if words.len() <= 5 || !spirv.len().is_multiple_of(4) {
        reflection.broken = Some("nothing behind the header, or half a word");
        return reflection;
    }
    let mut reader = Reader::default();
    let mut rest = words.get(5..).unwrap_or_default();
    let mut function = None;
    while let Some(first) = rest.first() {
        let (length, opcode) = ((first >> 16) as usize, first & 0xffff);
        let Some(operands) = rest.get(1..length) else {
            reflection.broken = Some("an instruction that goes beyond the end");
            return reflection;
        };
        reader.instruction(opcode, operands, &mut function);
        rest = rest.get(length..).unwrap_or_default();
    }
    reader.finish(&mut reflection);
    reflection
}

impl Reader {
    fn instruction(&mut self, opcode: u32, o: &[u32], function: &mut Option<u32>) {
        let at = |index: usize| o.get(index).copied().unwrap_or(0);
        match opcode {
            15 if at(0) == 6 => self.entries.push((at(1), string(o.get(2..).unwrap_or_default()).0)),
            16 => {
                let info = self.modes.entry(at(0)).or_default();
                match at(1) {
                    17 => info.group_size = [at(2), at(3), at(4)],
                    35 => info.sub_group_size = at(2),
                    _ => {}
                }
            }
            20 => drop(self.types.insert(at(0), Type::Sized(1))),
            21 | 22 => drop(self.types.insert(at(0), Type::Sized(at(1) as usize / 8))),
            23 => drop(self.types.insert(at(0), Type::Vector(at(1), at(2) as usize))),
            25 | 27 => drop(self.types.insert(at(0), Type::Image)),
            26 => drop(self.types.insert(at(0), Type::Sampler)),
            28 => drop(self.types.insert(at(0), Type::Array(at(1), at(2)))),
            30 => {
                self.types.insert(at(0), Type::Struct);
                self.members.insert(at(0), o.get(1..).unwrap_or_default().to_vec());
            }
            32 => drop(self.types.insert(at(0), Type::Pointer(at(1), at(2)))),
            43 => drop(self.constants.insert(at(1), at(2))),
            48..=50 => self.spec_types.push((at(0), at(1))),
            54 => {
                *function = Some(at(1));
                self.functions.insert(at(1));
            }
            55 => {
                if let Some(function) = *function {
                    self.parameters.entry(function).or_default().push((at(0), at(1)));
                }
            }
            71 => match at(1) {
                1 => drop(self.spec_ids.insert(at(0), at(2))),
                10 => drop(self.packed.insert(at(0))),
                38 if at(2) == 2 => drop(self.by_value.insert(at(0))),
                41 => {
                    let (name, length) = string(o.get(2..).unwrap_or_default());
                    self.linkage.push((at(0), name, at(2 + length)));
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// Size and alignment of a type.
    fn layout(&self, id: u32) -> Option<(usize, usize)> {
        match *self.types.get(&id)? {
            Type::Sized(size) => Some((size, size.max(1))),
            Type::Pointer(..) => Some((8, 8)),
            Type::Vector(element, count) => {
                let size = self.layout(element)?.0 * if count == 3 { 4 } else { count };
                Some((size, size))
            }
            Type::Array(element, length) => {
                let (size, align) = self.layout(element)?;
                Some((size * *self.constants.get(&length)? as usize, align))
            }
            Type::Struct => {
                let (mut end, mut most) = (0_usize, 1);
                for member in self.members.get(&id)? {
                    let (size, align) = self.layout(*member)?;
                    let align = if self.packed.contains(&id) { 1 } else { align };
                    end = end.next_multiple_of(align) + size;
                    most = most.max(align);
                }
                Some((end.next_multiple_of(most), most))
            }
            Type::Image | Type::Sampler => None,
        }
    }

    fn argument(&self, (kind, id): (u32, u32)) -> ArgKind {
        match self.types.get(&kind) {
            Some(Type::Pointer(7, pointee)) if self.by_value.contains(&id) => {
                ArgKind::Value(self.layout(*pointee).map(|(size, _)| size))
            }
            Some(Type::Pointer(4, _)) => ArgKind::Local,
            Some(Type::Pointer(7, pointee)) => ArgKind::Value(self.layout(*pointee).map(|(size, _)| size)),
            Some(Type::Pointer(..)) => ArgKind::Pointer,
            Some(Type::Image) => ArgKind::Image,
            Some(Type::Sampler) => ArgKind::Sampler,
            _ => ArgKind::Value(self.layout(kind).map(|(size, _)| size)),
        }
    }

    fn finish(&self, reflection: &mut Reflection) {
        for (id, name) in &self.entries {
            let mut info = self.modes.get(id).cloned().unwrap_or_default();
            let parameters = self.parameters.get(id).map_or(&[][..], Vec::as_slice);
            info.arguments = parameters.iter().map(|parameter| self.argument(*parameter)).collect();
            reflection.kernels.insert(name.clone(), info);
        }
        for (id, name, kind) in &self.linkage {
            match (kind, self.functions.contains(id)) {
                (1, true) => drop(reflection.imports.insert(name.clone())),
                (0, function) => {
                    if !function {
                        reflection.globals.insert(name.clone());
                    }
                    reflection.exports.insert(name.clone());
                }
                _ => {}
            }
        }
        reflection.imports.retain(|name| !is_built_in(name));
        // A kernel's function is exported beside its entry point, under the same name.
        let Reflection { exports, kernels, .. } = reflection;
        exports.retain(|name| !kernels.contains_key(name));
        for (kind, id) in &self.spec_types {
            if let Some(spec) = self.spec_ids.get(id) {
                reflection.constants.insert(*spec, self.layout(*kind).map_or(1, |(size, _)| size));
            }
        }
    }
}

/// Functions that devices have of themselves.
fn is_built_in(name: &str) -> bool {
    name.contains("__spirv_")
        || name.contains("intel_sub_group")
        || name.starts_with("llvm.")
        || name == "printf"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_modules_say_why() {
        assert_eq!(reflect(b"abcd").broken, Some("no SPIR-V"));
        let header = [0x0723_0203_u32, 0x10000, 0, 8, 0];
        let bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
        assert!(reflect(&bytes(&header)).broken.is_some());
        let mut long = header.to_vec();
        long.push(9 << 16 | 15);
        assert!(reflect(&bytes(&long)).broken.is_some());
    }

    #[test]
    fn strings_end_at_their_zero() {
        let words = [u32::from_le_bytes(*b"main"), 0, 7];
        assert_eq!(string(&words), ("main".to_owned(), 2));
    }
}
