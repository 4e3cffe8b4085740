//! Text that is typed into a shell.

use std::path::Path;

/// The text as one word of a shell: in single quotes where it has letters that a shell reads.
pub fn quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=@%+,".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A path as one word of a shell.
pub fn path(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

/// The line that sets a variable.
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
            "intel==2024.2.*",
        ] {
            let output = std::process::Command::new("sh")
                .args(["-c", &format!("printf %s {}", quoted(text))])
                .output()
                .unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), text);
        }
        assert_eq!(quoted("/srv/venv"), "/srv/venv");
        assert_eq!(export("A", "b c"), "export A='b c'");
    }
}
