//! Compilation options.

/// Floating-point and optimization options of a compilation. The default is precise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct NvvmOptions {
    /// Whether to optimize. Without this, compilation is fast but the code is slow.
    pub optimize: bool,
    /// Whether a product and a sum may be merged into one rounded operation.
    pub contract: bool,
    /// Whether denormal `float` numbers are flushed to zero.
    pub flush_denormals: bool,
    /// Whether `float` divisions are rounded correctly; otherwise they are within 2 units in the last place.
    pub precise_division: bool,
    /// Whether `float` square roots are rounded correctly; otherwise they are within 1 unit in the last place.
    pub precise_sqrt: bool,
    /// Whether libnvvm's verifier checks the IR first.
    pub verify: bool,
}

impl Default for NvvmOptions {
    fn default() -> Self {
        Self {
            optimize: true,
            contract: true,
            flush_denormals: false,
            precise_division: true,
            precise_sqrt: true,
            verify: false,
        }
    }
}

impl NvvmOptions {
    /// Returns the options as libnvvm takes them, for an architecture.
    pub(crate) fn list(&self, arch: &str) -> Vec<String> {
        let number = u8::from;
        vec![
            format!("-arch={arch}"),
            format!("-opt={}", if self.optimize { 3 } else { 0 }),
            format!("-fma={}", number(self.contract)),
            format!("-ftz={}", number(self.flush_denormals)),
            format!("-prec-div={}", number(self.precise_division)),
            format!("-prec-sqrt={}", number(self.precise_sqrt)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_libnvvms() {
        let precise = ["-arch=compute_90", "-opt=3", "-fma=1", "-ftz=0", "-prec-div=1", "-prec-sqrt=1"];
        assert_eq!(NvvmOptions::default().list("compute_90"), precise);
        let other = NvvmOptions {
            optimize: false,
            contract: false,
            flush_denormals: true,
            precise_division: false,
            precise_sqrt: false,
            verify: true,
        };
        let list = ["-arch=compute_61", "-opt=0", "-fma=0", "-ftz=1", "-prec-div=0", "-prec-sqrt=0"];
        assert_eq!(other.list("compute_61"), list);
    }

    #[test]
    fn each_option_is_one_of_libnvvms() {
        let default = NvvmOptions::default();
        for (options, changed) in [
            (NvvmOptions { optimize: false, ..default }, "-opt=0"),
            (NvvmOptions { contract: false, ..default }, "-fma=0"),
            (NvvmOptions { flush_denormals: true, ..default }, "-ftz=1"),
            (NvvmOptions { precise_division: false, ..default }, "-prec-div=0"),
            (NvvmOptions { precise_sqrt: false, ..default }, "-prec-sqrt=0"),
        ] {
            let (before, after) = (default.list("compute_90"), options.list("compute_90"));
            let differs = before.iter().zip(&after).filter(|(before, after)| before != after);
            assert_eq!(differs.map(|(_, after)| after.as_str()).collect::<Vec<_>>(), [changed]);
        }
    }
}
