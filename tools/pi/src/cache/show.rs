//! `pi cache show`

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use clap::Args;
use sycl_pi_cache::store::{Details, Item};
use sycl_pi_cache::{Store, StoreKey};

use super::entry::CacheItem;
use super::select;
use crate::output::{CommandStatus, Output, Style, bytes};
use crate::written::Written;

#[derive(Args)]
pub struct ShowArguments {
    /// The name of an item as shown by `pi cache ls`, or the start of it.
    #[arg(value_name = "ITEM", required = true)]
    items: Vec<String>,
    /// Write the program's binary to this file.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Write the device images to FILE.0, FILE.1 and so on.
    #[arg(long, value_name = "FILE")]
    images: Option<PathBuf>,
}

pub fn run(store: &Store, arguments: &ShowArguments, output: &mut Output) -> Result<CommandStatus> {
    let all = select::items(store)?;
    let mut entries = Vec::new();
    for name in &arguments.items {
        let meant: Vec<&Item> = all.iter().filter(|item| item.name().starts_with(name.as_str())).collect();
        if meant.is_empty() {
            bail!("there is no item {name}; \"pi cache ls\" lists them");
        }
        entries.extend(meant);
    }
    if arguments.binary.is_some() || arguments.images.is_some() {
        let [item] = entries.as_slice() else {
            bail!("the pattern matches {} items; select exactly one to export", entries.len());
        };
        write(store, item, arguments)?;
    }
    let entries: Vec<CacheItem> = entries.into_iter().map(|item| CacheItem::read(store, item)).collect();
    if output.is_json() {
        output.value(&entries)?;
    } else {
        for entry in &entries {
            show(entry, output)?;
        }
    }
    let good = entries.iter().all(|entry| entry.problem.is_none());
    Ok(if good { CommandStatus::Fine } else { CommandStatus::Problem })
}

fn write(store: &Store, item: &Item, arguments: &ShowArguments) -> Result<()> {
    let Details { key, .. } = store.details(item)?;
    let files = ["src", "bin"].map(|kind| item.folder.join(format!("{}.{kind}", item.number)));
    let mut written = Written::apart_from(files.iter().map(PathBuf::as_path));
    if let Some(file) = &arguments.binary {
        let binary =
            store.load(&StoreKey::new(&key)).context("the item's binary is damaged or was removed")?;
        written.add(file, &binary)?;
    }
    if let Some(file) = &arguments.images {
        for (index, image) in key.images.iter().enumerate() {
            written.add(&PathBuf::from(format!("{}.{index}", file.display())), image)?;
        }
    }
    written.finish()
}

fn show(entry: &CacheItem, output: &mut Output) -> Result<()> {
    output.line(output.paint(Style::Strong, &entry.item))?;
    let mut row = |name: &str, value: &str| {
        if value.is_empty() { Ok(()) } else { output.line(format!("  {name:<16} {value}")) }
    };
    if let Some(details) = &entry.details {
        row("device", &details.device)?;
        row("platform", &details.platform)?;
        row("device version", &details.device_version)?;
        row("driver version", &details.driver_version)?;
        row("plugin", &with_date(&details.plugin))?;
        row("runtime", &details.runtime)?;
        row("compile options", &details.compile_options)?;
        row("link options", &details.link_options)?;
        row("constants", &details.spec_constants)?;
        for image in &details.images {
            row("image", &format!("{}, digest {}", bytes(image.size_bytes), image.digest))?;
        }
        for kernel in &details.kernels {
            row("kernel", kernel)?;
        }
        if let Some(seconds) = details.built_at {
            let at = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds));
            let at = at.map(|at| humantime::format_rfc3339_seconds(at).to_string()).unwrap_or_default();
            row("built", &format!("{at}, in {:.3} s", details.build_seconds))?;
        }
    }
    row("size", &bytes(entry.size_bytes))?;
    row("last used", &format!("{} ago", entry.age()))?;
    row("hits", &entry.hits.to_string())?;
    row("files", &format!("{}/{}.*", entry.folder.display(), entry.number))?;
    if let Some(problem) = &entry.problem {
        output.line(format!("  {}", output.paint(Style::Bad, format!("it cannot be used: {problem}"))))?;
    }
    Ok(())
}

/// Returns a plugin's description with the time of its file as a date. The key of the cache has seconds and
/// nanoseconds.
fn with_date(plugin: &str) -> String {
    const BEFORE: &str = " bytes of ";
    let Some((start, time)) = plugin.split_once(BEFORE) else { return plugin.to_owned() };
    let length = time.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(time.len());
    let (time, rest) = time.split_at(length);
    let seconds = time.split('.').next().and_then(|seconds| seconds.parse().ok());
    // Times after the year 9999 cannot be formatted.
    let known = seconds.filter(|seconds| *seconds < 253_402_300_800_u64);
    let date = known.map(|seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
    let date =
        date.map_or_else(|| time.to_owned(), |date| humantime::format_rfc3339_seconds(date).to_string());
    format!("{start}{BEFORE}{date}{rest}")
}

#[cfg(test)]
mod tests {
    use super::with_date;

    #[test]
    fn the_time_of_a_plugin_is_a_date() {
        assert_eq!(
            with_date("libpi_opencl.so 15.47.1 at PI 15.47, 12 bytes of 1767225600.000000000"),
            "libpi_opencl.so 15.47.1 at PI 15.47, 12 bytes of 2026-01-01T00:00:00Z"
        );
        assert_eq!(with_date("a plugin"), "a plugin");
        assert_eq!(with_date("x bytes of 99999999999999.1, more"), "x bytes of 99999999999999.1, more");
    }
}
