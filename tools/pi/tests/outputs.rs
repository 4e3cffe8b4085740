//! Outputs of commands: permissions, links, devices and pipes.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn image(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/image/tests/images").join(name)
}

/// Links two modules into `output`, with this umask.
fn link(output: &Path, umask: &str) {
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        "umask $1; shift; exec \"$@\"",
        "sh",
        umask,
        env!("CARGO_BIN_EXE_pi"),
        "image",
        "link",
    ]);
    let done =
        shell.args(["dl_a.spv", "dl_b.spv", "dl_c.spv"].map(image)).arg("-o").arg(output).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

fn mode(file: &Path) -> u32 {
    fs::metadata(file).unwrap().permissions().mode() & 0o777
}

#[test]
fn new_files_get_what_the_umask_leaves_and_others_keep_their_permissions() {
    let folder = tempfile::tempdir().unwrap();
    for (umask, expected) in [("077", 0o600), ("027", 0o640), ("022", 0o644), ("002", 0o664)] {
        let output = folder.path().join(umask).with_extension("spv");
        link(&output, umask);
        assert_eq!((mode(&output), mode(&output.with_extension("prop"))), (expected, expected));
        fs::set_permissions(&output, fs::Permissions::from_mode(0o600)).unwrap();
        link(&output, "000");
        assert_eq!(mode(&output), 0o600);
    }
}

#[test]
fn a_device_stays_a_device_and_gets_no_file_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let null = folder.path().join("null");
    symlink("/dev/null", &null).unwrap();
    link(&null, "022");
    assert_eq!(fs::read_link(&null).unwrap(), Path::new("/dev/null"));
    assert!(fs::metadata(&null).unwrap().file_type().is_char_device());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn the_file_that_a_link_leads_to_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let (name, real) = (folder.path().join("name.spv"), folder.path().join("real"));
    symlink("real", &name).unwrap();
    link(&name, "022");
    assert_eq!(fs::read_link(&name).unwrap(), Path::new("real"));
    assert!(fs::read(&real).unwrap().starts_with(&[3, 2, 0x23, 7]));
}

/// The ratio in the middle is that of the operation in the middle, in whichever order they are.
#[test]
fn a_comparison_is_shown_with_its_ratios_and_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let result = folder.path().join("result.json");
    let call = |(ours, vendor): (u32, u32)| {
        format!(r#"{{"name": "o", "ours": {ours}, "vendor": {vendor}, "bare": 1}}"#)
    };
    let calls = [(300, 100), (50, 100), (150, 100)].map(call).join(",");
    let text = format!(r#"{{"version": "PI 15.47", "device": "d", "calls": [{calls}]}}"#);
    fs::write(&result, &text).unwrap();
    let mut pi = Command::new(env!("CARGO_BIN_EXE_pi"));
    let shown = pi.args(["bench", "--from"]).arg(&result).output().unwrap().stdout;
    let shown = String::from_utf8(shown).unwrap();
    for row in ["3.00", "0.50", "1.50"] {
        assert!(shown.lines().any(|line| line.split(' ').any(|word| word == row)), "{row}: {shown}");
    }
    assert!(shown.trim_end().ends_with("3 operations; ours / vendor in the middle: 1.50"), "{shown}");
    let mut pi = Command::new(env!("CARGO_BIN_EXE_pi"));
    let drawn = pi.args(["bench", "--from"]).arg(&result).arg("--svg").arg(&result).output().unwrap();
    assert!(!drawn.status.success());
    assert_eq!(fs::read_to_string(&result).unwrap(), text);
}

#[test]
fn a_pipe_gets_the_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (pipe, file) = (folder.path().join("pipe"), folder.path().join("file.spv"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader =
        Command::new("timeout").args(["60", "cat"]).arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
    link(&pipe, "022");
    link(&file, "022");
    assert_eq!(reader.wait_with_output().unwrap().stdout, fs::read(&file).unwrap());
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
}
