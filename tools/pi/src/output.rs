//! All output for the user: text or JSON, with colours on a terminal only.
//!
//! Names can come from untrusted files. Characters that control a terminal are therefore written as an escape, e.g.
//! `\u{1b}`.

use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};
use std::io::{IsTerminal, Write};

use anyhow::Result;
use comfy_table::{ColumnConstraint, ContentArrangement, Table, presets};
use serde::Serialize;
use terminal_size::{Width, terminal_size_of};

/// Terminals narrower than this get lines instead of tables.
const TABLE_WIDTH: u16 = 80;

/// Columns up to this width are not broken into lines.
const SHORT: u16 = 16;

/// Standard output and its format.
pub struct Output {
    json: bool,
    /// Whether there is a terminal that is wide enough for tables.
    tables: bool,
    /// The width of the terminal.
    width: Option<u16>,
    colours: bool,
    /// Precedes the number of a style in a text. It differs in each run, so no text can contain it by accident.
    mark: String,
    quiet: bool,
}

/// The result of a command, as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandStatus {
    /// Done, or nothing to do.
    Fine = 0,
    /// A problem was found, or the command could not be carried out.
    Problem = 1,
    /// `pi status`: not installed. (2 is a wrong command line.)
    NotInstalled = 3,
    /// `pi run`: the program cannot be executed.
    NotExecutable = 126,
    /// `pi run`: the program does not exist.
    NoProgram = 127,
}

/// Whether to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Colours {
    /// On a terminal that supports them, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

/// The style of a word on a terminal.
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
        // A terminal without a size, such as that of `script` in a pipe, has the usual one.
        let size = || terminal_size_of(std::io::stdout()).map_or(TABLE_WIDTH, |(Width(width), _)| width);
        let width = terminal.then(size);
        let colours = match colours {
            Colours::Auto => terminal && !dumb && !set("NO_COLOR"),
            Colours::Always => true,
            Colours::Never => false,
        };
        Self {
            json,
            tables: width.is_some_and(|width| width >= TABLE_WIDTH),
            width,
            colours: colours && !json,
            mark: format!("\u{1b}{:016x}[", RandomState::new().hash_one(0)),
            quiet,
        }
    }

    /// Returns whether only results and errors are wanted.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Returns whether tables can be shown.
    pub fn has_tables(&self) -> bool {
        self.tables
    }

    /// Prints one line, preceded by as many empty lines as the text begins with.
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

    /// Prints JSON or shell commands, without escapes.
    pub fn exactly(&mut self, text: &str) -> Result<()> {
        Ok(writeln!(std::io::stdout().lock(), "{text}")?)
    }

    /// Prints words after a heading, with all lines except the first indented. On a terminal they are wrapped to
    /// its width.
    pub fn paragraph(&mut self, head: &str, indent: usize, text: &str) -> Result<()> {
        let first = if head.is_empty() { " ".repeat(indent) } else { format!("{head} ") };
        self.wrapped_lines(&first, indent, text)
    }

    /// Prints a line. On a terminal it is wrapped to its width, and the lines after the first are indented.
    pub fn hanging(&mut self, indent: usize, text: &str) -> Result<()> {
        self.wrapped_lines("", indent, text)
    }

    /// Prints lines that begin with `first`, and with an indentation from the second on. A word that does not fit
    /// behind the indentation is moved to the left, so that a terminal does not break it.
    fn wrapped_lines(&mut self, first: &str, indent: usize, text: &str) -> Result<()> {
        let Some(width) = self.width.map(usize::from) else {
            return self.line(format!("{first}{}", text.split_whitespace().collect::<Vec<_>>().join(" ")));
        };
        let room = |used: usize| width.saturating_sub(used).max(20);
        let lines = wrapped(text, room(self.shown(first)), room(indent), |word| self.shown(word));
        for (index, line) in lines.iter().enumerate() {
            let length = self.shown(line);
            let head = match index {
                0 if self.shown(first) + length <= width => first.to_owned(),
                0 if !first.trim().is_empty() => {
                    self.line(first.trim_end())?;
                    " ".repeat(width.saturating_sub(length).min(indent))
                }
                _ => " ".repeat(width.saturating_sub(length).min(indent)),
            };
            self.line(format!("{head}{line}"))?;
        }
        Ok(())
    }

    /// Returns the number of characters that a terminal shows.
    fn shown(&self, text: &str) -> usize {
        let mut pieces = text.split(&self.mark);
        let first = pieces.next().unwrap_or_default().chars().count();
        // A style ends with this letter.
        let rest = pieces.map(|piece| piece.split_once('m').map_or(piece, |(_, text)| text).chars().count());
        first + rest.sum::<usize>()
    }

    /// Prints a value as JSON.
    pub fn value(&mut self, value: &impl Serialize) -> Result<()> {
        self.exactly(&serde_json::to_string_pretty(value)?)
    }

    /// Prints rows with headings in a frame that fits the terminal.
    pub fn table(&mut self, heads: &[&str], rows: Vec<Vec<String>>) -> Result<()> {
        let mut table = Table::new();
        table.load_preset(presets::UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
        if let Some(width) = self.width {
            table.set_width(width);
        }
        table.set_header(heads.to_vec());
        for row in rows {
            table.add_row(row.iter().map(|cell| escaped(cell)));
        }
        // Short columns are not wrapped.
        let widths = table.column_max_content_widths();
        for (column, _) in table.column_iter_mut().zip(widths).filter(|(_, width)| *width <= SHORT) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
        self.exactly(&table.to_string())
    }

    /// Returns the word in a style, or unchanged if colours are off.
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

    /// Prints a message on standard error that does not end the command.
    pub fn warning(&mut self, text: &str) {
        if !self.quiet {
            tell(text);
        }
    }

    /// Prints an error that ends the command on standard error, or as JSON with --json.
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

/// Prints a message on standard error, for code without an `Output`.
pub fn tell(text: &str) {
    // A failure to print cannot be reported.
    let _ = writeln!(std::io::stderr().lock(), "pi: {}", lines_escaped(text));
}

/// Escapes characters that control a terminal or change the order of others: all control characters except tabs.
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

/// Escapes each line of a text in the same way.
pub fn lines_escaped(text: &str) -> String {
    text.split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

/// Wraps the text to lines of at most `width` characters; the first one has another width. `shown` returns the length of
/// a word. A longer word gets a separate line.
fn wrapped(text: &str, first_width: usize, width: usize, shown: impl Fn(&str) -> usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    let mut used = 0;
    for word in text.split_whitespace() {
        let width = if lines.len() == 1 { first_width } else { width };
        let length = shown(word);
        match lines.last_mut() {
            Some(line) if line.is_empty() => {
                line.push_str(word);
                used = length;
            }
            Some(line) if used + 1 + length <= width => {
                line.push(' ');
                line.push_str(word);
                used += 1 + length;
            }
            _ => {
                lines.push(word.to_owned());
                used = length;
            }
        }
    }
    lines
}

/// Formats a size, e.g. `24.0 GiB`.
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
    use super::{Colours, Output, Style, escaped, lines_escaped};

    #[test]
    fn what_a_terminal_obeys_is_escaped_and_letters_are_not() {
        assert_eq!(escaped("a \u{1b}[31mred\r\n\u{7f}\u{9b}2J"), "a \\u{1b}[31mred\\r\\n\\u{7f}\\u{9b}2J");
        assert_eq!(escaped("\u{202e}txt"), "\\u{202e}txt");
        // The first and the last of those that turn text around.
        assert_eq!(escaped("\u{2066}a\u{2069}"), "\\u{2066}a\\u{2069}");
        assert_eq!(escaped("a\tb \\ ä 漢"), "a\tb \\ ä 漢");
        assert_eq!(lines_escaped("a\r\n\u{7}b\n"), "a\\r\n\\u{7}b\n");
    }

    #[test]
    fn words_are_broken_at_the_width() {
        let wrapped =
            |text: &str, first, width| super::wrapped(text, first, width, |word| word.chars().count());
        assert_eq!(wrapped("one two three", 8, 8), ["one two", "three"]);
        assert_eq!(wrapped("one two three", 7, 5), ["one two", "three"]);
        assert_eq!(wrapped("one two four", 3, 8), ["one", "two four"]);
        assert_eq!(wrapped("a /long/path/of/a/file b", 6, 6), ["a", "/long/path/of/a/file", "b"]);
        assert_eq!(wrapped("one  two", usize::MAX, usize::MAX), ["one two"]);
        assert_eq!(wrapped("", 10, 10), [""]);
    }

    /// Otherwise coloured lines would be shorter than others.
    #[test]
    fn a_colour_takes_no_room() {
        let output = Output { colours: true, ..Output::new(false, Colours::Always, false) };
        let painted = output.paint(Style::Good, "two");
        assert_eq!(output.shown(&format!("one {painted} three")), 13);
        assert_eq!(output.shown("\u{e4}m"), 2);
        let in_json = Output::new(true, Colours::Always, false);
        assert_eq!(in_json.paint(Style::Good, "two"), "two");
    }

    #[test]
    fn sizes() {
        assert_eq!(super::bytes(512), "0.5 KiB");
        assert_eq!(super::bytes(32 << 10), "32.0 KiB");
        assert_eq!(super::bytes(25 << 30), "25.0 GiB");
        assert_eq!(super::bytes(u64::MAX), "16777216.0 TiB");
    }
}
