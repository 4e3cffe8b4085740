//! Types that contain pointers to themselves. They are the same in two modules if everything reachable from them is the
//! same.

use std::collections::HashMap;

use rspirv::spirv::Op;

use crate::spirv::Index;
use crate::spirv::SpirvError;

/// Returns whether names and decorations distinguish two types with the same parts.
pub(super) fn is_told_apart(opcode: Op) -> bool {
    matches!(opcode, Op::TypeStruct | Op::TypeOpaque)
}

/// The most words of all descriptions together. Further types are not compared.
const MOST_WORDS: usize = 1 << 22;

/// Forward-declared types, with all of their parts.
#[derive(Debug)]
pub(super) struct RecursiveTypes {
    /// The first module with each type, and the ids there.
    known: HashMap<Vec<u32>, (usize, Vec<u32>)>,
    left: usize,
}

impl Default for RecursiveTypes {
    fn default() -> Self {
        Self { known: HashMap::new(), left: MOST_WORDS }
    }
}

/// Pairs of equivalent ids in two modules.
type Pairs = Vec<(u32, u32)>;

/// The description of a graph of types, and the types in the order in which they are visited.
struct Description {
    key: Vec<u32>,
    order: Vec<u32>,
}

impl RecursiveTypes {
    /// Finds an earlier module with the same type. Returns the module and the pairs of ids in both.
    pub(super) fn same(
        &mut self,
        module: usize,
        index: &Index<'_>,
        root: u32,
    ) -> Result<Option<(usize, Pairs)>, SpirvError> {
        let Some(Description { key, order }) = self.describe(index, root)? else { return Ok(None) };
        let Some((first, ids)) = self.known.get(&key) else {
            self.known.insert(key, (module, order));
            return Ok(None);
        };
        let pairs = order.into_iter().zip(ids.iter().copied()).collect();
        Ok((*first != module).then_some((*first, pairs)))
    }

    /// Describes the graph of types below this one. The description has each instruction with the numbers of its parts,
    /// in the order of the visit.
    fn describe(&mut self, index: &Index<'_>, root: u32) -> Result<Option<Description>, SpirvError> {
        let (mut key, mut order) = (Vec::new(), vec![root]);
        let mut numbers: HashMap<u32, u32> = HashMap::from([(root, 0)]);
        let mut at = 0;
        while let Some(&id) = order.get(at) {
            at += 1;
            let Some(inst) = index.definition(id) else { return Ok(None) };
            let mut operands = inst.operands.to_vec();
            index.ids(&inst, |at, part| {
                let new = order.len() as u32;
                let number = *numbers.entry(part).or_insert(new);
                if number == new {
                    order.push(part);
                }
                if let Some(operand) = operands.get_mut(at) {
                    *operand = number;
                }
            })?;
            key.extend([inst.raw_opcode.into(), operands.len() as u32]);
            key.extend(operands);
            for note in index.annotations(id) {
                let is_name = matches!(note.opcode, Op::Name | Op::MemberName);
                if note.opcode != Op::TypeForwardPointer && (is_told_apart(inst.opcode) || !is_name) {
                    key.extend([note.raw_opcode.into(), note.operands.len() as u32]);
                    key.extend(note.operands.iter().skip(1));
                }
            }
            if key.len() > self.left {
                self.left = 0;
                return Ok(None);
            }
        }
        self.left -= key.len();
        Ok(Some(Description { key, order }))
    }
}
