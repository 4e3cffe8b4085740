//! Which functions run, and what they need from whoever calls them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sycl_pi_image::spirv::{FunctionSpan, Index, Op};

/// What is known of the functions of a module before their code is written.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// Functions that run, in the module's order.
    pub(crate) functions: Vec<FunctionSpan>,
    /// Those that need the global offset, as three hidden parameters.
    offset: HashSet<u32>,
    /// Those whose address is taken.
    addresses: HashSet<u32>,
    /// Those that a kernel with `ContractionOff` reaches.
    strict: HashSet<u32>,
}

#[derive(Default)]
struct Uses {
    calls: BTreeSet<u32>,
    offset: bool,
    indirect: bool,
}

impl Reach {
    /// Looks through the functions that can run from these roots.
    pub(crate) fn from_roots(
        index: &Index<'_>,
        roots: &[u32],
        offset: &HashSet<u32>,
        strict: &[u32],
    ) -> Self {
        let mut addresses = HashSet::new();
        for inst in index.globals().filter(|inst| inst.opcode == Op::ConstantFunctionPointerINTEL) {
            addresses.insert(inst.operand(2));
        }
        let mut uses: BTreeMap<u32, Uses> = BTreeMap::new();
        let mut waiting: Vec<u32> = roots.iter().chain(&addresses).copied().collect();
        while let Some(id) = waiting.pop() {
            if uses.contains_key(&id) {
                continue;
            }
            let found = index.function(id).map(|span| look(index, span, offset)).unwrap_or_default();
            waiting.extend(&found.calls);
            uses.insert(id, found);
        }
        let mut reach = Self { addresses, ..Self::default() };
        reach.functions =
            index.functions.iter().filter(|span| uses.contains_key(&span.id)).copied().collect();
        reach.spread_offset(&uses);
        let mut waiting = strict.to_vec();
        while let Some(id) = waiting.pop() {
            if reach.strict.insert(id) {
                waiting.extend(uses.get(&id).into_iter().flat_map(|found| found.calls.iter()));
                if uses.get(&id).is_some_and(|found| found.indirect) {
                    waiting.extend(&reach.addresses);
                }
            }
        }
        reach
    }

    /// The need of the offset goes from callees to callers; functions that are called by address all get it or none.
    fn spread_offset(&mut self, uses: &BTreeMap<u32, Uses>) {
        let mut callers: HashMap<u32, Vec<u32>> = HashMap::new();
        for (&id, found) in uses {
            for &callee in &found.calls {
                callers.entry(callee).or_default().push(id);
            }
        }
        let mut waiting: Vec<u32> =
            uses.iter().filter(|(_, found)| found.offset).map(|(&id, _)| id).collect();
        let mut by_address = false;
        while let Some(id) = waiting.pop() {
            if !self.offset.insert(id) {
                continue;
            }
            waiting.extend(callers.get(&id).into_iter().flatten());
            if self.addresses.contains(&id) && !by_address {
                by_address = true;
                waiting.extend(&self.addresses);
                waiting.extend(uses.iter().filter(|(_, found)| found.indirect).map(|(&id, _)| id));
            }
        }
    }

    /// Whether a function takes the global offset.
    pub(crate) fn takes_offset(&self, id: u32) -> bool {
        self.offset.contains(&id)
    }

    /// Whether functions that are called by address take the global offset.
    pub(crate) fn addresses_take_offset(&self) -> bool {
        self.addresses.iter().any(|id| self.offset.contains(id))
    }

    /// Whether products and sums of a function must not be contracted.
    pub(crate) fn is_strict(&self, id: u32) -> bool {
        self.strict.contains(&id)
    }

    /// Whether any function must not be contracted.
    pub(crate) fn has_strict(&self) -> bool {
        !self.strict.is_empty()
    }
}

fn look(index: &Index<'_>, span: &FunctionSpan, offset: &HashSet<u32>) -> Uses {
    let mut uses = Uses::default();
    for inst in index.module.range(span.first, span.end) {
        match inst.opcode {
            Op::FunctionCall => {
                uses.calls.insert(inst.operand(2));
            }
            Op::FunctionPointerCallINTEL => uses.indirect = true,
            Op::Name | Op::Line => {}
            _ => uses.offset |= inst.operands.iter().skip(2).take(1).any(|id| offset.contains(id)),
        }
    }
    uses
}
