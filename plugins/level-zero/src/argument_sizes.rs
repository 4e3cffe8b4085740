//! Sizes of kernel arguments, read from SPIR-V. Drivers do not report them, and accept a wrong size or answer with some other
//! error. If the size of a type is in doubt, checking it is left to the driver.

use std::collections::{HashMap, HashSet};

const HEADER_WORDS: usize = 5;
const OP_ENTRY_POINT: u32 = 15;
const OP_TYPE_INT: u32 = 21;
const OP_TYPE_FLOAT: u32 = 22;
const OP_TYPE_VECTOR: u32 = 23;
const OP_TYPE_ARRAY: u32 = 28;
const OP_TYPE_STRUCT: u32 = 30;
const OP_TYPE_POINTER: u32 = 32;
const OP_CONSTANT: u32 = 43;
const OP_FUNCTION: u32 = 54;
const OP_FUNCTION_PARAMETER: u32 = 55;
const OP_DECORATE: u32 = 71;
const DECORATION_PACKED: u32 = 10;
const KERNEL_MODEL: u32 = 6;
const CLASS_WORKGROUP: u32 = 4;
const CLASS_FUNCTION: u32 = 7;

/// The bytes that each argument of a kernel takes; none where that is not known, or for local memory, which takes any.
pub(crate) type ArgumentSizes = Box<[Option<usize>]>;

/// The argument sizes of every kernel in these modules.
pub(crate) fn argument_sizes<'a>(
    modules: impl Iterator<Item = &'a [u8]>,
) -> HashMap<Box<[u8]>, ArgumentSizes> {
    modules.flat_map(|il| ModuleTypes::read(il).kernels()).collect()
}

#[derive(Clone, Copy)]
enum ArgumentType<'a> {
    /// Bytes; aligned to as many.
    Scalar(usize),
    Vector {
        element: u32,
        count: u32,
    },
    Array {
        element: u32,
        length: u32,
    },
    Struct {
        members: &'a [[u8; 4]],
    },
    Pointer {
        class: u32,
        to: u32,
    },
}

#[derive(Default)]
struct ModuleTypes<'a> {
    types: HashMap<u32, ArgumentType<'a>>,
    constants: HashMap<u32, u32>,
    packed: HashSet<u32>,
    /// Entry points: function and name.
    entries: Vec<(u32, Box<[u8]>)>,
    /// Types of the parameters of each function that is an entry point.
    parameters: HashMap<u32, Vec<u32>>,
}

fn number(word: [u8; 4]) -> u32 {
    u32::from_le_bytes(word)
}

impl<'a> ModuleTypes<'a> {
    /// Reads a module, as far as it is one.
    fn read(il: &'a [u8]) -> Self {
        let (words, _) = il.as_chunks::<4>();
        let mut types = Self::default();
        let mut rest = words.get(HEADER_WORDS..).unwrap_or_default();
        let mut function = None;
        while let Some((first, _)) = rest.split_first() {
            let (length, op) = ((number(*first) >> 16) as usize, number(*first) & 0xffff);
            let Some(operands) = rest.get(1..length) else { break };
            types.take(op, operands, &mut function);
            rest = &rest[length..];
        }
        types
    }

    fn take(&mut self, op: u32, operands: &'a [[u8; 4]], function: &mut Option<u32>) {
        let at = |index: usize| operands.get(index).copied().map(number).unwrap_or_default();
        match op {
            OP_ENTRY_POINT if at(0) == KERNEL_MODEL => {
                let bytes = operands.get(2..).unwrap_or_default().as_flattened();
                let name = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
                self.entries.push((at(1), name.into()));
            }
            OP_TYPE_INT | OP_TYPE_FLOAT if matches!(at(1), 8 | 16 | 32 | 64) => {
                self.types.insert(at(0), ArgumentType::Scalar(at(1) as usize / 8));
            }
            OP_TYPE_VECTOR => {
                self.types.insert(at(0), ArgumentType::Vector { element: at(1), count: at(2) });
            }
            OP_TYPE_ARRAY => {
                self.types.insert(at(0), ArgumentType::Array { element: at(1), length: at(2) });
            }
            OP_TYPE_STRUCT => {
                let members = operands.get(1..).unwrap_or_default();
                self.types.insert(at(0), ArgumentType::Struct { members });
            }
            OP_TYPE_POINTER => {
                self.types.insert(at(0), ArgumentType::Pointer { class: at(1), to: at(2) });
            }
            OP_CONSTANT => {
                self.constants.insert(at(1), at(2));
            }
            OP_DECORATE if at(1) == DECORATION_PACKED => {
                self.packed.insert(at(0));
            }
            OP_FUNCTION => {
                *function = self.entries.iter().any(|(entry, _)| *entry == at(1)).then(|| at(1));
            }
            OP_FUNCTION_PARAMETER => {
                if let Some(function) = *function {
                    self.parameters.entry(function).or_default().push(at(0));
                }
            }
            _ => {}
        }
    }

    fn kernels(self) -> Vec<(Box<[u8]>, ArgumentSizes)> {
        let sizes = |function: &u32| {
            let parameters = self.parameters.get(function).map_or(&[][..], Vec::as_slice);
            parameters.iter().map(|kind| self.argument(*kind)).collect()
        };
        self.entries.iter().map(|(function, name)| (name.clone(), sizes(function))).collect()
    }

    /// What the caller has to give for an argument of that type.
    fn argument(&self, kind: u32) -> Option<usize> {
        match self.types.get(&kind)? {
            ArgumentType::Pointer { class: CLASS_WORKGROUP, .. } => None,
            // A structure by value.
            ArgumentType::Pointer { class: CLASS_FUNCTION, to } => self.layout(*to).map(|(size, _)| size),
            ArgumentType::Pointer { .. } => Some(size_of::<usize>()),
            _ => self.layout(kind).map(|(size, _)| size),
        }
    }

    /// Size and alignment in memory, as C has them.
    fn layout(&self, kind: u32) -> Option<(usize, usize)> {
        match *self.types.get(&kind)? {
            ArgumentType::Scalar(size) => Some((size, size)),
            ArgumentType::Pointer { .. } => Some((size_of::<usize>(), size_of::<usize>())),
            ArgumentType::Vector { element, count } => {
                let size = self.layout(element)?.0.checked_mul(count.next_power_of_two() as usize)?;
                Some((size, size))
            }
            ArgumentType::Array { element, length } => {
                let (size, align) = self.layout(element)?;
                Some((size.checked_mul(*self.constants.get(&length)? as usize)?, align))
            }
            ArgumentType::Struct { members } => {
                let packed = self.packed.contains(&kind);
                let (mut end, mut most) = (0_usize, 1);
                for member in members {
                    let (size, align) = self.layout(number(*member))?;
                    let align = if packed { 1 } else { align };
                    end = end.checked_next_multiple_of(align)?.checked_add(size)?;
                    most = most.max(align);
                }
                Some((end.checked_next_multiple_of(most)?, most))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(op: u32, operands: &[u32]) -> Vec<u32> {
        let mut words = vec![(operands.len() as u32 + 1) << 16 | op];
        words.extend(operands);
        words
    }

    fn sizes(types: &[Vec<u32>], parameters: &[u32]) -> Vec<Option<usize>> {
        let mut words = vec![0x0723_0203, 0x0001_0000, 0, 100, 0];
        words.extend(op(OP_ENTRY_POINT, &[KERNEL_MODEL, 90, u32::from_le_bytes(*b"k\0\0\0")]));
        words.extend(types.iter().flatten());
        words.extend(op(OP_FUNCTION, &[1, 90, 0, 2]));
        parameters.iter().for_each(|kind| words.extend(op(OP_FUNCTION_PARAMETER, &[*kind, 95])));
        // A function that is no kernel adds nothing.
        words.extend(op(OP_FUNCTION, &[1, 91, 0, 2]));
        words.extend(op(OP_FUNCTION_PARAMETER, &[10, 96]));
        let il: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let kernels = argument_sizes(std::iter::once(il.as_slice()));
        kernels[&b"k"[..]].to_vec()
    }

    #[test]
    fn sizes_are_those_of_c() {
        let types = [
            op(OP_TYPE_INT, &[10, 32, 0]),
            op(OP_TYPE_FLOAT, &[11, 64]),
            op(OP_TYPE_INT, &[12, 8, 0]),
            op(OP_TYPE_VECTOR, &[13, 10, 3]),
            op(OP_CONSTANT, &[10, 14, 5]),
            op(OP_TYPE_ARRAY, &[15, 12, 14]),
            op(OP_TYPE_STRUCT, &[16, 12, 11, 15]),
            op(OP_TYPE_POINTER, &[17, CLASS_FUNCTION, 16]),
            op(OP_TYPE_POINTER, &[18, 5, 10]),
            op(OP_TYPE_POINTER, &[19, CLASS_WORKGROUP, 10]),
        ];
        let expected = [Some(4), Some(8), Some(1), Some(16), Some(24), Some(8), None];
        assert_eq!(sizes(&types, &[10, 11, 12, 13, 17, 18, 19]), expected);
    }

    #[test]
    fn packed_structures_have_no_gaps_and_odd_types_no_size() {
        let types = [
            op(OP_DECORATE, &[16, DECORATION_PACKED]),
            op(OP_TYPE_INT, &[10, 32, 0]),
            op(OP_TYPE_INT, &[12, 8, 0]),
            op(OP_TYPE_INT, &[13, 48, 0]),
            op(OP_TYPE_STRUCT, &[16, 12, 10]),
            op(OP_TYPE_POINTER, &[17, CLASS_FUNCTION, 16]),
        ];
        assert_eq!(sizes(&types, &[17, 13]), [Some(5), None]);
    }
}
