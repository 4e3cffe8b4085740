//! Output on a terminal of 80 columns has no wider line and no broken word.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod install_support;

use std::collections::BTreeSet;
use std::process::Command;

use install_support::Tree;

const WIDTH: usize = 80;

/// Returns what `pi` prints on a terminal of 80 columns, without colours.
fn on_terminal(words: &[&str]) -> String {
    let typed: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let line =
        format!("stty columns {WIDTH} rows 24; exec '{}' {}", env!("CARGO_BIN_EXE_pi"), typed.join(" "));
    // `script` opens a terminal for its command. It is in each Debian.
    let mut script = Command::new("script");
    script.args(["--quiet", "--command", &line, "/dev/null"]).env("NO_COLOR", "1").env_remove("COLUMNS");
    let output = script.stdin(std::process::Stdio::null()).output().unwrap();
    String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n")
}

/// Returns what `pi` prints into a pipe.
fn in_pipe(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_pi")).args(words).env("COLUMNS", "1000").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the commands in a help text.
fn commands(help: &str) -> Vec<String> {
    let rows = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let rows = rows.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("     "));
    rows.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

fn check_width(words: &[&str], text: &str) {
    for line in text.lines() {
        assert!(line.chars().count() <= WIDTH, "pi {}: {line}", words.join(" "));
    }
}

#[test]
fn help_fits_and_no_line_to_type_is_wrapped() {
    let mut asked = vec![vec![]];
    for command in commands(&in_pipe(&["--help"])).into_iter().filter(|command| command != "help") {
        let below = commands(&in_pipe(&[&command, "--help"]));
        let below = below.into_iter().filter(|below| below != "help");
        asked.extend(below.map(|below| vec![command.clone(), below]));
        asked.push(vec![command]);
    }
    assert!(asked.len() > 20, "{asked:?}");
    let mut examples = 0;
    for words in asked {
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        words.push("--help");
        let [narrow, wide] = [on_terminal(&words), in_pipe(&words)];
        check_width(&words, &narrow);
        let typed = wide.lines().skip_while(|line| !line.starts_with("Example")).skip(1);
        for line in typed.take_while(|line| !line.is_empty()) {
            examples += 1;
            assert!(narrow.lines().any(|other| other == line), "pi {}: wrapped: {line}", words.join(" "));
        }
    }
    assert!(examples > 30, "{examples}");
}

#[test]
fn reports_of_an_install_fit_and_break_no_word() {
    let tree = Tree::new();
    // A folder that makes most lines too long.
    let folder = tree.root.path().join("an-environment-in-a-folder-with-a-name-of-some-length");
    std::fs::rename(tree.venv(), &folder).unwrap();
    let [folder, ours] = [folder, tree.ours.clone()].map(|path| path.to_str().unwrap().to_owned());
    let commands: [&[&str]; 4] = [
        &["status", &folder],
        &["install", &folder, "--plugin", &ours, "--dry-run"],
        &["install", &folder, "--plugin", &ours],
        &["uninstall", &folder, "--dry-run"],
    ];
    for words in commands {
        let wide = in_pipe(words);
        let narrow = on_terminal(words);
        check_width(words, &narrow);
        let all = |text: &str| text.split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>();
        // The second install finds the first one's files.
        if words.len() != 4 {
            assert_eq!(all(&narrow), all(&wide), "pi {}", words.join(" "));
        }
        assert!(wide.lines().any(|line| line.chars().count() > WIDTH), "nothing is too long: {wide}");
    }
}

/// A list of devices is a table if it fits, and a dumb terminal gets no colours.
#[test]
fn a_terminal_of_80_columns_has_tables_and_colours_unless_it_is_dumb() {
    let tree = Tree::new();
    let plugin = tree.root.path().join("devices").join(install_support::NAME);
    install_support::compile(&plugin, &[install_support::EVERY_VERSION, "DEVICES"]);
    let words = ["ls", "--plugin", plugin.to_str().unwrap()];
    assert!(on_terminal(&words).contains("│ [opencl:cpu:0]"), "{}", on_terminal(&words));
    let colours = |term: &str| {
        let line = format!("exec '{}' ls -v --plugin '{}'", env!("CARGO_BIN_EXE_pi"), plugin.display());
        let mut script = Command::new("script");
        script.args(["--quiet", "--command", &line, "/dev/null"]).env("TERM", term).env_remove("NO_COLOR");
        let output = script.stdin(std::process::Stdio::null()).output().unwrap();
        String::from_utf8(output.stdout).unwrap().contains("\x1b[")
    };
    assert_eq!((colours("xterm"), colours("dumb")), (true, false));
}

#[test]
fn a_comparison_fits() {
    let file = tempfile::NamedTempFile::new().unwrap();
    // As long as the device and driver of Intel's CPU runtime, and an operation that needs two lines.
    let device = "AMD EPYC, OpenCL 3.0 (Build 0), driver 2026.20.3.0.19_160000.xmain-hotfix";
    let call = r#"{"name": "launch behind an event + event release", "ours": 1316.0, "vendor": 1293.0, "bare": 1205.0}"#;
    let result = format!(r#"{{"version": "2025.3", "device": "{device}", "calls": [{call}]}}"#);
    std::fs::write(file.path(), result).unwrap();
    let words = ["bench", "--from", file.path().to_str().unwrap()];
    let narrow = on_terminal(&words);
    check_width(&words, &narrow);
    assert!(narrow.contains("2025.3") && narrow.contains("1316"), "{narrow}");
}
