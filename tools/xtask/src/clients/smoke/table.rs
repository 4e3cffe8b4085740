//! The runs as a table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Result;
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;

use super::complaints::{self, Complaint};
use super::run::{Answer, Mode};
use crate::provision::environment::Flavour;
use crate::releases::Release;

/// A release and its runs, in the order of the modes.
#[derive(Debug)]
pub(in crate::clients) struct Row {
    release: &'static Release,
    pub(super) answers: BTreeMap<Flavour, Vec<Answer>>,
}

impl Row {
    /// A release without runs yet.
    pub(super) fn new(release: &'static Release) -> Self {
        Row { release, answers: BTreeMap::new() }
    }

    /// The release's name.
    pub(in crate::clients) fn name(&self) -> String {
        self.release.name()
    }

    /// Whether every run on ours is right, and the validation layer says nothing that it does not say about the vendor's.
    pub(in crate::clients) fn is_good(&self) -> bool {
        let right = |answers: &Vec<Answer>| answers.iter().all(|answer| answer.trouble.is_none());
        self.answers.get(&Flavour::Ours).is_none_or(right) && self.ours_only().is_empty()
    }

    /// What the layer says about ours only; nothing where one of the two did not run.
    fn ours_only(&self) -> BTreeMap<Complaint, usize> {
        match (self.complaints(Flavour::Ours), self.complaints(Flavour::Vendor)) {
            (Some(ours), Some(vendor)) => complaints::more(ours, vendor),
            _ => BTreeMap::new(),
        }
    }

    fn complaints(&self, flavour: Flavour) -> Option<&[Complaint]> {
        Some(self.answer(flavour, Mode::Validated)?.complaints.as_slice())
    }

    fn answer(&self, flavour: Flavour, mode: Mode) -> Option<&Answer> {
        self.answers.get(&flavour)?.iter().find(|answer| answer.mode == mode)
    }

    /// A cell for one mode: the vendor's and ours.
    fn cell(&self, mode: Mode) -> String {
        let word = |flavour| {
            let answer = self.answer(flavour, mode);
            answer.map_or("-", |answer| if answer.trouble.is_none() { "ok" } else { "**no**" })
        };
        format!("{} / {}", word(Flavour::Vendor), word(Flavour::Ours))
    }
}

/// The table, and below it what went wrong and what the validation layer says about one adapter only.
pub(in crate::clients) fn text(rows: &[Row]) -> Result<String> {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    let modes = Mode::ALL.iter().map(|mode| mode.name());
    table.set_header(["release", "client"].into_iter().chain(modes).chain(["complaints"]));
    let mut notes = String::new();
    for row in rows {
        let count = |flavour| row.complaints(flavour).map_or("-".to_owned(), |all| all.len().to_string());
        let mut cells = vec![row.release.version.to_owned(), row.release.client()];
        cells.extend(Mode::ALL.map(|mode| row.cell(mode)));
        cells.push(format!("{} / {}", count(Flavour::Vendor), count(Flavour::Ours)));
        table.add_row(cells);
        note(&mut notes, row)?;
    }
    Ok(format!("{table}\n{notes}"))
}

fn note(notes: &mut String, row: &Row) -> Result<()> {
    let version = row.release.version;
    for (flavour, answers) in &row.answers {
        for answer in answers {
            if let Some(trouble) = &answer.trouble {
                write!(
                    notes,
                    "\n- {version}, {}, {}: {trouble}",
                    flavour.plugin(row.release),
                    answer.mode.name()
                )?;
            }
        }
    }
    for (complaint, count) in row.ours_only() {
        let place = complaint.place().map_or(String::new(), |place| format!(", made by `{place}`"));
        write!(notes, "\n- {version}, only about ours: {count} of \"{}\"{place}", complaint.message)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::releases::UR_RELEASES;

    fn row(ours_trouble: Option<&str>, ours_complaints: &str) -> Row {
        let answers = |trouble: Option<&str>, said: &str| {
            Mode::ALL.map(|mode| Answer {
                mode,
                trouble: trouble.map(str::to_owned),
                complaints: complaints::parse(said),
            })
        };
        let mut row = Row::new(&UR_RELEASES[0]);
        row.answers.insert(Flavour::Vendor, answers(None, "<VALIDATION>[ERROR]: known\n").into());
        row.answers.insert(Flavour::Ours, answers(ours_trouble, ours_complaints).into());
        row
    }

    #[test]
    fn a_complaint_about_both_is_not_ours() {
        let row = row(None, "<VALIDATION>[ERROR]: known\n");
        assert!(row.is_good());
        let text = text(&[row]).unwrap();
        assert!(text.contains("| ok / ok"), "{text}");
        assert!(text.contains("| 1 / 1"), "{text}");
    }

    #[test]
    fn what_is_wrong_with_ours_only_is_named() {
        let row = row(Some("no device"), "<VALIDATION>[ERROR]: new\n");
        assert!(!row.is_good());
        let text = text(&[row]).unwrap();
        assert!(text.contains("our adapter, alone: no device"), "{text}");
        assert!(text.contains("only about ours: 1 of \"new\""), "{text}");
    }
}
