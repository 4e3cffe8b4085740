//! Functions that need what their kernel does not expect.

use std::collections::{BTreeMap, BTreeSet};

use sycl_pi_image::spirv::{Index, LinkOptions, Module, Reflection, link, mismatches};

use crate::common;

/// `foo` calls `bar`, and that calls `boo`, which uses double: the design's example, at the end of a chain of images.
#[test]
fn the_designs_chain() {
    let names = ["dl_a", "dl_b", "dl_c"];
    let modules = names.map(|name| Module::parse(&common::image(name).bytes).unwrap());
    let indices: Vec<Index<'_>> = modules.iter().map(|module| Index::new(module).unwrap()).collect();
    let named: Vec<(&str, &Index<'_>)> = names.into_iter().zip(&indices).collect();
    let whole = link(&named, LinkOptions::default()).unwrap();
    let index = Index::new(&whole).unwrap();
    let mut reflection = Reflection::of(&index).unwrap();
    let last = reflection.linkage.iter().find(|symbol| symbol.name == "_Z2fci").unwrap().id;
    let callee = reflection.call_graph.functions.iter_mut().find(|callee| callee.id == last).unwrap();
    assert!(callee.aspects.is_empty());
    callee.aspects.insert(sycl_pi_image::aspect::FP64);

    let expected = BTreeMap::from([("_ZTS3DlA".to_owned(), BTreeSet::new())]);
    let found = mismatches(&index, &reflection, &expected);
    let text: Vec<String> = found.iter().map(ToString::to_string).collect();
    let wanted = "warning: function '_Z2fci' uses aspect 'fp64' not expected by its calling kernel. Missing \
                  [[sycl::device_has()]] on SYCL_EXTERNAL function?\nuse is from this call chain:\n  _ZTS3DlA()\n  \
                  _Z2fbi()\n  _Z2fci()\ncompile with '-g' to get source location";
    assert_eq!(text, [wanted]);

    let expected = BTreeMap::from([("_ZTS3DlA".to_owned(), BTreeSet::from([sycl_pi_image::aspect::FP64]))]);
    assert!(mismatches(&index, &reflection, &expected).is_empty(), "a kernel that expects it is not warned");
}
