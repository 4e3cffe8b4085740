//! Everything that reaches the user: text or JSON, colours on a terminal only.
//!
//! Names come from files that anybody may have made. What a terminal would obey in a text is written as an escape: `\u{1b}`.

use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};
use std::io::{IsTerminal, Write};

use anyhow::Result;
use comfy_table::{ColumnConstraint, ContentArrangement, Table, presets};
use serde::Serialize;

/// Terminals narrower than this get lines instead of tables.
const TABLE_WIDTH: u16 = 80;

/// Letters of a table's column that stays in one piece.
const SHORT: u16 = 16;

/// Standard output, and how to write on it.
pub struct Output {
    json: bool,
    /// Whether there is a terminal wide enough for tables.
    tables: bool,
    /// The terminal's.
    width: Option<usize>,
    colours: bool,
    /// Stands before the number of a style in a text. No text can have it by itself, as it is another one in each run.
    mark: String,
    quiet: bool,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Colours {
    /// On a terminal that shows them, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

/// How a word is shown on a terminal.
#[derive(Clone, Copy)]
pub enum Style {
    Good,
    Warning,
    Bad,
    Faint,
    Strong,
}

impl Output {
    pub fn new(json: bool, colours: Colours, quiet: bool) -> Self {
        let terminal = std::io::stdout().is_terminal();
        let set = |name| std::env::var_os(name).is_some_and(|value: std::ffi::OsString| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let width = Table::new().width().filter(|_| terminal);
        let colours = match colours {
            Colours::Auto => terminal && !dumb && !set("NO_COLOR"),
            Colours::Always => true,
            Colours::Never => false,
        };
        Self {
            json,
            tables: width.is_some_and(|width| width >= TABLE_WIDTH),
            width: width.map(usize::from),
            colours: colours && !json,
            mark: format!("\u{1b}{:016x}[", RandomState::new().hash_one(0)),
            quiet,
        }
    }

    /// Whether only answers and errors are wanted.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Whether tables are shown well here.
    pub fn has_tables(&self) -> bool {
        self.tables
    }

    /// Whether a table of so many letters fits.
    pub fn has_tables_of(&self, width: usize) -> bool {
        self.tables && self.width.is_some_and(|have| have >= width)
    }

    /// Prints one line, after as many empty ones as the text begins with.
    pub fn line(&mut self, text: impl AsRef<str>) -> Result<()> {
        let text = text.as_ref();
        let line = text.trim_start_matches('\n');
        let empty = text.strip_suffix(line).unwrap_or_default();
        let mut pieces = line.split(&self.mark);
        let mut shown = format!("{empty}{}", escaped(pieces.next().unwrap_or_default()));
        for piece in pieces {
            let (style, text) = piece.split_once('m').unwrap_or(("0", piece));
            shown.push_str(&format!("\x1b[{style}m{}", escaped(text)));
        }
        self.exactly(&shown)
    }

    /// Prints a text of several lines.
    pub fn text(&mut self, text: &str) -> Result<()> {
        self.exactly(&lines_escaped(text))
    }

    /// Prints what a program reads: JSON, or lines for a shell.
    pub fn exactly(&mut self, text: &str) -> Result<()> {
        Ok(writeln!(std::io::stdout().lock(), "{text}")?)
    }

    /// Prints words after a head, with all lines but the first indented. On a terminal they are broken at its width.
    pub fn paragraph(&mut self, head: &str, indent: usize, text: &str) -> Result<()> {
        let width = self.width.map_or(usize::MAX, |width| width.saturating_sub(indent).max(20));
        let blank = " ".repeat(indent);
        for (index, line) in wrapped(text, width).iter().enumerate() {
            match index {
                0 if !head.is_empty() => self.line(format!("{head} {line}"))?,
                _ => self.line(format!("{blank}{line}"))?,
            }
        }
        Ok(())
    }

    /// Prints a value as JSON.
    pub fn value(&mut self, value: &impl Serialize) -> Result<()> {
        self.exactly(&serde_json::to_string_pretty(value)?)
    }

    /// Prints rows under heads in a frame that fits the terminal.
    pub fn table(&mut self, heads: &[&str], rows: Vec<Vec<String>>) -> Result<()> {
        let mut table = Table::new();
        table.load_preset(presets::UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
        table.set_header(heads.to_vec());
        for row in rows {
            table.add_row(row.iter().map(|cell| escaped(cell)));
        }
        // What is short is not broken.
        let widths = table.column_max_content_widths();
        for (column, _) in table.column_iter_mut().zip(widths).filter(|(_, width)| *width <= SHORT) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
        self.exactly(&table.to_string())
    }

    /// The word in a style; unchanged without colours.
    pub fn paint(&self, style: Style, word: impl AsRef<str>) -> String {
        let word = word.as_ref();
        if !self.colours {
            return word.into();
        }
        let code = match style {
            Style::Good => "32",
            Style::Warning => "33",
            Style::Bad => "31",
            Style::Faint => "2",
            Style::Strong => "1",
        };
        let mark = &self.mark;
        format!("{mark}{code}m{word}{mark}0m")
    }

    /// Tells something on standard error that does not end the command.
    pub fn warning(&mut self, text: &str) {
        if !self.quiet {
            tell(text);
        }
    }

    /// Prints an error that ends the command: on standard error, and as JSON with --json.
    pub fn failure(&mut self, error: &anyhow::Error) {
        let text = format!("{error:#}");
        // A failure to print cannot be reported.
        let _ = if self.json {
            self.value(&serde_json::json!({ "error": text }))
        } else {
            writeln!(std::io::stderr().lock(), "pi: {}", lines_escaped(&text)).map_err(Into::into)
        };
    }
}

pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// Tells something on standard error, for code that has no other output.
pub fn tell(text: &str) {
    // A failure to print cannot be reported.
    let _ = writeln!(std::io::stderr().lock(), "pi: {}", lines_escaped(text));
}

/// The text with escapes for letters that a terminal obeys or that change the order of others: all control characters but tabs.
pub fn escaped(text: &str) -> Cow<'_, str> {
    let is_obeyed = |letter: char| {
        (letter.is_control() && letter != '\t')
            || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(is_obeyed) {
        return text.into();
    }
    let mut shown = String::new();
    for letter in text.chars() {
        if is_obeyed(letter) { shown.extend(letter.escape_debug()) } else { shown.push(letter) }
    }
    shown.into()
}

/// The same for each line of a text.
pub fn lines_escaped(text: &str) -> String {
    text.split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

/// The text in lines of at most `width` letters. A word that is longer has a line of its own.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(line) = lines.last_mut() else { break };
        let room = width.saturating_sub(line.chars().count());
        if line.is_empty() {
            line.push_str(word);
        } else if word.chars().count() < room {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// `24.0 GiB` and the like.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let mut value = count as f64 / 1024.0;
    let mut unit = UNITS.iter();
    let mut name = unit.next();
    while value >= 1024.0 {
        let Some(next) = unit.next() else { break };
        name = Some(next);
        value /= 1024.0;
    }
    format!("{value:.1} {}", name.unwrap_or(&""))
}

#[cfg(test)]
mod tests {
    use super::{escaped, lines_escaped};

    #[test]
    fn what_a_terminal_obeys_is_escaped_and_letters_are_not() {
        assert_eq!(escaped("a \u{1b}[31mred\r\n\u{7f}\u{9b}2J"), "a \\u{1b}[31mred\\r\\n\\u{7f}\\u{9b}2J");
        assert_eq!(escaped("\u{202e}txt"), "\\u{202e}txt");
        assert_eq!(escaped("a\tb \\ ä 漢"), "a\tb \\ ä 漢");
        assert_eq!(lines_escaped("a\r\n\u{7}b\n"), "a\\r\n\\u{7}b\n");
    }

    #[test]
    fn words_are_broken_at_the_width() {
        assert_eq!(super::wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(super::wrapped("a /long/path/of/a/file b", 6), ["a", "/long/path/of/a/file", "b"]);
        assert_eq!(super::wrapped("one  two", usize::MAX), ["one two"]);
        assert_eq!(super::wrapped("", 10), [""]);
    }

    #[test]
    fn sizes() {
        assert_eq!(super::bytes(512), "0.5 KiB");
        assert_eq!(super::bytes(32 << 10), "32.0 KiB");
        assert_eq!(super::bytes(25 << 30), "25.0 GiB");
        assert_eq!(super::bytes(u64::MAX), "16777216.0 TiB");
    }
}
