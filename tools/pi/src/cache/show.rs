//! `pi cache show`

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use clap::Args;
use sycl_pi_cache::store::{Details, Item};
use sycl_pi_cache::{Store, StoreKey};

use super::entry::CacheItem;
use super::select;
use crate::CommandStatus;
use crate::output::{Output, Style, bytes};
use crate::written::Written;

#[derive(Args)]
pub struct ShowArguments {
    /// An item as `pi cache ls` names it, or how its name starts.
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
    let mut written = Written::default();
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
        row("plugin", &details.plugin)?;
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
