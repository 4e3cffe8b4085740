//! Options that a user gives in addition to those of the images, in the environment and in the API.

use std::borrow::Cow;
use std::sync::Arc;

/// Options of the driver's compiler and linker, in addition to those of the images. They are part of the keys of both
/// caches.
///
/// ```
/// use sycl_pi_runtime::BuildOptions;
/// let options = BuildOptions::new().append_compile("-g").append_compile("-cl-opt-disable");
/// assert_eq!(options.compile_options("-O2"), "-O2 -g -cl-opt-disable");
/// assert_eq!(options.replace_compile("").compile_options("-O2"), "-g -cl-opt-disable");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildOptions {
    compile: StageOptions,
    link: StageOptions,
    /// Empty if no option is given.
    key: Arc<str>,
}

/// Options of a compilation or a link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct StageOptions {
    /// Options that replace the images' own.
    replaced: Option<String>,
    /// Options that follow them.
    appended: String,
}

impl StageOptions {
    fn combined_with<'o>(&'o self, own: &'o str) -> Cow<'o, str> {
        let own = self.replaced.as_deref().unwrap_or(own);
        if own.is_empty() {
            return Cow::Borrowed(&self.appended);
        }
        if self.appended.is_empty() {
            return Cow::Borrowed(own);
        }
        Cow::Owned(format!("{own} {}", self.appended))
    }

    fn append(&mut self, options: &str) {
        if !self.appended.is_empty() && !options.is_empty() {
            self.appended.push(' ');
        }
        self.appended.push_str(options);
    }
}

impl BuildOptions {
    /// Creates options that add nothing to those of the images.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads `SYCL_PROGRAM_COMPILE_OPTIONS` and `SYCL_PROGRAM_LINK_OPTIONS`, which replace the images' own options, and
    /// `SYCL_PROGRAM_APPEND_COMPILE_OPTIONS` and `SYCL_PROGRAM_APPEND_LINK_OPTIONS`, which follow them. An empty
    /// variable counts as unset. A set-user-ID program ignores all of them, because options can name files that the
    /// compiler reads or writes.
    pub fn from_env() -> Self {
        Self::from_variables(|name| sycl_pi_host_process::trusted_variable(name)?.into_string().ok())
    }

    fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name| variable(name).filter(|options| !options.is_empty());
        let stage = |replace, append| StageOptions {
            replaced: set(replace),
            appended: set(append).unwrap_or_default(),
        };
        let compile = stage("SYCL_PROGRAM_COMPILE_OPTIONS", "SYCL_PROGRAM_APPEND_COMPILE_OPTIONS");
        let link = stage("SYCL_PROGRAM_LINK_OPTIONS", "SYCL_PROGRAM_APPEND_LINK_OPTIONS");
        Self { compile, link, key: Arc::default() }.with_key()
    }

    /// Appends these compile options to the images' own.
    #[must_use]
    pub fn append_compile(mut self, options: &str) -> Self {
        self.compile.append(options);
        self.with_key()
    }

    /// Appends these link options to the images' own.
    #[must_use]
    pub fn append_link(mut self, options: &str) -> Self {
        self.link.append(options);
        self.with_key()
    }

    /// Replaces the images' own compile options by these.
    #[must_use]
    pub fn replace_compile(mut self, options: &str) -> Self {
        self.compile.replaced = Some(options.to_owned());
        self.with_key()
    }

    /// Replaces the images' own link options by these.
    #[must_use]
    pub fn replace_link(mut self, options: &str) -> Self {
        self.link.replaced = Some(options.to_owned());
        self.with_key()
    }

    /// Returns the compile options for an image whose own are `own`.
    pub fn compile_options<'o>(&'o self, own: &'o str) -> Cow<'o, str> {
        self.compile.combined_with(own)
    }

    /// Returns the link options for an image whose own are `own`.
    pub fn link_options<'o>(&'o self, own: &'o str) -> Cow<'o, str> {
        self.link.combined_with(own)
    }

    /// Returns the options as a part of a key in memory.
    pub(crate) fn key(&self) -> &Arc<str> {
        &self.key
    }

    fn with_key(mut self) -> Self {
        let none = StageOptions::default();
        let nothing = self.compile == none && self.link == none;
        self.key =
            if nothing { Arc::default() } else { format!("{:?} {:?}", self.compile, self.link).into() };
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_replace_or_follow_the_images_options() {
        let variables = |name: &str| match name {
            "SYCL_PROGRAM_COMPILE_OPTIONS" => Some("-a".to_owned()),
            "SYCL_PROGRAM_APPEND_COMPILE_OPTIONS" => Some("-b".to_owned()),
            "SYCL_PROGRAM_APPEND_LINK_OPTIONS" => Some("-c".to_owned()),
            _ => Some(String::new()),
        };
        let options = BuildOptions::from_variables(variables);
        assert_eq!(options.compile_options("-own"), "-a -b");
        assert_eq!(options.link_options("-own"), "-own -c");
        let appended = options.append_compile("-d").append_link("-e");
        assert_eq!(
            (appended.compile_options(""), appended.link_options("")),
            ("-a -b -d".into(), "-c -e".into())
        );
    }

    #[test]
    fn each_set_of_options_has_its_key() {
        let new = BuildOptions::new;
        let all = [
            new(),
            new().append_compile("-a"),
            new().append_link("-a"),
            new().replace_compile("-a"),
            new().replace_link("-a"),
            new().replace_compile(""),
        ];
        let keys: std::collections::HashSet<_> = all.iter().map(|options| options.key().clone()).collect();
        assert_eq!(keys.len(), all.len());
        assert_eq!(&**BuildOptions::from_variables(|_| None).key(), "");
    }
}
