//! Any text as a property file, a file table, an image's JSON, a device configuration.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pi_image::filter::DeviceConfig;
use pi_image::text::{FileTable, read_json, read_prop, write_prop};

fuzz_target!(|text: &str| {
    if let Ok(sets) = read_prop("a.prop", text) {
        let written = write_prop("a.prop", &sets).expect("what was read can be written");
        assert_eq!(read_prop("a.prop", &written).expect("what was written can be read"), sets);
    }
    if let Ok(table) = FileTable::read("a.table", text) {
        let _ = FileTable::read("a.table", &table.write());
    }
    let _ = read_json("a.json", text, &[]);
    let _ = DeviceConfig::read("a.yaml", text);
});
