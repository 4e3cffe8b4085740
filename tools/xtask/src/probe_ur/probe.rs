//! Running `probe.c` before a loader.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use sycl_ur_core::{Layout, TABLES};

use crate::process;

const SOURCE: &str = include_str!("probe.c");

/// What a loader has told.
#[derive(Debug, Serialize)]
pub(super) struct Read {
    /// In the order in which the loader asks for them.
    pub(super) tables: Vec<ReadTable>,
    /// Getter and slot of every function that reaches the adapter.
    pub(super) functions: BTreeMap<String, (String, usize)>,
    /// Exported functions that do not reach the adapter.
    pub(super) loader_only: Vec<String>,
}

/// A table that a loader asked for.
#[derive(Debug, Serialize)]
pub(super) struct ReadTable {
    pub(super) getter: String,
    /// `ur_api_version_t` of the call.
    pub(super) version: u32,
    /// Bytes from the first pointer that the loader passed.
    pub(super) offset: isize,
    /// Its size, from where the next table starts. The last table's is that of the newest known layout.
    pub(super) slots: usize,
}

impl Read {
    /// Bytes from the first table's pointer to the second's.
    pub(super) fn distance(&self) -> Result<usize> {
        let second = self.tables.get(1).context("the loader asked for fewer than two tables")?;
        Ok(usize::try_from(second.offset)?)
    }
}

/// Builds the probe for this loader in `folder`, and runs it.
pub(super) fn read(loader: &Path, folder: &Path) -> Result<Read> {
    let names = exported(loader)?;
    let (getters, functions): (Vec<&String>, Vec<&String>) =
        names.iter().partition(|name| name.ends_with("ProcAddrTable"));
    fs::write(folder.join("probe.c"), SOURCE)?;
    fs::write(folder.join("getters.h"), rows("GETTER", &getters))?;
    fs::write(folder.join("functions.h"), rows("FUNCTION", &functions))?;
    cc(folder, &["-shared", "-fPIC", "-DADAPTER", "probe.c", "-o", "libprobe.so"])?;
    cc(folder, &["probe.c", "-o", "probe", "-ldl"])?;

    let run = |tables: Option<&str>| {
        let mut command = Command::new(folder.join("probe"));
        command.arg(loader).current_dir(folder).env("LD_LIBRARY_PATH", folder.join("lib"));
        command.env("UR_ADAPTERS_FORCE_LOAD", folder.join("libprobe.so"));
        match tables {
            Some(tables) => command.env("PROBE_TABLES", tables),
            None => command.env_remove("PROBE_TABLES"),
        };
        process::text(&mut command)
    };
    let tables = tables(&run(None)?)?;
    let sizes: String = tables.iter().map(|table| format!(",{}:{}", table.getter, table.slots)).collect();
    let mut read = Read { tables, functions: BTreeMap::new(), loader_only: Vec::new() };
    for line in run(Some(&sizes))?.lines() {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["slot", function, getter, slot] => {
                read.functions.insert(function.to_owned(), (getter.to_owned(), slot.parse()?));
            }
            ["none", function] => read.loader_only.push(function.to_owned()),
            _ => bail!("the probe printed {line:?}"),
        }
    }
    Ok(read)
}

/// The functions that a loader exports, without those that only print or start it.
fn exported(loader: &Path) -> Result<Vec<String>> {
    let symbols = process::text(Command::new("nm").args(["-D", "--defined-only"]).arg(loader))?;
    let names = symbols.lines().filter_map(|line| line.split_whitespace().last()?.split('@').next());
    let is_function = |name: &&str| {
        name.strip_prefix("ur").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
            && !name.starts_with("urPrint")
            && !name.starts_with("urLoader")
    };
    Ok(names.filter(is_function).map(str::to_owned).collect())
}

fn rows(macro_name: &str, names: &[&String]) -> String {
    names.iter().fold(String::new(), |mut text, name| {
        let _ = writeln!(text, "{macro_name}({name})");
        text
    })
}

fn cc(folder: &Path, arguments: &[&str]) -> Result<()> {
    process::output(Command::new("cc").current_dir(folder).args(arguments)).map(|_| ())
}

/// The tables of the first run, with sizes: a table ends where the next one starts.
fn tables(lines: &str) -> Result<Vec<ReadTable>> {
    let mut tables = Vec::new();
    for line in lines.lines() {
        let ["table", getter, version, offset] = line.split(' ').collect::<Vec<_>>()[..] else {
            bail!("the probe printed {line:?}");
        };
        let (version, offset) = (version.parse()?, offset.parse()?);
        tables.push(ReadTable { getter: getter.to_owned(), version, offset, slots: 0 });
    }
    let mut starts: Vec<isize> = tables.iter().map(|table| table.offset).collect();
    starts.sort_unstable();
    for table in &mut tables {
        let next = starts.iter().find(|start| **start > table.offset);
        table.slots = match next {
            Some(next) => usize::try_from(next - table.offset)? / size_of::<usize>(),
            None => known_slots(&table.getter),
        };
    }
    Ok(tables)
}

/// How long a table is in the newest layout that has it.
fn known_slots(getter: &str) -> usize {
    let table = TABLES.iter().find(|table| table.getter == getter);
    let slots = table.and_then(|table| Layout::ALL.iter().rev().find_map(|layout| table.slots_in(*layout)));
    slots.map_or(0, usize::from)
}

#[cfg(test)]
mod tests {
    use super::tables;

    #[test]
    fn a_table_ends_where_the_next_one_starts() {
        let read = tables("table urGetAdapterProcAddrTable 12 0\ntable urGetQueueProcAddrTable 12 64\ntable urGetNewProcAddrTable 12 56")
            .unwrap_or_default();
        let slots: Vec<usize> = read.iter().map(|table| table.slots).collect();
        assert_eq!(slots, [7, 8, 1]);
    }
}
