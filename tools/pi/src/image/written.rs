//! Files that are written together: all of them, or none.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::TempPath;

/// Files under other names until all are written. They are closed: there may be more than a process may have open.
#[derive(Default)]
pub struct Written {
    files: Vec<(TempPath, PathBuf)>,
}

impl Written {
    /// Writes a file beside its place.
    pub fn add(&mut self, path: &Path, bytes: &[u8]) -> Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let wrong = || format!("cannot write {}", path.display());
        let mut file =
            tempfile::Builder::new().prefix(".pi-image-").tempfile_in(folder).with_context(wrong)?;
        file.write_all(bytes).with_context(wrong)?;
        readable(file.as_file()).with_context(wrong)?;
        self.files.push((file.into_temp_path(), path.to_owned()));
        Ok(())
    }

    /// Puts all files in their places. Where one cannot be put there, those that were new are taken away again.
    pub fn finish(self) -> Result<()> {
        let mut new: Vec<PathBuf> = Vec::new();
        for (file, path) in self.files {
            let was_there = path.exists();
            if let Err(error) = file.persist(&path) {
                for other in &new {
                    // The first error is the one to report.
                    let _ = std::fs::remove_file(other);
                }
                return Err(error).with_context(|| format!("cannot write {}", path.display()));
            }
            if !was_there {
                new.push(path);
            }
        }
        Ok(())
    }
}

/// Temporary files are readable by their owner only; results get the usual permissions.
#[cfg(unix)]
fn readable(file: &File) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    Ok(file.set_permissions(std::fs::Permissions::from_mode(0o644))?)
}

#[cfg(not(unix))]
fn readable(_: &File) -> Result<()> {
    Ok(())
}
