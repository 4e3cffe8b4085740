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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn each_part_of_a_program_s_time_and_size_is_part_of_its_identity() {
        let folder = tempfile::tempdir().unwrap();
        let clang = folder.path().join("clang-18");
        let identity = |bytes: &[u8], time: Duration| {
            std::fs::write(&clang, bytes).unwrap();
            let file = File::options().write(true).open(&clang).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + time).unwrap();
            Candidate { clang: clang.clone(), translator: None }.identity().unwrap()
        };
        let (program, longer) = (b"\x7fELF program", b"\x7fELF programs");
        let identities = [
            identity(program, Duration::new(1000, 5)),
            identity(program, Duration::new(1000, 6)),
            identity(program, Duration::new(1001, 5)),
            identity(longer, Duration::new(1000, 5)),
        ];
        let all: std::collections::HashSet<_> = identities.iter().collect();
        assert_eq!(all.len(), 4, "{identities:?}");
        assert_eq!(identity(program, Duration::new(1000, 5)), identities[0]);
    }

    fn written(file: &Path, bytes: &[u8]) {
        std::fs::write(file, bytes).unwrap();
    }

    #[test]
    fn a_pair_has_the_identities_of_both_programs() {
        let folder = tempfile::tempdir().unwrap();
        let [clang, one, two, script] = ["clang-18", "llvm-spirv-18", "amd-llvm-spirv", "llvm-spirv"]
            .map(|name| folder.path().join(name));
        for program in [&clang, &one, &two] {
            written(program, b"\x7fELF");
        }
        written(&script, b"#!/bin/sh");
        let identity = |translator: Option<&Path>| {
            Candidate { clang: clang.clone(), translator: translator.map(Path::to_owned) }.identity()
        };
        let identities = [None, Some(&*one), Some(&*two)].map(|translator| identity(translator).unwrap());
        let all: std::collections::HashSet<_> = identities.iter().collect();
        assert_eq!(all.len(), 3, "{identities:?}");
        assert_eq!(identity(Some(&script)), None);
    }

    /// Such as a link to ccache, which runs another program.
    #[test]
    fn a_link_to_a_program_of_another_name_has_no_identity() {
        let folder = tempfile::tempdir().unwrap();
        let (other, clang) = (folder.path().join("ccache"), folder.path().join("clang"));
        written(&other, b"\x7fELF");
        std::os::unix::fs::symlink(&other, &clang).unwrap();
        assert_eq!(Candidate { clang, translator: None }.identity(), None);
    }
}
