//! What the loader's validation layer says about a run, in a form in which two runs can be compared.

use std::collections::BTreeMap;

/// A message, and for an object that was never released where it was made.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Complaint {
    /// The message without addresses.
    pub(super) message: String,
    /// The frames of the back trace, without folders and addresses.
    trace: Vec<String>,
}

impl Complaint {
    /// The first function of Unified Runtime in the back trace, or else the first function that has a name.
    pub(super) fn place(&self) -> Option<&str> {
        let mut named = self.trace.iter().filter_map(|frame| function(frame));
        named.clone().find(|name| name.starts_with("ur")).or_else(|| named.next())
    }
}

/// The layer's messages in what a program wrote, without those that only announce a back trace. Counts below 0 are left out too: the
/// layers of 2025.0 and 2025.1 do not see how some events are made and count only releases of their addresses, which drivers use again.
/// Each such release has a message of its own.
pub(super) fn parse(text: &str) -> Vec<Complaint> {
    let mut all: Vec<Complaint> = Vec::new();
    for line in text.lines() {
        let Some((_, message)) = line.strip_prefix("<VALIDATION>[").and_then(|rest| rest.split_once("]: "))
        else {
            continue;
        };
        if message.starts_with('#') {
            if let Some(last) = all.last_mut() {
                last.trace.push(frame(message));
            }
        } else if !message.ends_with("was recorded for first time here:") {
            all.push(Complaint { message: without_addresses(message), trace: Vec::new() });
        }
    }
    all.retain(|complaint| !complaint.message.starts_with("Retained -"));
    all
}

/// What `first` has more of than `second`, with how often.
pub(super) fn more(first: &[Complaint], second: &[Complaint]) -> BTreeMap<Complaint, usize> {
    let mut counts: BTreeMap<Complaint, usize> = BTreeMap::new();
    for complaint in first {
        *counts.entry(complaint.clone()).or_default() += 1;
    }
    for complaint in second {
        if let Some(count) = counts.get_mut(complaint) {
            *count = count.saturating_sub(1);
        }
    }
    counts.retain(|_, count| *count > 0);
    counts
}

/// `#3 /x/libur_loader.so.0(urContextCreate+0x42) [0x7fd980122df2]` as `libur_loader.so.0(urContextCreate+0x42)`.
fn frame(line: &str) -> String {
    let place = line.split_whitespace().nth(1).unwrap_or_default();
    let folder = place.find('(').and_then(|end| place.get(..end)?.rfind('/')).map_or(0, |slash| slash + 1);
    place.get(folder..).unwrap_or(place).to_owned()
}

/// The function's name in a frame, if it has one.
fn function(frame: &str) -> Option<&str> {
    let (_, inside) = frame.split_once('(')?;
    let name = inside.split(['+', ')']).next()?;
    (!name.is_empty()).then_some(name)
}

fn without_addresses(message: &str) -> String {
    let words = message.split(' ').map(|word| if word.starts_with("0x") { "H" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "<VALIDATION>[ERROR]: There are no valid references to handle 0\n\
        RESULT {}\n\
        <VALIDATION>[ERROR]: Retained 1 reference(s) to handle 0x56422683acd0\n\
        <VALIDATION>[ERROR]: Handle 0x56422683acd0 was recorded for first time here:\n\
        <VALIDATION>[ERROR]: #0 /l/libur_loader.so.0(+0x71245b) [0x7fd98031245b]\n\
        <VALIDATION>[ERROR]: #1 /l/libur_loader.so.0(urContextCreate+0x42) [0x7fd980122df2]\n";

    #[test]
    fn a_message_comes_with_the_place_of_its_object() {
        let all = parse(TEXT);
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].message, "There are no valid references to handle 0");
        assert_eq!(all[0].place(), None);
        assert_eq!(all[1].message, "Retained 1 reference(s) to handle H");
        assert_eq!(all[1].place(), Some("urContextCreate"));
    }

    #[test]
    fn events_whose_making_the_layer_does_not_see_count_once_for_each_release() {
        let release = "<VALIDATION>[ERROR]: Attempting to release nonexistent handle 0x1\n";
        let end = |count| format!("<VALIDATION>[ERROR]: Retained {count} reference(s) to handle 0x1\n");
        let one_address = format!("{release}{release}{}", end(-2));
        let two_addresses = format!("{release}{release}{}{}", end(-1), end(-1));
        assert_eq!(parse(&one_address).len(), 2);
        assert_eq!(parse(&one_address), parse(&two_addresses));
    }

    #[test]
    fn equal_runs_at_other_addresses_do_not_differ() {
        let (first, second) =
            (parse(TEXT), parse(&TEXT.replace("0x56422683acd0", "0x1").replace("0x7fd", "0x8")));
        assert!(more(&first, &second).is_empty());
        let twice = [first.clone(), first.clone()].concat();
        assert_eq!(more(&twice, &second).values().sum::<usize>(), 2);
        assert!(more(&second, &twice).is_empty());
    }
}
