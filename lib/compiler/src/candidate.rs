//! A pair of programs that may be able to make SPIR-V.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::environment;

/// A clang with a program that may translate its output to SPIR-V. Neither has been run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub(crate) clang: PathBuf,
    /// `llvm-spirv`, or `None` for clang's own SPIR-V back end.
    pub(crate) translator: Option<PathBuf>,
}

impl Candidate {
    /// Returns the identity of these programs: their paths, sizes and times, and the search path of their libraries.
    /// Another version has another identity. Returns `None` if it cannot be determined, because a program no longer
    /// exists, is a script, or is a compiler launcher.
    pub fn identity(&self) -> Option<String> {
        let mut identity = of_program(&self.clang, "clang")?;
        if let Some(translator) = &self.translator {
            identity = format!("{identity}, {}", of_program(translator, "spirv")?);
        }
        match environment::libraries() {
            Some(libraries) => Some(format!("{identity}, libraries of {}", libraries.to_str()?)),
            None => Some(identity),
        }
    }
}

/// Returns the identity of one program. `name` is part of the names of real compilers, because a link with a compiler's
/// name may lead to ccache.
fn of_program(path: &Path, name: &str) -> Option<String> {
    let path = path.canonicalize().ok()?;
    let is_itself = path.file_name()?.to_str()?.contains(name);
    let mut file = File::open(&path).ok()?;
    let mut start = [0; 4];
    file.read_exact(&mut start).ok()?;
    let data = file.metadata().ok()?;
    let identity = format!("{} {} {}.{}", path.display(), data.size(), data.mtime(), data.mtime_nsec());
    // The behavior of a script depends on other files and variables.
    (is_itself && start == *b"\x7fELF").then_some(identity)
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.clang.display())?;
        match &self.translator {
            Some(translator) => write!(f, " and {}", translator.display()),
            None => write!(f, " alone"),
        }
    }
}
