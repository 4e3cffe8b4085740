//! A library's files, whose descriptors share one table with those of its program.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, IntoRawFd};

use rustix::fs::fstat;

/// An open file, which is used only as long as its descriptor still belongs to it.
///
/// A program that becomes a daemon closes every descriptor above 2, including those that it did not open. The next
/// files that it opens get the same numbers. These files are neither used nor closed here.
#[derive(Debug)]
pub struct OwnFile<F: AsFd + IntoRawFd> {
    /// Always present, except at the end of the value's lifetime.
    file: Option<F>,
    identity: Identity,
}

/// Device and inode, which differ between any two files that are open at the same time.
type Identity = (u64, u64);

fn identity(file: BorrowedFd<'_>) -> io::Result<Identity> {
    let info = fstat(file)?;
    Ok((info.st_dev, info.st_ino))
}

impl<F: AsFd + IntoRawFd> OwnFile<F> {
    /// Wraps a file that was just opened.
    ///
    /// # Errors
    ///
    /// The system does not report its identity.
    pub fn new(file: F) -> io::Result<Self> {
        let identity = identity(file.as_fd())?;
        Ok(Self { file: Some(file), identity })
    }

    /// Returns the file.
    ///
    /// # Errors
    ///
    /// Its descriptor was closed by other code, and may refer to another file now.
    pub fn get(&self) -> io::Result<&F> {
        let there =
            self.file.as_ref().filter(|file| identity(file.as_fd()).is_ok_and(|now| now == self.identity));
        there.ok_or_else(|| io::Error::other("the program closed a descriptor that is not its own"))
    }
}

impl<F: AsFd + IntoRawFd> Drop for OwnFile<F> {
    fn drop(&mut self) {
        if self.get().is_err() {
            // The number is left to its current owner.
            let _ = self.file.take().map(F::into_raw_fd);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::os::fd::{AsRawFd, OwnedFd, RawFd};

    /// Returns a path that refers to the open file of a descriptor.
    fn name(fd: RawFd) -> Option<std::path::PathBuf> {
        std::fs::read_link(format!("/proc/self/fd/{fd}")).ok()
    }

    #[test]
    fn a_file_is_closed_with_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ours");
        let own = OwnFile::new(File::create(&path).unwrap()).unwrap();
        let fd = own.get().unwrap().as_raw_fd();
        drop(own);
        assert_ne!(name(fd).as_deref(), Some(path.as_path()));
    }

    #[test]
    fn a_number_that_another_file_has_now_is_neither_used_nor_closed() {
        let folder = tempfile::tempdir().unwrap();
        let [ours, theirs] = ["ours", "theirs"].map(|name| folder.path().join(name));
        let mut own = OwnFile::new(OwnedFd::from(File::create(ours).unwrap())).unwrap();
        let fd = own.get().unwrap().as_raw_fd();
        // This imitates a program that closes a descriptor which it did not open, and opens its own file.
        rustix::io::dup2(File::create(&theirs).unwrap(), own.file.as_mut().unwrap()).unwrap();
        assert!(own.get().is_err());
        drop(own);
        assert_eq!(name(fd), Some(theirs));
    }
}
