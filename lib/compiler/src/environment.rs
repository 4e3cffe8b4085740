//! The folder in which compilers run, and their variables, neither of which affects the result.

use std::env;
use std::ffi::OsString;

use sycl_pi_host_process::{folders, library_path, trusted_variable};

/// A folder to which only root can add a header. Clang searches for some headers in its current folder first.
pub(crate) const FOLDER: &str = "/";

/// Lists of folders, in which scripts find programs and programs find their libraries.
const LISTS: [&str; 2] = ["PATH", LIBRARIES];

const LIBRARIES: &str = "LD_LIBRARY_PATH";

/// The time that `__DATE__` and `__TIME__` expand to, for reproducible builds. A source that uses these macros is never
/// stored.
const EPOCH: &str = "SOURCE_DATE_EPOCH";

/// Returns all variables of a compiler.
pub(crate) fn variables() -> Vec<(&'static str, OsString)> {
    variables_of(&trusted_variable)
}

/// Returns the libraries that a compiler loads, as far as variables determine them. A compiler with other libraries
/// counts as another compiler.
pub(crate) fn libraries() -> Option<OsString> {
    list(LIBRARIES, &trusted_variable)
}

fn variables_of(variable: &dyn Fn(&str) -> Option<OsString>) -> Vec<(&'static str, OsString)> {
    // Messages are in English, and no configuration file adds options.
    let mut all = vec![("LC_ALL", "C".into()), ("CLANG_NO_DEFAULT_CONFIG", "1".into())];
    all.extend(LISTS.into_iter().filter_map(|name| Some((name, list(name, variable)?))));
    all.extend(variable(EPOCH).map(|time| (EPOCH, time)));
    all
}

/// Returns a list without its empty and relative parts, which would refer to [`FOLDER`].
fn list(name: &str, variable: &dyn Fn(&str) -> Option<OsString>) -> Option<OsString> {
    // In the list of libraries, semicolons separate folders like colons, as the system treats them.
    let all = if name == LIBRARIES { library_path(&variable(name)?) } else { variable(name)? };
    let absolute = folders(&all).filter(|folder| folder.is_absolute());
    env::join_paths(absolute).ok().filter(|list| !list.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_gets_no_variable_that_adds_headers_or_options_and_no_relative_folder() {
        let given = |name: &str| {
            let value = match name {
                "PATH" => ".:/bin::bin:/usr/bin:",
                "LD_LIBRARY_PATH" => "/x:;lib;/y",
                "SOURCE_DATE_EPOCH" => "0",
                _ => "-DX=1",
            };
            Some(OsString::from(value))
        };
        let expected = [
            ("LC_ALL", "C"),
            ("CLANG_NO_DEFAULT_CONFIG", "1"),
            ("PATH", "/bin:/usr/bin"),
            ("LD_LIBRARY_PATH", "/x:/y"),
            ("SOURCE_DATE_EPOCH", "0"),
        ];
        assert_eq!(variables_of(&given), expected.map(|(name, value)| (name, value.into())));
        assert_eq!(list("PATH", &|_| Some(":.:".into())), None);
    }
}
