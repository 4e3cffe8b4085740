//! Sizes of kernel arguments, read from SPIR-V. Drivers do not report them, and accept a wrong size or answer with some other
//! error. If the size of a type is in doubt, checking it is left to the driver.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

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
pub(crate) type ArgumentSizes = Arc<[Option<usize>]>;

/// The argument sizes of every kernel in these modules.
pub(crate) fn argument_sizes<'a>(
    modules: impl Iterator<Item = &'a [u8]>,
) -> HashMap<Box<[u8]>, ArgumentSizes> {
    modules.flat_map(|il| ModuleTypes::read(il).kernels()).collect()
}

/// What is known of a module's types. SPIR-V declares a type after the types that it is made of, so each is laid out when it is
/// read. A type that names a later one has no size here.
#[derive(Default)]
struct ModuleTypes {
    /// Size and alignment in memory, as C has them.
    layouts: HashMap<u32, (usize, usize)>,
    /// The storage class, and the type that is pointed to.
    pointers: HashMap<u32, (u32, u32)>,
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

impl ModuleTypes {
    /// Reads a module, as far as it is one.
    fn read(il: &[u8]) -> Self {
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

    fn take(&mut self, op: u32, operands: &[[u8; 4]], function: &mut Option<u32>) {
        let at = |index: usize| operands.get(index).copied().map(number).unwrap_or_default();
        match op {
            OP_ENTRY_POINT if at(0) == KERNEL_MODEL => {
                let bytes = operands.get(2..).unwrap_or_default().as_flattened();
                let name = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
                self.entries.push((at(1), name.into()));
                self.parameters.entry(at(1)).or_default();
            }
            OP_TYPE_INT | OP_TYPE_FLOAT | OP_TYPE_VECTOR | OP_TYPE_ARRAY | OP_TYPE_STRUCT
            | OP_TYPE_POINTER => {
                if op == OP_TYPE_POINTER {
                    self.pointers.insert(at(0), (at(1), at(2)));
                }
                if let Some(layout) = self.layout(op, operands) {
                    self.layouts.insert(at(0), layout);
                }
            }
            OP_CONSTANT => {
                self.constants.insert(at(1), at(2));
            }
            OP_DECORATE if at(1) == DECORATION_PACKED => {
                self.packed.insert(at(0));
            }
            OP_FUNCTION => *function = self.parameters.contains_key(&at(1)).then(|| at(1)),
            OP_FUNCTION_PARAMETER => {
                if let Some(function) = *function {
                    self.parameters.entry(function).or_default().push(at(0));
                }
            }
            _ => {}
        }
    }

    /// Size and alignment of the type that an instruction declares.
    fn layout(&self, op: u32, operands: &[[u8; 4]]) -> Option<(usize, usize)> {
        let at = |index: usize| operands.get(index).copied().map(number).unwrap_or_default();
        match op {
            // Aligned to its size.
            OP_TYPE_INT | OP_TYPE_FLOAT if matches!(at(1), 8 | 16 | 32 | 64) => {
                let size = at(1) as usize / 8;
                Some((size, size))
            }
            OP_TYPE_POINTER => Some((size_of::<usize>(), size_of::<usize>())),
            OP_TYPE_VECTOR => {
                let count = at(2).checked_next_power_of_two()? as usize;
                let size = self.layouts.get(&at(1))?.0.checked_mul(count)?;
                Some((size, size))
            }
            OP_TYPE_ARRAY => {
                let (size, align) = *self.layouts.get(&at(1))?;
                Some((size.checked_mul(*self.constants.get(&at(2))? as usize)?, align))
            }
            OP_TYPE_STRUCT => {
                let packed = self.packed.contains(&at(0));
                let (mut end, mut most) = (0_usize, 1);
                for member in operands.get(1..).unwrap_or_default() {
                    let (size, align) = *self.layouts.get(&number(*member))?;
                    let align = if packed { 1 } else { align };
                    end = end.checked_next_multiple_of(align)?.checked_add(size)?;
                    most = most.max(align);
                }
                Some((end.checked_next_multiple_of(most)?, most))
            }
            _ => None,
        }
    }

    fn kernels(self) -> Vec<(Box<[u8]>, ArgumentSizes)> {
        let sizes = |parameters: &Vec<u32>| parameters.iter().map(|kind| self.argument(*kind)).collect();
        let of_function: HashMap<u32, ArgumentSizes> =
            self.parameters.iter().map(|(function, parameters)| (*function, sizes(parameters))).collect();
        let named =
            |(function, name): &(u32, Box<[u8]>)| Some((name.clone(), of_function.get(function)?.clone()));
        self.entries.iter().filter_map(named).collect()
    }

    /// What the caller has to give for an argument of that type.
    fn argument(&self, kind: u32) -> Option<usize> {
        let size = |kind| self.layouts.get(&kind).map(|(size, _)| *size);
        match self.pointers.get(&kind) {
            Some((CLASS_WORKGROUP, _)) => None,
            // A structure by value.
            Some((CLASS_FUNCTION, to)) => size(*to),
            _ => size(kind),
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

    #[test]
    fn structures_that_hold_themselves_or_later_types_have_no_size() {
        let types = [
            op(OP_TYPE_STRUCT, &[16, 16]),
            op(OP_TYPE_STRUCT, &[17, 18]),
            op(OP_TYPE_STRUCT, &[18, 17]),
            op(OP_TYPE_VECTOR, &[19, 10, u32::MAX]),
        ];
        assert_eq!(sizes(&types, &[16, 17, 18, 19]), [None; 4]);
    }

    #[test]
    fn nested_structures_take_no_longer_than_their_declarations() {
        const LEVELS: u32 = 60;
        let mut types = vec![op(OP_TYPE_INT, &[100, 8, 0])];
        types.extend((100..100 + LEVELS).map(|id| op(OP_TYPE_STRUCT, &[id + 1, id, id])));
        assert_eq!(sizes(&types, &[100 + LEVELS]), [Some(1 << LEVELS)]);
        // Beyond the end of memory.
        types.extend((160..170).map(|id| op(OP_TYPE_STRUCT, &[id + 1, id, id])));
        assert_eq!(sizes(&types, &[170]), [None]);
    }
}
