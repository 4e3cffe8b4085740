//! Lists the places where a plugin may be, in the order in which they are tried, each with the reason.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::{Backend, Environment};

/// A variable of this project: a colon-separated list of folders to search for plugins, and of plugin files.
pub const SEARCH_PATH_VARIABLE: &str = "PI_PLUGIN_PATH";

/// The reason why a file is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// The caller named it.
    Explicit,
    /// A `SYCL_OVERRIDE_PI_...` variable names it.
    Override(&'static str),
    /// It is in a folder of `PI_PLUGIN_PATH`.
    SearchPath,
    /// It is next to the running program.
    BesideExecutable,
    /// The system's search path (`LD_LIBRARY_PATH`, the linker's cache) determines it.
    System,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Explicit => f.write_str("named explicitly"),
            Origin::Override(variable) => f.write_str(variable),
            Origin::SearchPath => f.write_str(SEARCH_PATH_VARIABLE),
            Origin::BesideExecutable => f.write_str("beside the program"),
            Origin::System => f.write_str("the system's search"),
        }
    }
}

/// A file to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The backend for which it is tried.
    pub backend: Backend,
    /// The file. A bare name is left to the system's search.
    pub path: PathBuf,
    /// The reason why it is tried.
    pub origin: Origin,
}

impl Candidate {
    /// Creates a candidate for a file that the caller names. The backend is derived from its name, and defaults to
    /// OpenCL.
    pub fn explicit(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let backend = Backend::of_file(&path).unwrap_or(Backend::OpenCl);
        Self { backend, path, origin: Origin::Explicit }
    }

    /// Returns whether the system's search determines the file.
    pub fn is_bare_name(&self) -> bool {
        is_bare(&self.path)
    }
}

/// Returns the files to try for `backend`, in order. `executable_folder` is the running program's, if known.
///
/// An override variable excludes all other places, as it does in the runtimes that honor it. In a set-user-ID program
/// only the system's search remains, because the user who starts such a program controls its variables and, on some
/// systems, the folder of its file.
pub fn candidates(
    backend: Backend,
    environment: &Environment,
    executable_folder: Option<&Path>,
) -> Vec<Candidate> {
    let candidate = |path: PathBuf, origin| Candidate { backend, path, origin };
    let variable = backend.override_variable();
    if let Some(file) = environment.file(variable) {
        return vec![candidate(file, Origin::Override(variable))];
    }
    let searched = environment.paths(SEARCH_PATH_VARIABLE).into_iter();
    let searched = searched.filter_map(|place| in_place(backend, place));
    let mut found: Vec<Candidate> = searched.map(|file| candidate(file, Origin::SearchPath)).collect();
    let beside = executable_folder.filter(|_| !environment.is_privileged());
    found.extend(beside.map(|folder| candidate(folder.join(backend.file_name()), Origin::BesideExecutable)));
    found.push(candidate(PathBuf::from(backend.file_name()), Origin::System));
    found
}

/// Returns the file to try for an entry of the search path, which is a folder or a plugin file. As with files that the
/// caller names, a file whose name contains no backend counts as OpenCL.
fn in_place(backend: Backend, place: PathBuf) -> Option<PathBuf> {
    if !place.is_file() {
        return Some(place.join(backend.file_name()));
    }
    let own = Candidate::explicit(&place).backend;
    (own == backend).then_some(place)
}

/// Returns the folder of the running program, with links resolved.
pub fn executable_folder() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let program = program.canonicalize().unwrap_or(program);
    program.parent().map(Path::to_path_buf)
}

pub(crate) fn is_bare(path: &Path) -> bool {
    !path.as_os_str().is_empty() && path.file_name() == Some(path.as_os_str() as &OsStr)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_of_places() {
        let environment = Environment::from_pairs([(SEARCH_PATH_VARIABLE, "/one::/two")]);
        let found = candidates(Backend::OpenCl, &environment, Some(Path::new("/bin")));
        let shown: Vec<_> = found.iter().map(|c| (c.path.to_str().unwrap(), c.origin)).collect();
        assert_eq!(
            shown,
            [
                ("/one/libpi_opencl.so", Origin::SearchPath),
                ("/two/libpi_opencl.so", Origin::SearchPath),
                ("/bin/libpi_opencl.so", Origin::BesideExecutable),
                ("libpi_opencl.so", Origin::System),
            ]
        );
        assert!(found[3].is_bare_name() && !found[0].is_bare_name());
    }

    #[test]
    fn the_search_path_may_name_a_plugin_s_own_file() {
        let folder = tempfile::tempdir().unwrap();
        let [own, cuda] = ["libown_plugin.so", "libpi_cuda.so"].map(|name| folder.path().join(name));
        std::fs::write(&own, "").unwrap();
        std::fs::write(&cuda, "").unwrap();
        let list = format!("{}:{}", own.display(), cuda.display());
        let environment = Environment::from_pairs([(SEARCH_PATH_VARIABLE, list)]);
        let first = |backend| candidates(backend, &environment, None)[0].clone();
        assert_eq!((first(Backend::OpenCl).path, first(Backend::OpenCl).origin), (own, Origin::SearchPath));
        assert_eq!(first(Backend::Cuda).path, cuda);
        assert_eq!(first(Backend::LevelZero).origin, Origin::System);
    }

    #[test]
    fn an_override_stands_alone() {
        let environment = Environment::from_pairs([
            (SEARCH_PATH_VARIABLE, "/one"),
            ("SYCL_OVERRIDE_PI_CUDA", "/x/mine.so"),
        ]);
        let found = candidates(Backend::Cuda, &environment, None);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].origin, Origin::Override("SYCL_OVERRIDE_PI_CUDA"));
        assert_eq!(candidates(Backend::OpenCl, &environment, None).len(), 2);
    }

    /// Otherwise the user who starts the program could run any library with its privileges.
    #[test]
    fn a_privileged_program_follows_no_variable() {
        let environment = Environment::from_pairs([
            (SEARCH_PATH_VARIABLE, "/one"),
            ("SYCL_OVERRIDE_PI_OPENCL", "/x/mine.so"),
        ]);
        let found = candidates(Backend::OpenCl, &environment.as_privileged(), Some(Path::new("/bin")));
        assert_eq!(found.len(), 1);
        assert!(found[0].is_bare_name() && found[0].origin == Origin::System);
    }

    #[test]
    fn a_file_that_the_caller_names_tells_its_backend() {
        let explicit = |path: &str| Candidate::explicit(path).backend;
        assert_eq!(explicit("/x/libpi_cuda.so"), Backend::Cuda);
        assert_eq!(explicit("libmine.so"), Backend::OpenCl);
        assert!(!Candidate::explicit("").is_bare_name() && !Candidate::explicit("./a.so").is_bare_name());
        let folder = executable_folder().unwrap();
        assert_eq!(std::env::current_exe().unwrap().canonicalize().unwrap().parent(), Some(&*folder));
        let words = [
            Origin::Explicit,
            Origin::Override("X"),
            Origin::SearchPath,
            Origin::BesideExecutable,
            Origin::System,
        ];
        assert_eq!(
            words.map(|origin| origin.to_string()),
            ["named explicitly", "X", "PI_PLUGIN_PATH", "beside the program", "the system's search"]
        );
    }

    /// An empty value or part would name the current directory.
    #[test]
    fn no_empty_name_is_followed() {
        let environment =
            Environment::from_pairs([(SEARCH_PATH_VARIABLE, ":"), ("SYCL_OVERRIDE_PI_OPENCL", "")]);
        let found = candidates(Backend::OpenCl, &environment, None);
        assert_eq!(found.iter().map(|found| found.origin).collect::<Vec<_>>(), [Origin::System]);
    }
}
