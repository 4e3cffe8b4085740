//! Output files that are written either all together or not at all. No output replaces another one, or an input.
//!
//! A regular file appears complete, atomically, and keeps its permissions if it existed. A new file gets the
//! permissions that the umask leaves. A link remains a link, and the file that it leads to is the output. Files that
//! cannot be replaced by a new one are written in place: a device, a pipe, a file with several names, or another
//! user's.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tempfile::{NamedTempFile, TempPath};

/// The number of links that the system follows.
const LINKS: usize = 40;

/// Outputs that are not in place yet.
#[derive(Default)]
pub struct Written {
    /// Complete files with temporary names. They are closed because there may be more than a process may have open.
    whole: Vec<(TempPath, PathBuf)>,
    in_place: Vec<InPlace>,
    inputs: Vec<FileIdentity>,
    outputs: Vec<FileIdentity>,
}

/// A file, whichever of its names is used.
#[derive(PartialEq, Eq)]
enum FileIdentity {
    /// The device and inode.
    There(u64, u64),
    /// The name of a new file, in a folder without links.
    New(PathBuf),
}

struct InPlace {
    path: PathBuf,
    bytes: Vec<u8>,
    /// Whether it has a length, which is set to that of the bytes.
    sized: bool,
}

/// The destination to which an output's name leads.
enum Destination {
    /// A regular file, or none yet.
    File(PathBuf),
    /// An open file of this process, such as `/dev/stdout`.
    Open,
}

impl Written {
    /// Creates outputs of a command that reads these files. None of them may be written, under any name.
    pub fn apart_from<'p>(inputs: impl IntoIterator<Item = &'p Path>) -> Self {
        let inputs = inputs.into_iter().filter_map(|path| identity(path).ok().flatten()).collect();
        Self { inputs, ..Self::default() }
    }

    /// Adds an output. Everything that needs disk space is written now, next to its final location.
    pub fn add(&mut self, path: &Path, bytes: &[u8]) -> Result<()> {
        self.try_add(path, bytes).with_context(|| cannot(path))
    }

    fn try_add(&mut self, path: &Path, bytes: &[u8]) -> Result<()> {
        if let Some(own) = identity(path)? {
            if self.inputs.contains(&own) {
                bail!(
                    "the command reads this file, or it belongs to one that the command reads; give another name"
                );
            }
            if self.outputs.contains(&own) {
                bail!("the command writes another output to the same file; give another name");
            }
            self.outputs.push(own);
        }
        let mut in_place = |sized| {
            self.in_place.push(InPlace { path: path.to_owned(), bytes: bytes.to_owned(), sized });
            Ok(())
        };
        let Destination::File(file) = place(path)? else { return in_place(false) };
        let there = match fs::metadata(&file) {
            Ok(there) if there.is_dir() => bail!("it is a folder"),
            Ok(there) if !there.is_file() => return in_place(false),
            Ok(there) => Some(there),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        if there.is_some() {
            // A write-protected file is not replaced, even if its folder would permit it.
            match File::options().write(true).open(&file) {
                Err(error) if error.kind() != ErrorKind::ExecutableFileBusy => return Err(error.into()),
                _ => {}
            }
        }
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // The system applies the umask to these.
        let mut unfinished = tempfile::Builder::new()
            .prefix(".pi-unfinished-")
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)?;
        if let Some(there) = there {
            if !stands_for(&unfinished, &there)? {
                return in_place(true);
            }
            unfinished.as_file().set_permissions(Permissions::from_mode(there.mode() & 0o777))?;
        }
        unfinished.write_all(bytes)?;
        self.whole.push((unfinished.into_temp_path(), file));
        Ok(())
    }

    /// Puts all outputs in place. If one fails, files that were new are removed again.
    pub fn finish(self) -> Result<()> {
        // These cannot be undone, but fail more often.
        for output in &self.in_place {
            output.write().with_context(|| cannot(&output.path))?;
        }
        let mut new: Vec<PathBuf> = Vec::new();
        for (unfinished, path) in self.whole {
            let was_there = path.exists();
            if let Err(error) = unfinished.persist(&path) {
                for other in &new {
                    // The first error is the one to report.
                    let _ = fs::remove_file(other);
                }
                return Err(error).with_context(|| cannot(&path));
            }
            if !was_there {
                new.push(path);
            }
        }
        Ok(())
    }
}

impl InPlace {
    fn write(&self) -> io::Result<()> {
        let mut file = File::options().write(true).open(&self.path)?;
        if !self.sized {
            return file.write_all(&self.bytes);
        }
        // The old bytes keep their disk space until the new ones are written.
        let old = fs::read(&self.path);
        let written = file.write_all(&self.bytes).and_then(|()| file.set_len(self.bytes.len() as u64));
        if let (Err(_), Ok(old)) = (&written, old) {
            // The first error is the one to report.
            let _ = file.write_all_at(&old, 0).and_then(|()| file.set_len(old.len() as u64));
        }
        written
    }
}

/// Returns whether an output can have files next to it, which is not so for `/dev/null` and pipes.
pub fn has_neighbours(path: &Path) -> bool {
    match place(path) {
        Ok(Destination::File(file)) => {
            fs::metadata(file).map_or(true, |there| there.is_file() || there.is_dir())
        }
        _ => false,
    }
}

/// Returns whether the new file can replace the existing one, which must have one name only, and the same owner.
fn stands_for(new: &NamedTempFile, there: &Metadata) -> io::Result<bool> {
    let new = new.as_file().metadata()?;
    Ok(there.nlink() == 1 && (new.uid(), new.gid()) == (there.uid(), there.gid()))
}

/// Follows the links of an output's name. The last one may lead to a file that does not exist yet.
fn place(path: &Path) -> io::Result<Destination> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(target) = fs::read_link(&path) else { return Ok(Destination::File(path)) };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // The links there lead to open files, unlike their texts.
        if folder.canonicalize()?.starts_with("/proc") {
            return Ok(Destination::Open);
        }
        path = folder.join(target);
    }
    Err(io::Error::other("too many links"))
}

/// Returns the identity of the file that a name leads to, if it is a regular file or a new one.
fn identity(path: &Path) -> io::Result<Option<FileIdentity>> {
    match fs::metadata(path) {
        Ok(data) => Ok(data.is_file().then(|| FileIdentity::There(data.dev(), data.ino()))),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let Destination::File(file) = place(path)? else { return Ok(None) };
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize()?;
            Ok(file.file_name().map(|name| FileIdentity::New(folder.join(name))))
        }
        Err(error) => Err(error),
    }
}

fn cannot(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn write(path: &Path, bytes: &[u8]) -> Result<()> {
        let mut written = Written::default();
        written.add(path, bytes)?;
        written.finish()
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o777
    }

    #[test]
    fn a_file_keeps_its_permissions_and_a_protected_one_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("out");
        for kept in [0o600, 0o640, 0o755] {
            fs::write(&file, "old").unwrap();
            fs::set_permissions(&file, Permissions::from_mode(kept)).unwrap();
            write(&file, b"new").unwrap();
            assert_eq!((fs::read(&file).unwrap().as_slice(), mode(&file)), (b"new".as_slice(), kept));
        }
    }

    #[test]
    fn links_stay_and_the_file_behind_them_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("other")).unwrap();
        symlink("other/file", path("second")).unwrap();
        symlink(path("second"), path("first")).unwrap();
        for text in ["the link led to nothing", "it leads to a file"] {
            write(&path("first"), text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(path("other/file")).unwrap(), text);
            assert!(fs::read_link(path("first")).is_ok() && fs::read_link(path("second")).is_ok());
        }
        symlink("round", path("round")).unwrap();
        assert!(write(&path("round"), b"x").is_err());
    }

    #[test]
    fn a_file_of_several_names_stays_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        fs::write(&one, "a long old text").unwrap();
        fs::hard_link(&one, &two).unwrap();
        write(&one, b"new").unwrap();
        assert_eq!(fs::read(&two).unwrap(), b"new");
    }

    #[test]
    fn what_was_read_is_not_written_under_any_name_and_no_output_twice() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("sub")).unwrap();
        fs::write(path("source"), "old").unwrap();
        fs::hard_link(path("source"), path("hard")).unwrap();
        symlink("source", path("soft")).unwrap();
        symlink("new", path("to_new")).unwrap();
        let read = [path("source"), path("new")];
        for name in ["source", "./source", "sub/../source", "hard", "soft", "new", "sub/../new", "to_new"] {
            let mut written = Written::apart_from(read.iter().map(PathBuf::as_path));
            let error = written.add(&path(name), b"x").unwrap_err();
            assert!(format!("{error:#}").contains("the command reads this file"), "{name}: {error:#}");
            written.finish().unwrap();
        }
        let mut written = Written::default();
        written.add(&path("out"), b"x").unwrap();
        let error = written.add(&path("sub/../out"), b"y").unwrap_err();
        assert!(format!("{error:#}").contains("the command writes another output"), "{error:#}");
        assert_eq!(fs::read(path("source")).unwrap(), b"old");
        for path in ["/dev/null", "/dev/null"] {
            written.add(Path::new(path), b"a device takes all").unwrap();
        }
    }

    #[test]
    fn nothing_is_put_in_place_where_one_output_cannot_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        fs::write(&old, "old").unwrap();
        let mut written = Written::default();
        for path in [&new, &old, Path::new("/dev/full")] {
            written.add(path, b"text").unwrap();
        }
        let error = written.finish().unwrap_err();
        assert!(format!("{error:#}").starts_with("cannot write /dev/full: No space left"), "{error:#}");
        assert_eq!(fs::read(&old).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_was_there_stays_when_a_later_output_cannot_be_put_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new, blocked] = ["old", "new", "blocked"].map(|name| folder.path().join(name));
        fs::write(&old, "old").unwrap();
        let mut written = Written::default();
        for path in [&old, &new, &blocked] {
            written.add(path, b"text").unwrap();
        }
        fs::create_dir(&blocked).unwrap();
        written.finish().unwrap_err();
        assert_eq!(fs::read(&old).unwrap(), b"text");
        assert!(!new.exists() && blocked.is_dir());
    }

    #[test]
    fn devices_and_open_files_take_no_files_beside_them() {
        let folder = tempfile::tempdir().unwrap();
        symlink("/dev/null", folder.path().join("null")).unwrap();
        assert!(has_neighbours(&folder.path().join("new.spv")));
        for path in [Path::new("/dev/null"), Path::new("/dev/stdout"), &folder.path().join("null")] {
            assert!(!has_neighbours(path), "{}", path.display());
        }
    }
}
