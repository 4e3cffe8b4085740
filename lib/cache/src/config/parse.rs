//! Parses the variables into settings.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use sycl_pi_host_process::{is_privileged, trusted_variable};

use super::{Complaint, Config, Trace};

/// In megabytes this would be 16 TiB, so such a number is in bytes, as in releases from 2025 on.
const TOO_MANY_MEGABYTES: u64 = 1 << 24;
const MEGABYTE: u64 = 1 << 20;
const DAY: u64 = 24 * 60 * 60;

impl Config {
    /// Returns the settings from this process's variables. Each call logs a warning for every unusable value. In a
    /// process that has more rights than its user, no variable determines where files are, so nothing is kept on disk.
    pub fn from_env() -> Self {
        let (config, complaints) = Self::from_variables(|name| match name {
            "SYCL_CACHE_DIR" | "XDG_CACHE_HOME" | "HOME" => trusted_variable(name),
            _ => std::env::var_os(name),
        });
        let config = if is_privileged() { config.with_persistent(false) } else { config };
        for complaint in complaints {
            log::warn!(target: crate::store::LOG, "{complaint}");
        }
        config
    }

    /// Returns the settings from these variables, and the unusable values. The default replaces an unusable value; an
    /// empty value counts as unset.
    pub fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> (Self, Vec<Complaint>) {
        parse(&variable)
    }
}

struct Variables<'a> {
    get: &'a dyn Fn(&str) -> Option<OsString>,
    complaints: Vec<Complaint>,
}

fn parse(get: &dyn Fn(&str) -> Option<OsString>) -> (Config, Vec<Complaint>) {
    let mut variables = Variables { get, complaints: Vec::new() };
    let default = Config::default();
    let v = &mut variables;
    let config = Config {
        persistent: v.switch("SYCL_CACHE_PERSISTENT").unwrap_or(default.persistent),
        root: v.root(),
        max_size: v.size("SYCL_CACHE_MAX_SIZE", MEGABYTE, "megabytes").unwrap_or(default.max_size),
        threshold: v.days("SYCL_CACHE_THRESHOLD").unwrap_or(default.threshold),
        eviction: !v.is_on("SYCL_CACHE_EVICTION_DISABLE"),
        min_image_size: v
            .size("SYCL_CACHE_MIN_DEVICE_IMAGE_SIZE", 1, "bytes")
            .map_or(default.min_image_size, Option::unwrap_or_default),
        max_image_size: v
            .size("SYCL_CACHE_MAX_DEVICE_IMAGE_SIZE", 1, "bytes")
            .unwrap_or(default.max_image_size),
        in_memory: v.switch("SYCL_CACHE_IN_MEM").unwrap_or(default.in_memory),
        memory_limit: v
            .size("SYCL_IN_MEM_CACHE_EVICTION_THRESHOLD", 1, "bytes")
            .unwrap_or(default.memory_limit),
        trace: v.trace("SYCL_CACHE_TRACE"),
        wait: v.seconds("PI_CACHE_WAIT").unwrap_or(default.wait),
        background: default.background,
    };
    if v.text("SYCL_CACHE_DISABLE_PERSISTENT").is_some() {
        v.complain(
            "SYCL_CACHE_DISABLE_PERSISTENT",
            "it is no longer used; set SYCL_CACHE_PERSISTENT=0 instead",
        );
    }
    (config, variables.complaints)
}

impl Variables<'_> {
    fn raw(&self, name: &str) -> Option<OsString> {
        (self.get)(name).filter(|value| !value.is_empty())
    }

    fn text(&self, name: &str) -> Option<String> {
        self.raw(name).map(|value| value.to_string_lossy().trim().to_owned()).filter(|text| !text.is_empty())
    }

    fn complain(&mut self, variable: &'static str, reason: impl Into<String>) {
        let value = self.raw(variable).map(|value| value.to_string_lossy().into_owned()).unwrap_or_default();
        self.complaints.push(Complaint { variable, value, reason: reason.into() });
    }

    /// Reads 0 or 1.
    fn switch(&mut self, name: &'static str) -> Option<bool> {
        match self.text(name)?.as_str() {
            "0" => Some(false),
            "1" => Some(true),
            _ => {
                self.complain(name, "0 or 1 is expected; using the default, 1");
                None
            }
        }
    }

    /// Returns whether the variable is set, and not to 0.
    fn is_on(&self, name: &str) -> bool {
        self.text(name).is_some_and(|text| text != "0")
    }

    /// Reads a size. 0 means no limit and gives `Some(None)`.
    fn size(&mut self, name: &'static str, unit: u64, unit_name: &str) -> Option<Option<u64>> {
        let text = self.text(name)?;
        match parse_size(&text, unit) {
            Some(size) => Some(Some(size).filter(|size| *size > 0)),
            None => {
                self.complain(
                    name,
                    format!(
                        "a number of {unit_name} is expected, or one with K, M, G or T; using the default"
                    ),
                );
                None
            }
        }
    }

    fn days(&mut self, name: &'static str) -> Option<Option<Duration>> {
        let text = self.text(name)?;
        match text.parse::<u64>() {
            Ok(0) => Some(None),
            Ok(days) => Some(Some(Duration::from_secs(days.saturating_mul(DAY)))),
            Err(_) => {
                self.complain(name, "a number of days is expected; using the default, 7");
                None
            }
        }
    }

    fn seconds(&mut self, name: &'static str) -> Option<Duration> {
        let text = self.text(name)?;
        let seconds = text.parse::<f64>().ok().and_then(|value| Duration::try_from_secs_f64(value).ok());
        if seconds.is_none() {
            self.complain(name, "a number of seconds is expected; using the default, 30");
        }
        seconds
    }

    /// Reads the trace setting: early releases trace for any value, later ones use bits.
    fn trace(&self, name: &str) -> Trace {
        match self.text(name).map(|text| text.parse::<u64>()) {
            None => Trace::default(),
            Some(Ok(bits)) => Trace { disk: bits & 1 != 0, memory: bits & 2 != 0 },
            Some(Err(_)) => Trace { disk: true, memory: true },
        }
    }

    fn root(&mut self) -> Option<PathBuf> {
        let named = self.raw("SYCL_CACHE_DIR").map(PathBuf::from);
        // The XDG specification says to ignore a relative folder; for SYCL_CACHE_DIR it is used.
        let xdg = || self.raw("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        let home = || {
            let home = self.raw("HOME").map(PathBuf::from).filter(|path| path.is_absolute());
            home.map(|home| home.join(".cache"))
        };
        match named {
            Some(path) => std::path::absolute(path).ok(),
            None => xdg().or_else(home).map(|folder| folder.join("libsycl_cache")),
        }
    }
}

/// Parses a size in bytes from `512`, `512M`, `8G`, `8GiB`. A number without a letter is in units of `unit` bytes.
/// Returns `None` for anything else.
pub fn parse_size(text: &str, unit: u64) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits.trim_end().parse().ok()?;
    let suffix = text.get(digits.len()..)?.to_ascii_lowercase();
    let factor = match suffix.trim_end_matches("ib").trim_end_matches('b') {
        "" if suffix.is_empty() && unit > 1 && number >= TOO_MANY_MEGABYTES => 1,
        "" if suffix.is_empty() => unit,
        "" => 1,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        "t" => 1 << 40,
        _ => return None,
    };
    Some(number.saturating_mul(factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> (Config, Vec<Complaint>) {
        parse(&|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value)))
    }

    fn good(name: &str, value: &str) -> Config {
        let (config, complaints) = of(&[(name, value)]);
        assert!(complaints.is_empty(), "{complaints:?}");
        config
    }

    #[test]
    fn defaults() {
        let (config, complaints) = of(&[("HOME", "/home/me")]);
        assert_eq!(complaints, []);
        assert!(config.persistent && config.in_memory && config.eviction);
        assert_eq!(config.root, Some("/home/me/.cache/libsycl_cache".into()));
        assert_eq!(config.max_size, Some(8192 << 20));
        assert_eq!(config.threshold, Some(Duration::from_secs(7 * 86400)));
        assert_eq!((config.min_image_size, config.max_image_size), (0, Some(1 << 30)));
        assert_eq!(config.trace, Trace::default());
    }

    #[test]
    fn the_root() {
        let home = ("HOME", "/home/me");
        let xdg = ("XDG_CACHE_HOME", "/x");
        assert_eq!(of(&[home, xdg]).0.root, Some("/x/libsycl_cache".into()));
        assert_eq!(of(&[home, ("XDG_CACHE_HOME", "x")]).0.root, Some("/home/me/.cache/libsycl_cache".into()));
        assert_eq!(of(&[home, xdg, ("SYCL_CACHE_DIR", "/there")]).0.root, Some("/there".into()));
        assert_eq!(of(&[home, ("SYCL_CACHE_DIR", "")]).0.root, Some("/home/me/.cache/libsycl_cache".into()));
        assert!(of(&[("SYCL_CACHE_DIR", "relative")]).0.root.unwrap().is_absolute());
        assert_eq!(of(&[]).0.root, None);
        // A folder that depends on where the program starts is none.
        assert_eq!(of(&[("HOME", "home"), ("XDG_CACHE_HOME", "x")]).0.root, None);
    }

    #[test]
    fn units() {
        assert_eq!(good("SYCL_CACHE_MAX_SIZE", "100").max_size, Some(100 << 20));
        assert_eq!(good("SYCL_CACHE_MAX_SIZE", "3G").max_size, Some(3 << 30));
        assert_eq!(good("SYCL_CACHE_MAX_SIZE", "3 GiB").max_size, Some(3 << 30));
        assert_eq!(good("SYCL_CACHE_MAX_SIZE", "4096B").max_size, Some(4096));
        assert_eq!(
            good("SYCL_CACHE_MAX_SIZE", "8589934592").max_size,
            Some(8 << 30),
            "bytes, as later releases"
        );
        assert_eq!(good("SYCL_CACHE_MAX_SIZE", "0").max_size, None);
        assert_eq!(good("SYCL_CACHE_MAX_SIZE", "18446744073709551615M").max_size, Some(u64::MAX));
        assert_eq!(good("SYCL_CACHE_THRESHOLD", "2").threshold, Some(Duration::from_secs(2 * 86400)));
        assert_eq!(good("SYCL_CACHE_THRESHOLD", "0").threshold, None);
        assert_eq!(good("SYCL_CACHE_MAX_DEVICE_IMAGE_SIZE", "5000").max_image_size, Some(5000));
        assert_eq!(good("SYCL_CACHE_MAX_DEVICE_IMAGE_SIZE", "0").max_image_size, None);
        assert_eq!(good("SYCL_CACHE_MIN_DEVICE_IMAGE_SIZE", "10k").min_image_size, 10240);
        assert_eq!(good("SYCL_IN_MEM_CACHE_EVICTION_THRESHOLD", "77").memory_limit, Some(77));
        assert_eq!(good("PI_CACHE_WAIT", "0.5").wait, Duration::from_millis(500));
    }

    #[test]
    fn switches() {
        assert!(!good("SYCL_CACHE_PERSISTENT", "0").persistent);
        assert!(!good("SYCL_CACHE_IN_MEM", "0").in_memory);
        assert!(!good("SYCL_CACHE_EVICTION_DISABLE", "yes").eviction);
        assert!(good("SYCL_CACHE_EVICTION_DISABLE", "0").eviction);
        assert_eq!(good("SYCL_CACHE_TRACE", "2").trace, Trace { disk: false, memory: true });
        assert_eq!(good("SYCL_CACHE_TRACE", "on").trace, Trace { disk: true, memory: true });
    }

    #[test]
    fn what_cannot_be_used_leaves_the_default_and_is_told() {
        let names = [
            "SYCL_CACHE_PERSISTENT",
            "SYCL_CACHE_MAX_SIZE",
            "SYCL_CACHE_THRESHOLD",
            "SYCL_CACHE_MIN_DEVICE_IMAGE_SIZE",
            "SYCL_CACHE_MAX_DEVICE_IMAGE_SIZE",
            "SYCL_CACHE_IN_MEM",
            "SYCL_IN_MEM_CACHE_EVICTION_THRESHOLD",
            "PI_CACHE_WAIT",
        ];
        for name in names {
            for value in ["-1", "x", "1.5.2", "99999999999999999999999", "1Q", "NaN", "\u{fffd}"] {
                if name == "PI_CACHE_WAIT" && value.starts_with('9') {
                    continue;
                }
                let (config, complaints) = of(&[(name, value)]);
                assert_eq!(config, Config::default(), "{name}={value}");
                assert_eq!(complaints.len(), 1, "{name}={value}");
                assert!(complaints[0].to_string().starts_with(&format!("{name}=\"")));
            }
        }
        assert_eq!(of(&[("SYCL_CACHE_DISABLE_PERSISTENT", "1")]).1.len(), 1);
    }
}
