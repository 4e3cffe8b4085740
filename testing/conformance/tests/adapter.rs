//! Judges a small adapter in C, whose faults are known.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sycl_ur_core::{Layout, TABLES, table};

const LAYOUT: Layout = Layout::V2025_3;

/// The functions of the adapter. It has as many platforms of one device as `PLATFORMS` says, its contexts are lost, and
/// it refuses everything else that it knows with a code that PI lacks.
const FUNCTIONS: &str = r#"
typedef unsigned u32;
static int object[4];
static u32 one(u32 room, void **list, u32 *count, u32 there) {
    if (count) *count = there;
    if (list && room && there) list[0] = object;
    return 0;
}
static u32 urAdapterGet(u32 room, void **list, u32 *count) { return one(room, list, count, 1); }
static u32 urPlatformGet(void *adapter, u32 room, void **list, u32 *count) { return one(room, list, count, PLATFORMS); }
static u32 urDeviceGet(void *platform, u32 type, u32 room, void **list, u32 *count) { return one(room, list, count, 1); }
static u32 urAdapterGetLastError(void *adapter, const char **text, int *code) {
    *text = "the driver sleeps";
    return 0;
}
static u32 urContextCreate(u32 count, void **devices, void *properties, void **context) { return 20; }
static u32 urPlatformGetInfo(void *platform, u32 name, unsigned long size, void *value, unsigned long *length) { return 66; }
"#;

/// Compiles the adapter, and returns its file.
fn adapter(platforms: u32) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("pi-conformance-{}-{platforms}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut source = format!("#define PLATFORMS {platforms}\n{FUNCTIONS}");
    for table in TABLES {
        let Some(getter) = table.getter_in(LAYOUT) else { continue };
        write!(source, "u32 {getter}(u32 version, void **table) {{ (void)table;").unwrap();
        for name in [
            "urAdapterGet",
            "urPlatformGet",
            "urDeviceGet",
            "urAdapterGetLastError",
            "urContextCreate",
            "urPlatformGetInfo",
        ] {
            let function = table::function(name).unwrap();
            if function.table == table.name {
                write!(source, " table[{}] = {name};", function.slot(LAYOUT).unwrap()).unwrap();
            }
        }
        source.push_str(" return 0; }\n");
    }
    let (text, file) = (folder.join("adapter.c"), folder.join("adapter.so"));
    std::fs::write(&text, source).unwrap();
    let built =
        Command::new("cc").args(["-w", "-shared", "-fPIC", "-o"]).arg(&file).arg(&text).status().unwrap();
    assert!(built.success());
    file
}

fn judge(adapter: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pi-conformance"));
    command.arg(adapter).args(["--layout", LAYOUT.name(), "--backend", "opencl", "--survey"]).args(words);
    let output = command.output().unwrap();
    std::fs::remove_dir_all(adapter.parent().unwrap()).unwrap();
    output
}

#[test]
fn a_failure_of_an_adapter_has_the_call_and_the_code_of_unified_runtime() {
    let output = judge(
        &adapter(1),
        &["--filter", "urContextCreate", "--filter", "PLT-16", "--filter", "piPluginInit"],
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    let after = |line: &str| lines.iter().position(|other| *other == line).map(|at| &lines[at + 1..at + 5]);
    let details =
        ["call      urContextCreate", "expected  UR_RESULT_SUCCESS", "got       UR_RESULT_ERROR_DEVICE_LOST"];
    let found = after("CTX-01 failed: create with 1 device").unwrap_or_else(|| panic!("{text}"));
    let found: Vec<&str> = found.iter().take(3).map(|line| line.trim()).collect();
    assert_eq!(found, details);
    let found = after("CTX-04 failed: null device list with count 1 / null out pointer / count 0");
    let expected = "UR_RESULT_ERROR_INVALID_VALUE, or a result for one kind of argument, such as";
    assert!(found.is_some_and(|lines| lines[1].contains(expected)), "{text}");
    assert!(text.contains("PLT-16 failed: urPlatformGetBackendOption with -O0"), "{text}");
    assert!(text.contains("skipped, UR has no such call: LD-01 LD-02 LD-03\n"), "{text}");
    // The first line has the file's name.
    let words = lines.iter().skip(1).flat_map(|line| line.split_whitespace());
    let of_pi: Vec<&str> = words.filter(|word| word.starts_with("PI_") || word.starts_with("pi")).collect();
    assert!(of_pi.is_empty(), "{of_pi:?}: {text}");
}

#[test]
fn an_adapter_without_a_device_tells_why() {
    let output = judge(&adapter(0), &[]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), &*errors), (Some(2), "error: no device: the driver sleeps\n"));
}
