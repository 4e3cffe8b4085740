//! Files that are written together: all of them, or none.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

/// Files under other names until all are written.
#[derive(Default)]
pub struct Written {
    files: Vec<(NamedTempFile, PathBuf)>,
}

impl Written {
    /// Writes a file beside its place.
    pub fn add(&mut self, path: &Path, bytes: &[u8]) -> Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let wrong = || format!("cannot write {}", path.display());
        let mut file =
            tempfile::Builder::new().prefix(".pi-image-").tempfile_in(folder).with_context(wrong)?;
        file.write_all(bytes).with_context(wrong)?;
        self.files.push((file, path.to_owned()));
        Ok(())
    }

    /// Puts all files in their places.
    pub fn finish(self) -> Result<()> {
        for (file, path) in self.files {
            readable(&file)?;
            file.persist(&path).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

/// Temporary files are for their owner only; results are for whoever may read what is written here.
#[cfg(unix)]
fn readable(file: &NamedTempFile) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    Ok(file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?)
}

#[cfg(not(unix))]
fn readable(_: &NamedTempFile) -> Result<()> {
    Ok(())
}
