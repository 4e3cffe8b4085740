//! Determines the functions that run, and what they need from their callers.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sycl_pi_image::spirv::{FunctionSpan, Index, Op};

use crate::subgroup_size::SubgroupSize;

/// A function, in the version for one sub-group size.
pub(crate) type SizedFunction = (u32, SubgroupSize);

/// Facts about the functions of a module, collected before their code is written.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// The functions that run, in the module's order, with their sub-group sizes.
    pub(crate) functions: Vec<(FunctionSpan, SubgroupSize)>,
    /// The ids that they use.
    uses: BTreeMap<u32, Uses>,
    /// Their callers.
    callers: HashMap<u32, Vec<u32>>,
    /// The functions that call others by address, directly or indirectly.
    indirect: HashSet<u32>,
    /// The functions that need the global offset, as three hidden parameters.
    offset: HashSet<u32>,
    /// Those of them that need the number of dimensions of the launch, as a fourth.
    work_dim: HashSet<u32>,
    /// Those of them that need the numbers of work-groups, as three more.
    group_counts: HashSet<u32>,
    /// The functions whose address is taken.
    addresses: HashSet<u32>,
    /// The sub-group size of the callers by address.
    address_size: Option<SubgroupSize>,
    /// The functions that a kernel with `ContractionOff` reaches.
    strict: HashSet<u32>,
}

#[derive(Debug, Default)]
struct Uses {
    calls: BTreeSet<u32>,
    offset: bool,
    work_dim: bool,
    groups: bool,
    indirect: bool,
}

/// The variables whose values come from the launch, through hidden parameters.
#[derive(Debug, Default)]
pub(crate) struct LaunchVariables {
    /// The variables that hold the global offset, or a value relative to it.
    pub(crate) offset: HashSet<u32>,
    /// The variables that hold the number of dimensions.
    pub(crate) work_dim: HashSet<u32>,
    /// The variables of a folded launch that depend on the work-group.
    pub(crate) groups: HashSet<u32>,
}

impl Reach {
    /// Analyzes the functions that can run from these roots.
    pub(crate) fn from_roots(
        index: &Index<'_>,
        roots: &[SizedFunction],
        launch: &LaunchVariables,
        strict: &[u32],
    ) -> Self {
        let mut addresses = HashSet::new();
        for inst in index.globals().filter(|inst| inst.opcode == Op::ConstantFunctionPointerINTEL) {
            addresses.insert(inst.operand(2));
        }
        let mut uses: BTreeMap<u32, Uses> = BTreeMap::new();
        let mut waiting: Vec<u32> = roots.iter().map(|(id, _)| id).chain(&addresses).copied().collect();
        while let Some(id) = waiting.pop() {
            if uses.contains_key(&id) {
                continue;
            }
            let found = index.function(id).map(|span| look(index, span, launch)).unwrap_or_default();
            waiting.extend(&found.calls);
            uses.insert(id, found);
        }
        let mut reach = Self { addresses, ..Self::default() };
        for (&id, found) in &uses {
            for &callee in &found.calls {
                reach.callers.entry(callee).or_default().push(id);
            }
        }
        reach.offset = reach.needing(&uses, |found| found.offset || found.work_dim || found.groups);
        reach.work_dim = reach.needing(&uses, |found| found.work_dim || found.groups);
        reach.group_counts = reach.needing(&uses, |found| found.groups);
        reach.spread_indirect(&uses);
        let mut waiting = strict.to_vec();
        while let Some(id) = waiting.pop() {
            if reach.strict.insert(id) {
                waiting.extend(uses.get(&id).into_iter().flat_map(|found| found.calls.iter()));
                if uses.get(&id).is_some_and(|found| found.indirect) {
                    waiting.extend(&reach.addresses);
                }
            }
        }
        reach.uses = uses;
        let calls_by_address = |(id, _): &&SizedFunction| reach.calls_by_address(*id);
        reach.address_size = roots.iter().find(calls_by_address).map(|(_, size)| *size);
        let running = reach.running(roots);
        let sizes = |span: &FunctionSpan| {
            let (span, running) = (*span, &running);
            let runs = move |size: &SubgroupSize| running.contains(&(span.id, *size));
            SubgroupSize::ALL.into_iter().filter(runs).map(move |size| (span, size))
        };
        reach.functions = index.functions.iter().flat_map(sizes).collect();
        reach
    }

    /// Returns everything that can run from these roots, and the functions called by address.
    pub(crate) fn running(&self, roots: &[SizedFunction]) -> BTreeSet<SizedFunction> {
        let mut found = BTreeSet::new();
        let mut waiting = roots.to_vec();
        waiting.extend(self.by_address());
        while let Some((id, size)) = waiting.pop() {
            if found.insert((id, size)) {
                let calls = self.uses.get(&id).into_iter().flat_map(|uses| &uses.calls);
                waiting.extend(calls.map(|&callee| (callee, size)));
            }
        }
        found
    }

    /// Returns the functions that call a function by name.
    pub(crate) fn callers(&self, id: u32) -> &[u32] {
        self.callers.get(&id).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the functions whose address is taken. Each is written only once, because the callers through a pointer
    /// are unknown.
    pub(crate) fn by_address(&self) -> impl Iterator<Item = SizedFunction> + '_ {
        let size = self.address_size();
        self.addresses.iter().map(move |&id| (id, size))
    }

    /// Returns the sub-group size for which functions called by address are written.
    pub(crate) fn address_size(&self) -> SubgroupSize {
        self.address_size.unwrap_or(SubgroupSize::Warp)
    }

    /// Returns whether a function calls others by address, directly or indirectly.
    pub(crate) fn calls_by_address(&self, id: u32) -> bool {
        self.indirect.contains(&id)
    }

    fn spread_indirect(&mut self, uses: &BTreeMap<u32, Uses>) {
        let mut waiting: Vec<u32> =
            uses.iter().filter(|(_, found)| found.indirect).map(|(&id, _)| id).collect();
        while let Some(id) = waiting.pop() {
            if self.indirect.insert(id) {
                waiting.extend(self.callers(id));
            }
        }
    }

    /// Returns the functions that need a hidden parameter. The need propagates from callees to callers; functions
    /// called by address either all take it or none does.
    fn needing(&self, uses: &BTreeMap<u32, Uses>, needs: impl Fn(&Uses) -> bool) -> HashSet<u32> {
        let mut all = HashSet::new();
        let mut waiting: Vec<u32> =
            uses.iter().filter(|(_, found)| needs(found)).map(|(&id, _)| id).collect();
        let mut by_address = false;
        while let Some(id) = waiting.pop() {
            if !all.insert(id) {
                continue;
            }
            waiting.extend(self.callers.get(&id).into_iter().flatten());
            if self.addresses.contains(&id) && !by_address {
                by_address = true;
                waiting.extend(&self.addresses);
                waiting.extend(uses.iter().filter(|(_, found)| found.indirect).map(|(&id, _)| id));
            }
        }
        all
    }

    /// Returns whether a function takes the global offset.
    pub(crate) fn takes_offset(&self, id: u32) -> bool {
        self.offset.contains(&id)
    }

    /// Returns whether a function takes the number of dimensions, after the global offset.
    pub(crate) fn takes_work_dim(&self, id: u32) -> bool {
        self.work_dim.contains(&id)
    }

    /// Returns whether a function takes the numbers of work-groups, after the number of dimensions.
    pub(crate) fn takes_group_counts(&self, id: u32) -> bool {
        self.group_counts.contains(&id)
    }

    /// Returns the names of a function's hidden parameters, which are `i64`.
    pub(crate) fn hidden(&self, id: u32) -> &'static [&'static str] {
        hidden_names(self.takes_offset(id), self.takes_work_dim(id), self.takes_group_counts(id))
    }

    /// Returns the hidden parameters of functions called by address.
    pub(crate) fn hidden_by_address(&self) -> &'static [&'static str] {
        let any = |needing: &HashSet<u32>| self.addresses.iter().any(|id| needing.contains(id));
        hidden_names(any(&self.offset), any(&self.work_dim), any(&self.group_counts))
    }

    /// Returns whether products and sums of a function must not be contracted.
    pub(crate) fn is_strict(&self, id: u32) -> bool {
        self.strict.contains(&id)
    }

    /// Returns whether there is a function that must not be contracted.
    pub(crate) fn has_strict(&self) -> bool {
        !self.strict.is_empty()
    }
}

fn hidden_names(offset: bool, work_dim: bool, group_counts: bool) -> &'static [&'static str] {
    const ALL: &[&str] =
        &["%offset0", "%offset1", "%offset2", "%work_dim", "%groups0", "%groups1", "%groups2"];
    let count = match (offset, work_dim, group_counts) {
        (_, _, true) => 7,
        (_, true, false) => 4,
        (true, false, false) => 3,
        (false, false, false) => 0,
    };
    ALL.get(..count).unwrap_or_default()
}

fn look(index: &Index<'_>, span: &FunctionSpan, launch: &LaunchVariables) -> Uses {
    let mut uses = Uses::default();
    for inst in index.module.range(span.first, span.end) {
        match inst.opcode {
            Op::FunctionCall => {
                uses.calls.insert(inst.operand(2));
            }
            Op::FunctionPointerCallINTEL => uses.indirect = true,
            Op::Name | Op::Line => {}
            _ => {
                let operand = inst.operand(2);
                uses.offset |= launch.offset.contains(&operand);
                uses.work_dim |= launch.work_dim.contains(&operand);
                uses.groups |= launch.groups.contains(&operand);
            }
        }
    }
    uses
}
