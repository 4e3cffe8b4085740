//! Sizes of kernel arguments, read from SPIR-V. Drivers do not report them, and they accept a wrong size or return an
//! unrelated error for it. If the size of a type is in doubt, the check is left to the driver.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use sycl_pi_backend::spirv;
use sycl_pi_spirv::read::instructions;
use sycl_pi_spirv::{Decoration, ExecutionModel, Inst, Op, StorageClass};

/// The size in bytes of each argument of a kernel. `None` if it is unknown, and for local memory, which accepts any
/// size.
pub(crate) type ArgumentSizes = Arc<[Option<usize>]>;

/// Returns the argument sizes of every kernel in these modules.
pub(crate) fn argument_sizes<'a>(
    modules: impl Iterator<Item = &'a [u8]>,
) -> HashMap<Box<[u8]>, ArgumentSizes> {
    modules.flat_map(|il| ModuleTypes::read(il).kernels()).collect()
}

/// The types of a module. SPIR-V declares a type after the types that it consists of, so each layout is computed when
/// the type is read. A type that refers to a later one has no size here.
#[derive(Default)]
struct ModuleTypes {
    /// Size and alignment in memory, as in C.
    layouts: HashMap<u32, (usize, usize)>,
    /// The storage class and the pointee type.
    pointers: HashMap<u32, (u32, u32)>,
    constants: HashMap<u32, u32>,
    packed: HashSet<u32>,
    /// Entry points, with their function and name.
    entries: Vec<(u32, Box<[u8]>)>,
    /// Parameter types of each function that is an entry point.
    parameters: HashMap<u32, Vec<u32>>,
}

impl ModuleTypes {
    /// Reads a module, as far as it is valid.
    fn read(il: &[u8]) -> Self {
        let (mut types, mut function) = (Self::default(), None);
        for inst in instructions(&spirv::words(il).unwrap_or_default()).map_while(Result::ok) {
            types.take(&inst, &mut function);
        }
        types
    }

    fn take(&mut self, inst: &Inst<'_>, function: &mut Option<u32>) {
        let at = |index| inst.operand(index);
        match inst.opcode {
            Op::EntryPoint if at(0) == ExecutionModel::Kernel as u32 => {
                self.entries.push((at(1), inst.text_bytes(2).into()));
                self.parameters.entry(at(1)).or_default();
            }
            Op::TypeInt
            | Op::TypeFloat
            | Op::TypeVector
            | Op::TypeArray
            | Op::TypeStruct
            | Op::TypePointer => {
                if inst.opcode == Op::TypePointer {
                    self.pointers.insert(at(0), (at(1), at(2)));
                }
                if let Some(layout) = self.layout(inst) {
                    self.layouts.insert(at(0), layout);
                }
            }
            Op::Constant => {
                self.constants.insert(at(1), at(2));
            }
            Op::Decorate if at(1) == Decoration::CPacked as u32 => {
                self.packed.insert(at(0));
            }
            Op::Function => *function = self.parameters.contains_key(&at(1)).then(|| at(1)),
            Op::FunctionParameter => {
                if let Some(function) = *function {
                    self.parameters.entry(function).or_default().push(at(0));
                }
            }
            _ => {}
        }
    }

    /// Returns the size and alignment of the type that an instruction declares.
    fn layout(&self, inst: &Inst<'_>) -> Option<(usize, usize)> {
        let at = |index| inst.operand(index);
        match inst.opcode {
            // Numbers are aligned to their size.
            Op::TypeInt | Op::TypeFloat if matches!(at(1), 8 | 16 | 32 | 64) => {
                let size = at(1) as usize / 8;
                Some((size, size))
            }
            Op::TypePointer => Some((size_of::<usize>(), size_of::<usize>())),
            Op::TypeVector => {
                let count = at(2).checked_next_power_of_two()? as usize;
                let size = self.layouts.get(&at(1))?.0.checked_mul(count)?;
                Some((size, size))
            }
            Op::TypeArray => {
                let (size, align) = *self.layouts.get(&at(1))?;
                Some((size.checked_mul(*self.constants.get(&at(2))? as usize)?, align))
            }
            Op::TypeStruct => {
                let packed = self.packed.contains(&at(0));
                let (mut end, mut most) = (0_usize, 1);
                for member in inst.operands.get(1..).unwrap_or_default() {
                    let (size, align) = *self.layouts.get(member)?;
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

    /// Returns the size that the caller must pass for an argument of the given type.
    fn argument(&self, kind: u32) -> Option<usize> {
        let size = |kind| self.layouts.get(&kind).map(|(size, _)| *size);
        match self.pointers.get(&kind).map(|(class, to)| (StorageClass::from_u32(*class), to)) {
            Some((Some(StorageClass::Workgroup), _)) => None,
            // This is a structure passed by value.
            Some((Some(StorageClass::Function), to)) => size(*to),
            _ => size(kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(op: Op, operands: &[u32]) -> Vec<u32> {
        let mut words = vec![(operands.len() as u32 + 1) << 16 | op as u32];
        words.extend(operands);
        words
    }

    fn sizes(types: &[Vec<u32>], parameters: &[u32]) -> Vec<Option<usize>> {
        let mut words = vec![0x0723_0203, 0x0001_0000, 0, 100, 0];
        words.extend(op(
            Op::EntryPoint,
            &[ExecutionModel::Kernel as u32, 90, u32::from_le_bytes(*b"k\0\0\0")],
        ));
        words.extend(types.iter().flatten());
        words.extend(op(Op::Function, &[1, 90, 0, 2]));
        parameters.iter().for_each(|kind| words.extend(op(Op::FunctionParameter, &[*kind, 95])));
        // A function that is not a kernel adds nothing.
        words.extend(op(Op::Function, &[1, 91, 0, 2]));
        words.extend(op(Op::FunctionParameter, &[10, 96]));
        let il: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let kernels = argument_sizes(std::iter::once(il.as_slice()));
        kernels[&b"k"[..]].to_vec()
    }

    #[test]
    fn sizes_are_those_of_c() {
        let types = [
            op(Op::TypeInt, &[10, 32, 0]),
            op(Op::TypeFloat, &[11, 64]),
            op(Op::TypeInt, &[12, 8, 0]),
            op(Op::TypeVector, &[13, 10, 3]),
            op(Op::Constant, &[10, 14, 5]),
            op(Op::TypeArray, &[15, 12, 14]),
            op(Op::TypeStruct, &[16, 12, 11, 15]),
            op(Op::TypePointer, &[17, StorageClass::Function as u32, 16]),
            op(Op::TypePointer, &[18, StorageClass::CrossWorkgroup as u32, 10]),
            op(Op::TypePointer, &[19, StorageClass::Workgroup as u32, 10]),
        ];
        let expected = [Some(4), Some(8), Some(1), Some(16), Some(24), Some(8), None];
        assert_eq!(sizes(&types, &[10, 11, 12, 13, 17, 18, 19]), expected);
    }

    #[test]
    fn packed_structures_have_no_gaps_and_odd_types_no_size() {
        let types = [
            op(Op::Decorate, &[16, Decoration::CPacked as u32]),
            op(Op::TypeInt, &[10, 32, 0]),
            op(Op::TypeInt, &[12, 8, 0]),
            op(Op::TypeInt, &[13, 48, 0]),
            op(Op::TypeStruct, &[16, 12, 10]),
            op(Op::TypePointer, &[17, StorageClass::Function as u32, 16]),
        ];
        assert_eq!(sizes(&types, &[17, 13]), [Some(5), None]);
    }

    #[test]
    fn structures_that_hold_themselves_or_later_types_have_no_size() {
        let types = [
            op(Op::TypeStruct, &[16, 16]),
            op(Op::TypeStruct, &[17, 18]),
            op(Op::TypeStruct, &[18, 17]),
            op(Op::TypeVector, &[19, 10, u32::MAX]),
        ];
        assert_eq!(sizes(&types, &[16, 17, 18, 19]), [None; 4]);
    }

    #[test]
    fn nested_structures_take_no_longer_than_their_declarations() {
        const LEVELS: u32 = 60;
        let mut types = vec![op(Op::TypeInt, &[100, 8, 0])];
        types.extend((100..100 + LEVELS).map(|id| op(Op::TypeStruct, &[id + 1, id, id])));
        assert_eq!(sizes(&types, &[100 + LEVELS]), [Some(1 << LEVELS)]);
        // This type would exceed the address space.
        types.extend((160..170).map(|id| op(Op::TypeStruct, &[id + 1, id, id])));
        assert_eq!(sizes(&types, &[170]), [None]);
    }
}
