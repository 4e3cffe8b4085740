//! The form that more drivers take, on the images that need it.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use pi_image::spirv::{Index, Module, Reflection, op, portable};

/// How often a built-in variable is taken for something else than what it is.
fn casts(module: &Module) -> usize {
    let index = Index::new(module).unwrap();
    let built_in = |id: u32| index.decorations(id, op::decoration::BuiltIn).next().is_some();
    module.instructions().filter(|inst| inst.opcode == op::OpBitcast && built_in(inst.operand(2))).count()
}

fn rewritten(name: &str) -> (Module, Option<Module>) {
    let module = Module::parse(&common::image(name).bytes).unwrap();
    let made = portable(&module).unwrap();
    (module, made)
}

#[test]
fn components_are_taken_from_whole_vectors() {
    // The second takes the components at 8 and 16 bytes through further pointers.
    for name in ["vadd", "feat_wg.2", "mix"] {
        let (module, made) = rewritten(name);
        let made = made.unwrap();
        assert!(casts(&module) > 0, "{name}");
        assert_eq!(casts(&made), 0, "{name}");
    }
}

#[test]
fn a_host_accessible_variable_without_linkage_is_exported_by_its_unique_id() {
    let (module, made) = rewritten("dg_multi");
    let exported = |module: &Module| {
        let index = Index::new(module).unwrap();
        let linkage = Reflection::of(&index).unwrap().linkage;
        linkage.into_iter().map(|linkage| linkage.name).collect::<Vec<String>>()
    };
    let internal = "uid0123456789abcdef____ZL8Internal".to_owned();
    assert!(!exported(&module).contains(&internal));
    assert!(exported(&made.unwrap()).contains(&internal));
}

#[test]
fn structures_are_put_together_member_by_member() {
    let image = common::image("spec_struct");
    let emulated = pi_image::emulate::emulate(&image.parts()).unwrap().image;
    let module = Module::parse(&emulated.bytes).unwrap();
    let count =
        |module: &Module, opcode: u16| module.instructions().filter(|inst| inst.opcode == opcode).count();
    let wholes = count(&module, op::OpCompositeConstruct);
    assert!(wholes > 0);
    let made = portable(&module).unwrap().unwrap();
    assert_eq!(count(&made, op::OpCompositeConstruct), 0);
    assert!(count(&made, op::OpCompositeInsert) >= wholes);
    common::validate_like("spec_struct", &image.bytes, &made.to_bytes());
}

#[test]
fn nothing_is_done_twice_and_entry_points_stay() {
    let mut count = 0;
    for image in common::images() {
        let module = Module::parse(&image.bytes).unwrap();
        let Some(made) = portable(&module).unwrap() else { continue };
        count += 1;
        assert!(portable(&made).unwrap().is_none(), "{}", image.name);
        let entries = |module: &Module| {
            let index = Index::new(module).unwrap();
            format!("{:?}", Reflection::of(&index).unwrap().entry_points)
        };
        assert_eq!(entries(&made), entries(&module), "{}", image.name);
    }
    assert!(count > 0);
}
