//! The command line.

use std::path::{Path, PathBuf};

use clap::{Parser, ValueEnum};
use sycl_pi_loader::{Backend, Version};
use testing_ur_host::{Layout, layout_of_name};

use crate::interface::Interface;

/// Tests whether a PI plugin or a UR adapter conforms to the interface.
///
/// The exit code is 0 if nothing failed, 1 if something failed, and 2 if the plugin could not be tested.
#[derive(Debug, Parser)]
#[command(name = "pi-conformance", version)]
pub(crate) struct Arguments {
    /// The file of the plugin or adapter
    #[arg(required_unless_present = "list")]
    plugin: Option<PathBuf>,
    /// The backend of the plugin, if neither its file name nor its platform tells it
    #[arg(long, value_parser = parse_backend, value_name = "opencl|level_zero|cuda")]
    pub(crate) backend: Option<Backend>,
    /// Only this PI version, e.g. 12.27 (default: all versions that the plugin supports)
    #[arg(long, value_parser = parse_version)]
    pub(crate) pi_version: Vec<Version>,
    /// Only this layout of UR, e.g. 2025.3 (default: all layouts that the adapter supports)
    #[arg(long, value_parser = parse_layout)]
    pub(crate) layout: Vec<Layout>,
    /// Only cases whose id or entry point matches. `*` matches anything (may be given several times)
    #[arg(long)]
    pub(crate) filter: Vec<String>,
    /// The format of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// The number of parallel worker processes
    #[arg(long, default_value_t = 2)]
    pub(crate) jobs: usize,
    /// List the behaviours with the case, or the reason why there is none, and exit (text or JSON)
    #[arg(long)]
    pub(crate) list: bool,
    /// The file of permitted skips and known failures (default: the built-in file of the backend)
    #[arg(long)]
    pub(crate) expectations: Option<PathBuf>,
    /// The index of the device among all devices of all platforms
    #[arg(long, default_value_t = 0)]
    pub(crate) device: usize,
    /// Refusals must have the interface's own code (codes that lose information are not accepted), and a message
    #[arg(long)]
    pub(crate) strict: bool,
    /// Only count: expectations are ignored, every failure counts and every skip is allowed
    #[arg(long)]
    pub(crate) survey: bool,
    /// Seconds after which a case counts as hung
    #[arg(long, default_value_t = 30)]
    pub(crate) timeout: u64,
    /// A library that counts the driver's objects. Each case must release all of its objects
    #[arg(long, alias = "ledger")]
    pub(crate) object_counter: Option<PathBuf>,
    /// A command that starts the workers, e.g. "valgrind -q --log-file=%p.log"
    #[arg(long, default_value = "")]
    pub(crate) under: String,
    /// Internal: run the cases whose ids are read from standard input
    #[arg(long, hide = true, value_parser = parse_interface)]
    pub(crate) worker: Option<Interface>,
    /// Internal: ask the plugin for its versions, or the adapter for its layouts
    #[arg(long, hide = true)]
    pub(crate) questions: bool,
}

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text: wrong outcomes, reasons for skips, totals.
    Text,
    /// A document with all cases.
    Json,
    /// JUnit XML.
    Junit,
    /// The Test Anything Protocol.
    Tap,
}

/// The task of this process.
pub(crate) enum Role {
    Judge,
    List,
    Questions,
    Worker(Interface),
}

impl Arguments {
    pub(crate) fn role(&self) -> Role {
        match self.worker {
            Some(interface) => Role::Worker(interface),
            None if self.questions => Role::Questions,
            None if self.list => Role::List,
            None => Role::Judge,
        }
    }

    /// Returns the plugin's file.
    pub(crate) fn plugin(&self) -> &Path {
        self.plugin.as_deref().unwrap_or(Path::new(""))
    }

    /// Returns the format of the report.
    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    /// Returns whether a case is selected.
    pub(crate) fn wants(&self, id: &str, call: &str) -> bool {
        self.filter.is_empty() || self.filter.iter().any(|glob| matches(glob, id) || matches(glob, call))
    }
}

fn parse_backend(text: &str) -> Result<Backend, String> {
    Backend::ALL.into_iter().find(|backend| backend.name() == text).ok_or_else(|| {
        let known = Backend::ALL.map(Backend::name).join(", ");
        format!("not a backend known here (known: {known})")
    })
}

fn parse_version(text: &str) -> Result<Version, String> {
    Version::from_text(text.as_bytes()).ok_or_else(|| {
        let known = Version::ALL.map(Version::text).join(", ");
        format!("not a PI version known here (known: {known})")
    })
}

fn parse_layout(text: &str) -> Result<Layout, String> {
    layout_of_name(text).ok_or_else(|| {
        let known = Layout::ALL.map(Layout::name).join(", ");
        format!("not a layout of UR known here (known: {known})")
    })
}

fn parse_interface(text: &str) -> Result<Interface, String> {
    Interface::of_name(text).ok_or_else(|| "neither a PI version nor a layout of UR".to_owned())
}

/// Matches a glob with `*` only.
pub(crate) fn matches(glob: &str, text: &str) -> bool {
    let mut parts = glob.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_needs_no_plugin_and_a_run_needs_one() {
        let parse = |words: &[&str]| Arguments::try_parse_from([&["pi-conformance"], words].concat());
        assert!(matches!(parse(&["--list"]).unwrap().role(), Role::List));
        assert!(parse(&[]).is_err() && parse(&["--json"]).is_err());
        assert_eq!(parse(&["a.so", "--json"]).unwrap().format(), Format::Json);
        assert_eq!(parse(&["a.so", "--backend", "cuda"]).unwrap().backend, Some(Backend::Cuda));
        assert!(parse(&["a.so", "--backend", "hip"]).unwrap_err().to_string().contains("known: opencl"));
    }

    #[test]
    fn globs() {
        assert!(matches("PLT-*", "PLT-03"));
        assert!(matches("*Buffer*", "piEnqueueMemBufferRead"));
        assert!(matches("PLT-03", "PLT-03"));
        assert!(!matches("PLT-0", "PLT-03"));
        assert!(!matches("*Rect", "piEnqueueMemBufferRead"));
    }
}
