//! Groups of decorations. Each target has the decorations as if they had been written for it.

use sycl_pi_image::spirv::{Decoration, Index, LinkOptions, Module, Op, Reflection, SplitOptions, link};

use crate::assembler::{Assembler, pieces};

const UINT: u32 = 1;
const VOID: u32 = 2;
const KIND: u32 = 3;
const PAIR: u32 = 4;
const GROUP: u32 = 10;
const CONSTANT: u32 = 20;
const OTHER: u32 = 21;

/// Makes a module with a specialization constant, two equal functions and a structure. What `annotate` adds decorates
/// them.
fn module(annotate: impl Fn(&mut Assembler)) -> Assembler {
    let mut module = Assembler::new();
    module.entry(100, "first");
    module.entry(101, "second");
    annotate(&mut module);
    module.push(Op::TypeInt, &[UINT, 32, 0]);
    module.push(Op::TypeVoid, &[VOID]);
    module.push(Op::TypeFunction, &[KIND, VOID]);
    module.push(Op::TypeStruct, &[PAIR, UINT, UINT]);
    module.push(Op::SpecConstant, &[UINT, CONSTANT, 7]);
    module.push(Op::Constant, &[UINT, OTHER, 8]);
    for (function, label, sum) in [(100, 200, 300), (101, 201, 301)] {
        module.function([VOID, KIND, function], &[], label, &[(Op::IAdd, &[UINT, sum, CONSTANT, OTHER])]);
    }
    module
}

const SPEC_ID: u32 = Decoration::SpecId as u32;
const NO_WRAP: u32 = Decoration::NoSignedWrap as u32;
const RELAXED: u32 = Decoration::RelaxedPrecision as u32;
const OFFSET: u32 = Decoration::Offset as u32;

/// The decorations in groups, one of which is empty.
fn grouped(module: &mut Assembler) {
    module.push_text(Op::Name, &[GROUP], "group", &[]);
    module.push(Op::Decorate, &[GROUP, NO_WRAP]);
    module.push(Op::Decorate, &[GROUP, RELAXED]);
    module.push(Op::DecorationGroup, &[GROUP]);
    module.push(Op::Decorate, &[GROUP + 1, SPEC_ID, 5]);
    module.push(Op::DecorationGroup, &[GROUP + 1]);
    module.push(Op::Decorate, &[GROUP + 2, OFFSET, 4]);
    module.push(Op::DecorationGroup, &[GROUP + 2]);
    module.push(Op::DecorationGroup, &[GROUP + 3]);
    module.push(Op::GroupDecorate, &[GROUP, 300, 301]);
    module.push(Op::GroupDecorate, &[GROUP + 1, CONSTANT]);
    module.push(Op::GroupMemberDecorate, &[GROUP + 2, PAIR, 0, PAIR, 1]);
    module.push(Op::GroupDecorate, &[GROUP + 3, 300]);
}

/// The same decorations one by one.
fn single(module: &mut Assembler) {
    for sum in [300, 301] {
        module.push(Op::Decorate, &[sum, NO_WRAP]);
        module.push(Op::Decorate, &[sum, RELAXED]);
    }
    module.push(Op::Decorate, &[CONSTANT, SPEC_ID, 5]);
    for member in [0, 1] {
        module.push(Op::MemberDecorate, &[PAIR, member, OFFSET, 4]);
    }
}

#[test]
fn a_module_with_groups_is_read_as_one_without() {
    let groups = module(grouped).module();
    assert_eq!(groups, module(single).module());
    let index = Index::new(&groups).unwrap();
    let reflection = Reflection::of(&index).unwrap();
    assert_eq!(reflection.spec_constants[0].leaves[0].id, 5);
}

#[test]
fn a_module_with_groups_is_split_and_linked() {
    let whole = module(grouped).module();
    let kept = |module: &Module| {
        let index = Index::new(module).unwrap();
        let notes = index.globals().filter(|inst| inst.decoration().is_some());
        notes.map(|inst| inst.operand(1)).collect::<Vec<_>>()
    };
    let split = pieces(&whole, &SplitOptions::default());
    assert!(split.iter().all(|(_, piece)| kept(piece).contains(&NO_WRAP)), "{split:?}");
    let linked = link(&[("whole", &Index::new(&whole).unwrap())], LinkOptions::default()).unwrap();
    assert_eq!(kept(&linked).iter().filter(|kind| **kind == NO_WRAP).count(), 2);
}

#[test]
fn groups_that_are_none_or_would_fill_the_memory_are_refused() {
    let parse =
        |annotate: fn(&mut Assembler)| Module::parse(&module(annotate).bytes()).unwrap_err().to_string();
    let none = parse(|module| module.push(Op::GroupDecorate, &[GROUP, 300]));
    assert!(none.contains("id 10 is not a group of decorations"), "{none}");
    let reference = parse(|module| {
        module.push(Op::DecorateId, &[GROUP, Decoration::AlignmentId as u32, OTHER]);
        module.push(Op::DecorationGroup, &[GROUP]);
        module.push(Op::GroupMemberDecorate, &[GROUP, PAIR, 0]);
    });
    assert!(reference.contains("a member of a structure does not have such a decoration"), "{reference}");
    // 60,000 decorations of 60,000 targets.
    let many = parse(|module| {
        (0..60_000).for_each(|_| module.push(Op::Decorate, &[GROUP, RELAXED]));
        module.push(Op::DecorationGroup, &[GROUP]);
        let targets: Vec<u32> = [GROUP].into_iter().chain([300; 60_000]).collect();
        module.push(Op::GroupDecorate, &targets);
    });
    assert!(many.contains("the groups of decorations are too large"), "{many}");
}
