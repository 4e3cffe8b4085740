//! The output of a demo program: which plugin or adapter served it, whether its numbers are right, and its times.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::process;
use crate::releases::Release;

/// The line that the program printed.
#[derive(Debug, Deserialize)]
struct Printed {
    program: String,
    device: String,
    loaded: Vec<PathBuf>,
    /// What was checked, the measured deviation, and the largest one allowed.
    checks: Vec<(String, f64, f64)>,
    seconds: Vec<(String, f64)>,
}

/// The result of a demo program.
#[derive(Debug)]
pub(crate) struct Proof {
    printed: Printed,
    /// The version that the trace has; adapters are not traced with one.
    version: Option<String>,
    plugin: PathBuf,
    /// The file that `plugin` is a copy of.
    ours: PathBuf,
    picture: PathBuf,
}

impl Proof {
    /// Reads the program's output: its own line, and libsycl's trace of the plugins that it loaded. `plugin` lies where the program
    /// should have loaded it from, and should be a copy of `ours`.
    pub(crate) fn parse(text: &str, plugin: PathBuf, ours: PathBuf, picture: PathBuf) -> Result<Self> {
        let line = text.lines().find_map(|line| line.strip_prefix("RESULT "));
        let printed = serde_json::from_str(line.context("the program printed no result")?)?;
        let trace = text.lines().find(|line| line.contains("successfully loaded: libpi_opencl.so"));
        let version = trace.and_then(|line| line.split("PluginVersion:").nth(1));
        let version = version.map(|version| version.trim_matches([' ', ']']).to_owned());
        Ok(Proof { printed, version, plugin, ours, picture })
    }

    /// Prints everything. Returns whether every check holds. It is an error if another file served the program.
    pub(crate) fn show(&self, release: &Release) -> Result<bool> {
        let hash = self.prove()?;
        println!();
        println!("program   {}", self.printed.program);
        println!("device    {}", self.printed.device);
        println!("runtime   DPC++ {}, {} of {}", release.version, release.soname, release.interface);
        println!("{:<10}{}", release.loads(), self.plugin.display());
        if let Some(version) = &self.version {
            println!("          says PI {version}");
        }
        println!("          SHA-256 {hash}");
        println!(
            "proof     /proc/self/maps has that file, which is ours, and no other OpenCL {}",
            release.loads()
        );
        for (what, seconds) in &self.printed.seconds {
            println!("time      {what}: {seconds:.3} s");
        }
        let mut good = true;
        for (what, found, allowed) in &self.printed.checks {
            // A NaN fails.
            let holds = found <= allowed;
            good &= holds;
            println!(
                "check     {what}: {found:.3e}, at most {allowed:.0e}: {}",
                if holds { "ok" } else { "WRONG" }
            );
        }
        println!("picture   {}", self.picture.display());
        Ok(good)
    }

    /// Checks that the program mapped the file that this workspace built, and returns the hash of that file.
    fn prove(&self) -> Result<String> {
        let ours = process::sha256(&self.ours)?;
        let meant = fs::canonicalize(&self.plugin)?;
        let loaded: Vec<&PathBuf> =
            self.printed.loaded.iter().filter(|path| is_of_kind(path, &self.plugin)).collect();
        if loaded != [&meant] {
            bail!("the program loaded {loaded:?} instead of {}", meant.display());
        }
        if process::sha256(&meant)? != ours {
            bail!("{} is not the file that this workspace built", meant.display());
        }
        Ok(ours)
    }
}

/// Whether `path` is an OpenCL plugin where `plugin` is one, or an OpenCL adapter where that is one. The vendor's other plugins of 2024
/// load adapters of their own.
fn is_of_kind(path: &Path, plugin: &Path) -> bool {
    let name =
        |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let start = if name(plugin).starts_with("libpi_") { "libpi_opencl" } else { "libur_adapter_opencl" };
    name(path).starts_with(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_line_and_the_plugins_version_are_found() {
        let text = "SYCL_PI_TRACE[basic]: Plugin found and successfully loaded: libpi_opencl.so [ PluginVersion: 12.27.1 ]\n\
            RESULT {\"program\":\"p\",\"device\":\"d\",\"loaded\":[],\"checks\":[[\"c\",0,1]],\"seconds\":[]}";
        let proof = Proof::parse(text, PathBuf::new(), PathBuf::new(), PathBuf::new()).unwrap();
        assert_eq!(proof.version.as_deref(), Some("12.27.1"));
        assert_eq!(proof.printed.checks, [("c".to_owned(), 0.0, 1.0)]);
    }

    #[test]
    fn another_plugin_is_not_accepted() {
        let text = "RESULT {\"program\":\"p\",\"device\":\"d\",\"loaded\":[\"/v/libpi_opencl.so\"],\"checks\":[],\"seconds\":[]}";
        // Files that are there, and have the same bytes.
        let here = tempfile::tempdir().unwrap();
        let (plugin, ours) = (here.path().join("libpi_opencl.so"), PathBuf::from("/dev/null"));
        std::fs::write(&plugin, "").unwrap();
        let of =
            |text: &str| Proof::parse(text, plugin.clone(), ours.clone(), PathBuf::new()).unwrap().prove();
        assert!(of(text).is_err());
        assert!(of(&text.replace("/v/libpi_opencl.so", &plugin.to_string_lossy())).is_ok());
        assert!(of(&text.replace("/v/libpi_opencl.so", "/v/libur_adapter_opencl.so.0")).is_err());
    }
}
