//! A pair of programs that may make SPIR-V.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::environment;

/// A clang with what may turn its output into SPIR-V. Nothing of it was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub(crate) clang: PathBuf,
    /// `llvm-spirv`, or `None` for clang's own SPIR-V back end.
    pub(crate) translator: Option<PathBuf>,
}

impl Candidate {
    /// Which programs these are: their paths, sizes and times, and where they find their libraries. Another version is another
    /// identity. `None` if that cannot be told, since a program is gone, a script, or a launcher of compilers.
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

/// `name` is part of the names of the compilers themselves: a link that is called as one may lead to ccache.
fn of_program(path: &Path, name: &str) -> Option<String> {
    let path = path.canonicalize().ok()?;
    let is_itself = path.file_name()?.to_str()?.contains(name);
    let mut file = File::open(&path).ok()?;
    let mut start = [0; 4];
    file.read_exact(&mut start).ok()?;
    let data = file.metadata().ok()?;
    let identity = format!("{} {} {}.{}", path.display(), data.size(), data.mtime(), data.mtime_nsec());
    // A script does what other files and its variables say.
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
