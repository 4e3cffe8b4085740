//! Compares the types with the C headers: a C compiler asserts the same numbers in `ctests/level_zero_abi.c`.

use std::fmt::Write as _;

use crate::types;

/// A structure's name, its size, and its fields with their offsets.
pub(crate) type Struct = (&'static str, usize, &'static [(&'static str, usize)]);

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ctests/level_zero_abi.inc");

/// Returns the content of the file with the assertions of the C test.
fn text() -> String {
    let structs: [&[Struct]; 16] = [
        types::common::STRUCTS,
        types::context::STRUCTS,
        types::device::STRUCTS,
        types::driver::STRUCTS,
        types::event::STRUCTS,
        types::extensions::STRUCTS,
        types::fence::STRUCTS,
        types::image::STRUCTS,
        types::kernel::STRUCTS,
        types::list::STRUCTS,
        types::memory::STRUCTS,
        types::module::STRUCTS,
        types::queue::STRUCTS,
        types::sampler::STRUCTS,
        types::sysman::STRUCTS,
        types::virtual_memory::STRUCTS,
    ];
    let values: [&[(&str, u32)]; 26] = [
        types::device::ENUMS,
        types::driver::ENUMS,
        types::image::ENUMS,
        types::list::ENUMS,
        types::memory::ENUMS,
        types::module::ENUMS,
        types::queue::ENUMS,
        types::result::ENUMS,
        types::sampler::ENUMS,
        types::structure_type::ENUMS,
        types::sysman::ENUMS,
        types::virtual_memory::ENUMS,
        types::common::FLAGS,
        types::context::FLAGS,
        types::device::FLAGS,
        types::driver::FLAGS,
        types::event::FLAGS,
        types::extensions::FLAGS,
        types::fence::FLAGS,
        types::image::FLAGS,
        types::kernel::FLAGS,
        types::list::FLAGS,
        types::memory::FLAGS,
        types::module::FLAGS,
        types::queue::FLAGS,
        types::virtual_memory::FLAGS,
    ];
    let mut text = String::from(
        "/* Sizes, offsets and values of plugins/level-zero-sys, for level_zero_abi.c. Written by that crate's tests\n\
         \x20* with UPDATE_GOLDEN=1. Do not edit. */\n",
    );
    for (name, number) in values.into_iter().flatten() {
        let _ = writeln!(text, "VALUE({name}, {number:#x})");
    }
    for (name, size, fields) in structs.into_iter().flatten() {
        let _ = writeln!(text, "SIZE({name}, {size})");
        for (field, offset) in *fields {
            let _ = writeln!(text, "OFFSET({name}, {}, {offset})", field.trim_start_matches("r#"));
        }
    }
    text.push_str("#ifdef LEVEL_ZERO_NEWER\n");
    for (name, size, fields) in types::newer::STRUCTS {
        let _ = writeln!(text, "SIZE({name}, {size})");
        for (field, offset) in *fields {
            let _ = writeln!(text, "OFFSET({name}, {field}, {offset})");
        }
    }
    for (name, number) in [
        ("ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT", types::ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT.0),
        (
            "ZE_STRUCTURE_TYPE_EXTERNAL_MEMMAP_SYSMEM_EXT_DESC",
            types::ZE_STRUCTURE_TYPE_EXTERNAL_MEMMAP_SYSMEM_EXT_DESC.0,
        ),
        ("ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP", types::ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP),
        ("ZE_COMMAND_LIST_FLAG_IN_ORDER", types::ZE_COMMAND_LIST_FLAG_IN_ORDER),
        ("ZE_COMMAND_QUEUE_FLAG_IN_ORDER", types::ZE_COMMAND_QUEUE_FLAG_IN_ORDER),
    ] {
        let _ = writeln!(text, "VALUE({name}, {number:#x})");
    }
    text.push_str("#endif\n");
    text
}

#[test]
fn as_in_the_c_headers() {
    let text = text();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(FILE, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(FILE).unwrap() == text,
        "ctests/level_zero_abi.inc is not what the types are: UPDATE_GOLDEN=1 writes it, the C test then judges it"
    );
}

#[test]
fn a_default_has_its_type() {
    assert_eq!(types::ze_device_properties_t::default().stype, types::ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES);
    assert_eq!(types::ze_copy_region_t::default().width, 0);
}

#[test]
fn errors_have_words() {
    use crate::{AnsweredBy, ZeError};
    let result = types::ZE_RESULT_ERROR_DEVICE_LOST;
    let by = AnsweredBy::Driver;
    let text = ZeError { call: "zeFenceQueryStatus", result, by }.to_string();
    assert_eq!(text, "zeFenceQueryStatus answered ZE_RESULT_ERROR_DEVICE_LOST (0x70000001)");
}
