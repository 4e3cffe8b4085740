//! `.table`: intel/llvm's file tables, such as `[Code|Properties|Symbols]` with one row per device image.

use std::collections::HashSet;

use crate::error::TextError;

/// A text table, which `sycl-post-link` writes and `file-table-tform` transforms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileTable {
    titles: Option<Vec<String>>,
    rows: Vec<Vec<String>>,
}

impl FileTable {
    /// Creates an empty table with these columns.
    pub fn new<S: Into<String>>(titles: impl IntoIterator<Item = S>) -> Self {
        Self { titles: Some(titles.into_iter().map(Into::into).collect()), rows: Vec::new() }
    }

    /// Reads a table; `file` is its name in messages.
    pub fn read(file: &str, text: &str) -> Result<Self, TextError> {
        let mut table = Self::default();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            let error = |problem: String| TextError::new(file, at + 1, problem);
            let first = table.titles.is_none() && table.rows.is_empty();
            if let Some(rest) = line.strip_prefix('[').filter(|_| first) {
                let titles = rest
                    .strip_suffix(']')
                    .ok_or_else(|| error("the title line does not end with ]".into()))?;
                let titles: Vec<String> = titles.split('|').map(str::to_owned).collect();
                let mut seen = HashSet::with_capacity(titles.len());
                if let Some(title) = titles.iter().find(|title| !seen.insert(title.as_str())) {
                    return Err(error(format!("column \"{title}\" appears twice")));
                }
                table.titles = Some(titles);
                continue;
            }
            let row: Vec<String> = line.split('|').map(str::to_owned).collect();
            if let Some(columns) = table.columns().filter(|&columns| columns != row.len()) {
                return Err(error(format!("the row has {} cells, the table {columns} columns", row.len())));
            }
            table.rows.push(row);
        }
        Ok(table)
    }

    /// Encodes the table as text.
    pub fn write(&self) -> String {
        let titles = self.titles.iter().map(|titles| format!("[{}]\n", titles.join("|")));
        titles.chain(self.rows.iter().map(|row| row.join("|") + "\n")).collect()
    }

    fn columns(&self) -> Option<usize> {
        self.titles.as_ref().or(self.rows.first()).map(Vec::len)
    }

    /// Returns the columns' titles, if there is a title line.
    pub fn titles(&self) -> Option<&[String]> {
        self.titles.as_deref()
    }

    /// Returns the index of the column with this title.
    pub fn column(&self, title: &str) -> Option<usize> {
        self.titles.as_ref()?.iter().position(|other| other == title)
    }

    /// Returns the rows; each has one cell per column.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// Appends a row, truncated or padded with empty cells to the table's width.
    pub fn push<S: Into<String>>(&mut self, row: impl IntoIterator<Item = S>) {
        let mut row: Vec<String> = row.into_iter().map(Into::into).collect();
        if let Some(columns) = self.columns() {
            row.resize(columns, String::new());
        }
        self.rows.push(row);
    }

    /// Keeps the rows for which `keep` holds.
    pub fn retain(&mut self, keep: impl FnMut(&Vec<String>) -> bool) {
        self.rows.retain(keep);
    }
}
