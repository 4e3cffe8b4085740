//! Sends the same queries to our plugin and the vendor's at the vendor's version, each in separate processes.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::io::Write;
use std::path::Path;
use std::ptr::null_mut;

use testing_opencl::*;

use super::differences::{self, Verdict};
use super::report;

pub(super) fn register(registry: &mut Registry) {
    registry.add("device_info::matches_the_vendors_plugin", true, matches_the_vendors_plugin);
}

/// Set in a grandchild: the plugin to query, its version, and where to continue after a crash.
const PLUGIN: &str = "PI_OPENCL_TESTS_ASK_PLUGIN";
const VERSION: &str = "PI_OPENCL_TESTS_ASK_VERSION";
const FROM: &str = "PI_OPENCL_TESTS_ASK_FROM";
/// The variable with the path for the table, if it is wanted.
const DOCUMENT: &str = "PI_COMPARISON_DOCUMENT";

/// The kind of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Platform,
    Device,
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Value(Vec<u8>),
    Refused(pi_result),
    Crash,
}

/// Returns the names and numbers of all queries, from the constants themselves.
pub(super) fn numbers(kind: Kind) -> Vec<(&'static str, u32)> {
    let (text, ty) = match kind {
        Kind::Platform => {
            (include_str!("../../../../../pi-core/src/consts/platform.rs"), ": pi_platform_info = ")
        }
        Kind::Device => (include_str!("../../../../../pi-core/src/consts/device.rs"), ": pi_device_info = "),
    };
    let parse = |line: &'static str| {
        let (name, value) = line.strip_prefix("pub const ")?.split_once(ty)?;
        let value = value.strip_suffix(';')?;
        let value = match value.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => value.parse(),
        };
        Some((name, value.unwrap()))
    };
    text.lines().filter_map(parse).collect()
}

fn questions() -> Vec<(Kind, &'static str, u32)> {
    let all = [Kind::Platform, Kind::Device];
    all.into_iter()
        .flat_map(|kind| numbers(kind).into_iter().map(move |(name, number)| (kind, name, number)))
        .collect()
}

fn matches_the_vendors_plugin() {
    if let Ok(path) = std::env::var(PLUGIN) {
        return ask(Path::new(&path));
    }
    let theirs = std::env::var("PI_VENDOR_PLUGIN").unwrap();
    let version = vendor_version(&theirs);
    let ours = plugin_file().to_string_lossy().into_owned();
    let (ours, theirs) = (answers(&ours, version), answers(&theirs, version));

    let mut rows = Vec::new();
    let mut wrong = Vec::new();
    for (index, (kind, name, number)) in questions().into_iter().enumerate() {
        let (our, their) = (&ours[&index], &theirs[&index]);
        if *our == Answer::Crash {
            wrong.push(format!("{name}: ours crashed"));
            continue;
        }
        match differences::judge(version, kind, number, our, their) {
            Verdict::Same => {}
            Verdict::Declared(reason) => rows.push(report::Row::new(name, number, our, their, reason)),
            Verdict::Wrong => wrong.push(format!(
                "{name} {number:#x}: ours {}, theirs {}",
                report::shown(our),
                report::shown(their)
            )),
        }
    }
    println!("PI {}: {} numbers, {} differences declared", version.text(), ours.len(), rows.len());
    assert!(wrong.is_empty(), "PI {}: {wrong:#?}", version.text());
    if let Some(path) = std::env::var_os(DOCUMENT) {
        report::write(Path::new(&path), version, ours.len(), &rows);
    }
}

/// Returns the version that the vendor's plugin supports. A separate process reports it, which keeps the plugin out of
/// this one.
fn vendor_version(path: &str) -> Version {
    let own = std::env::var(child::CASE).unwrap();
    let text = child::run(&own, &[(PLUGIN, path.into()), (VERSION, "?".into())])
        .unwrap_or_else(|why| panic!("{why}"));
    Version::from_text(text.trim().as_bytes()).unwrap_or_else(|| panic!("no version: {text}"))
}

/// Returns all answers of a plugin by the query's index. A crash costs one query, and a new process makes the remaining
/// ones.
fn answers(path: &str, version: Version) -> BTreeMap<usize, Answer> {
    let own = std::env::var(child::CASE).unwrap();
    let count = questions().len();
    let mut answers = BTreeMap::new();
    let mut from = 0;
    while from < count {
        let variables =
            [(PLUGIN, path.to_owned()), (VERSION, version.text().into()), (FROM, from.to_string())];
        let text = child::output(&own, &variables).unwrap_or_else(|why| panic!("{why}"));
        let before = answers.len();
        for line in text.lines() {
            let mut fields = line.split(' ');
            let (Some("answer"), Some(index)) = (fields.next(), fields.next()) else { continue };
            let answer = match (fields.next().unwrap(), fields.next()) {
                ("0", hex) => Answer::Value(from_hex(hex.unwrap_or_default())),
                (code, _) => Answer::Refused(code.parse().unwrap()),
            };
            answers.insert(index.parse::<usize>().unwrap(), answer);
        }
        let next = answers.last_key_value().map_or(0, |(last, _)| last + 1);
        if next < count {
            assert!(answers.len() > before || next == from, "no progress: {text}");
            answers.insert(next, Answer::Crash);
        }
        from = next + 1;
    }
    answers
}

fn from_hex(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks_exact(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// In the grandchild: makes each query in turn, and prints the answer before the next.
fn ask(path: &Path) {
    let mut out = std::io::stdout();
    let wanted = std::env::var(VERSION).unwrap();
    let Some(version) = Version::from_text(wanted.as_bytes()) else {
        // SAFETY: the test names the file, and trusts it.
        let plugin = unsafe { sycl_pi_loader::Plugin::open(path) }.unwrap_or_else(|error| panic!("{error}"));
        println!("{}", plugin.version.text());
        return;
    };
    let pi = open(path, version);
    let f = Fixture::of(pi);
    let from: usize = std::env::var(FROM).unwrap().parse().unwrap();
    for (index, (kind, _, number)) in questions().into_iter().enumerate().skip(from) {
        let (code, value) = match kind {
            // SAFETY: the fixture's platform, and the buffer that `raw` provides.
            Kind::Platform => raw(|size, value, ret| unsafe {
                pi.piPlatformGetInfo.unwrap()(f.platform, number, size, value, ret)
            }),
            // SAFETY: the fixture's device, and the buffer that `raw` provides.
            Kind::Device => raw(|size, value, ret| unsafe {
                pi.piDeviceGetInfo.unwrap()(f.device, number, size, value, ret)
            }),
        };
        let hex: String = value.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(out, "answer {index} {code} {hex}").unwrap();
        out.flush().unwrap();
    }
}

/// Returns the code, and the value's bytes. Bytes that the plugin did not write stay 0xaa.
fn raw(ask: impl Fn(usize, *mut c_void, *mut usize) -> pi_result) -> (pi_result, Vec<u8>) {
    let mut size = 0;
    let code = ask(0, null_mut(), &mut size);
    if code != PI_SUCCESS || size == 0 {
        return (code, Vec::new());
    }
    let mut value = vec![0xaa; size];
    let code = ask(size, value.as_mut_ptr().cast(), null_mut());
    (code, if code == PI_SUCCESS { value } else { Vec::new() })
}
