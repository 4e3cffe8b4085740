//! Quoting of text for a shell.

use std::path::Path;

use crate::output::escaped;

/// Quotes the text as one word of a shell: in single quotes if it contains special characters.
pub fn quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=@%+,".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    let in_quotes = |text: &str| text.replace('\'', r"'\''");
    if !text.contains(is_obeyed) {
        return format!("'{}'", in_quotes(text));
    }
    let of_printf = text.replace('\\', r"\\").replace('%', "%%");
    let mut shown = String::new();
    for letter in in_quotes(&of_printf).chars() {
        match letter {
            letter if is_obeyed(letter) => {
                let mut bytes = [0; 4];
                shown.extend(letter.encode_utf8(&mut bytes).bytes().map(|byte| format!("\\{byte:03o}")));
            }
            letter => shown.push(letter),
        }
    }
    format!("\"$(printf '{shown}')\"")
}

/// Returns whether a character controls a terminal. The shell then generates it, so the line can be printed.
fn is_obeyed(letter: char) -> bool {
    letter != '\n' && escaped(letter.encode_utf8(&mut [0; 4])) != letter.to_string()
}

/// Returns the command that installs packages with the Python of the first of these environments that has one.
pub fn pip_install<'r>(roots: impl IntoIterator<Item = &'r Path>) -> String {
    let python = roots.into_iter().map(|root| root.join("bin/python")).find(|python| python.exists());
    python.map_or("pip install".into(), |python| format!("{} -m pip install", path(&python)))
}

/// Quotes a path as one word of a shell.
pub fn path(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

/// Returns the command that sets a variable.
pub fn export(name: &str, value: &str) -> String {
    format!("export {name}={}", quoted(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        for text in [
            "plain/path-1.2_3",
            "",
            "two words",
            "it's",
            "a;b",
            "$HOME",
            "*",
            "~/x",
            "ä",
            "a\nb",
            "\u{1b}[31m 100% 'red' \\n \r\u{9b}2J",
            "\u{7}it's",
            "intel==2024.2.*",
        ] {
            let output = std::process::Command::new("sh")
                .args(["-c", &format!("printf %s {}", quoted(text))])
                .output()
                .unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), text);
            assert!(!quoted(text).contains(['\u{1b}', '\u{7}', '\r', '\u{9b}']));
        }
        assert_eq!(quoted("/srv/venv"), "/srv/venv");
        assert_eq!(export("A", "b c"), "export A='b c'");
    }
}
