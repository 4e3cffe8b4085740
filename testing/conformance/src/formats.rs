//! Reports for other programs: JUnit XML, which continuous integration services read, and TAP, the Test Anything
//! Protocol.

use std::fmt::{self, Display, Write as _};
use std::io::{Write as _, stdout};

use anyhow::Result;

use crate::case::family;
use crate::outcome::Outcome;
use crate::report::{Assessed, Run};

/// Prints one suite for each version or layout.
pub(crate) fn print_junit(runs: &[Run], file: &str) -> Result<()> {
    let mut text =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pi-conformance\">\n");
    runs.iter().try_for_each(|run| suite(&mut text, run, file))?;
    text.push_str("</testsuites>\n");
    Ok(stdout().lock().write_all(text.as_bytes())?)
}

fn suite(text: &mut String, run: &Run, file: &str) -> fmt::Result {
    let totals = run.totals();
    let errors = totals.crashed + totals.hung;
    let milliseconds = run.assessed.iter().map(|assessed| assessed.reply.milliseconds).sum();
    writeln!(
        text,
        "  <testsuite name=\"{} {}\" tests=\"{}\" failures=\"{}\" errors=\"{errors}\" skipped=\"{}\" time=\"{}\">",
        Xml(file),
        run.interface,
        run.assessed.len(),
        totals.failed - errors,
        totals.skipped,
        Seconds(milliseconds),
    )?;
    let property =
        |(name, value): (&str, &str)| format!("<property name=\"{name}\" value=\"{}\"/>", Xml(value));
    let hello = &run.hello;
    let about = [
        ("backend", &hello.backend),
        ("platform", &hello.platform),
        ("device", &hello.device),
        ("driver", &hello.driver),
    ];
    let properties: String = about.map(|(name, value)| property((name, value))).concat();
    writeln!(text, "    <properties>{properties}</properties>")?;
    run.assessed.iter().try_for_each(|assessed| case(text, run, assessed))?;
    writeln!(text, "  </testsuite>")
}

fn case(text: &mut String, run: &Run, assessed: &Assessed) -> fmt::Result {
    let reply = &assessed.reply;
    write!(
        text,
        "    <testcase classname=\"{}.{}\" name=\"{}\" time=\"{}\">",
        run.interface.to_string().replace([' ', '.'], "_"),
        family(&reply.id),
        Xml(&title(run, &reply.id)),
        Seconds(reply.milliseconds),
    )?;
    if let Some(reason) = skipped(assessed) {
        write!(text, "<skipped message=\"{}\"/>", Xml(&reason))?;
    } else if let Some(fail) = &reply.fail {
        let tag = if reply.outcome == Outcome::Failed { "failure" } else { "error" };
        let message = format!("expected {}, got {}", fail.expected, fail.got);
        let lines: String = fail.details().map(|(what, text)| format!("{what}: {text}\n")).collect();
        write!(
            text,
            "<{tag} message=\"{}\" type=\"{:?}\">{}</{tag}>",
            Xml(&message),
            reply.outcome,
            Xml(&lines)
        )?;
    }
    writeln!(text, "</testcase>")
}

/// Prints one line for each case, with the details of those that failed.
pub(crate) fn print_tap(runs: &[Run]) -> Result<()> {
    let count: usize = runs.iter().map(|run| run.assessed.len()).sum();
    let mut text = format!("TAP version 14\n1..{count}\n");
    let all = runs.iter().flat_map(|run| run.assessed.iter().map(move |assessed| (run, assessed)));
    for (number, (run, assessed)) in all.enumerate() {
        let reply = &assessed.reply;
        let ok = if matches!(reply.outcome, Outcome::Passed | Outcome::Skipped) { "ok" } else { "not ok" };
        let title =
            format!("{} {}", run.interface, title(run, &reply.id)).replace('\\', "\\\\").replace('#', "\\#");
        write!(text, "{ok} {} - {}", number + 1, one_line(&title))?;
        let directive = if assessed.known.is_some() { "TODO" } else { "SKIP" };
        match skipped(assessed) {
            Some(reason) => writeln!(text, " # {directive} {}", one_line(&reason))?,
            None => writeln!(text)?,
        }
        if let Some(fail) = reply.fail.as_ref().filter(|_| assessed.known.is_none()) {
            let line =
                |(what, text): (&str, &str)| Ok(format!("  {what}: {}\n", serde_json::to_string(text)?));
            let lines = fail.details().map(line).collect::<Result<String>>()?;
            write!(text, "  ---\n{lines}  ...\n")?;
        }
    }
    Ok(stdout().lock().write_all(text.as_bytes())?)
}

/// Returns why a case does not count, if it does not.
fn skipped(assessed: &Assessed) -> Option<String> {
    if let Some(reason) = &assessed.known {
        return Some(format!("fails as known: {reason}"));
    }
    let reply = &assessed.reply;
    (reply.outcome == Outcome::Skipped).then(|| reply.reason.clone().unwrap_or_default())
}

fn title(run: &Run, id: &str) -> String {
    format!("{id} {}", run.given(id))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Milliseconds, printed as seconds.
struct Seconds(u64);

impl Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}", self.0 / 1000, self.0 % 1000)
    }
}

/// Text for XML, without the characters that XML does not allow.
struct Xml<'a>(&'a str);

impl Display for Xml<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\n' => f.write_str("&#10;"),
            '\t' => f.write_char(c),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}'),
            _ => f.write_char(c),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_has_no_character_that_ends_a_value_or_that_xml_cannot_have() {
        assert_eq!(Xml("a<b>&\"c\"\n\x1b").to_string(), "a&lt;b&gt;&amp;&quot;c&quot;&#10;\u{fffd}");
        assert_eq!(Seconds(12_034).to_string(), "12.034");
    }
}
