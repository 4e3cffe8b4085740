//! The items of the store, for maintenance and listings.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::format::Notes;
use super::fs::FileInfo;
use super::layout::{self, ItemFile};
use super::read::Problem;
use super::{KeyParts, Store, StoreInner, StoreKey};

/// One item on disk, described by the sizes and times of its files. None of their contents has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its folder.
    pub folder: PathBuf,
    /// Its number in the folder.
    pub number: u64,
    /// The total size of its files, in bytes.
    pub size: u64,
    /// The number of times it was loaded.
    pub hits: u64,
    /// When it was last written or loaded, if the system records it.
    pub last_used: Option<SystemTime>,
}

/// The contents of an item's `.src`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details {
    /// The complete key, including the images.
    pub key: KeyParts,
    /// Kernel names and build time.
    pub notes: Notes,
}

/// A folder of the lowest level, with its files.
#[derive(Debug)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
    pub(super) items: Vec<Item>,
    /// Unfinished files and incomplete items.
    pub(super) strays: Vec<(PathBuf, FileInfo)>,
}

impl Item {
    /// Returns a readable name: the four folders, abbreviated, and the number.
    pub fn name(&self) -> String {
        let parts: Vec<String> = self.folder.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let tail = parts.get(parts.len().saturating_sub(layout::LEVELS)..).unwrap_or_default();
        let short: Vec<&str> = tail.iter().map(|part| part.get(..8).unwrap_or(part)).collect();
        format!("{}/{}", short.join("/"), self.number)
    }
}

impl Store {
    /// Returns all items, in the order of their folders; `seen` receives the number found so far.
    ///
    /// # Errors
    /// Fails if the root cannot be read. A missing root is an empty store.
    pub fn items(&self, mut seen: impl FnMut(usize)) -> io::Result<Vec<Item>> {
        let mut items = Vec::new();
        self.inner.walk(0, &mut |folder| {
            items.extend(folder.items);
            seen(items.len());
            true
        })?;
        Ok(items)
    }

    /// Reads and checks an item's `.src`.
    ///
    /// # Errors
    /// Fails if it cannot be read, is damaged, or does not belong to this user.
    pub fn details(&self, item: &Item) -> Result<Details, Problem> {
        let (key, notes, _) = self.inner.read_src(&layout::file(&item.folder, item.number, ItemFile::Src))?;
        let key = StoreKey::decode(&key).ok_or(super::Damage::Fields)?;
        Ok(Details { key, notes })
    }
}

impl StoreInner {
    /// Visits every folder of the lowest level until `visit` returns false. Folders of other caches in the same root
    /// are ignored, and unreadable ones are skipped. `start` is an arbitrary number that determines where to begin.
    pub(super) fn walk(&self, start: usize, visit: &mut dyn FnMut(Folder) -> bool) -> io::Result<()> {
        let Some(root) = self.root.as_deref() else { return Ok(()) };
        match self.fs().list(root) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
            Ok(_) => {
                self.descend(root, layout::LEVELS, start, visit);
                Ok(())
            }
        }
    }

    fn descend(
        &self,
        path: &Path,
        levels: usize,
        start: usize,
        visit: &mut dyn FnMut(Folder) -> bool,
    ) -> bool {
        if levels == 0 {
            return visit(self.folder(path));
        }
        let mut names = self.fs().list(path).unwrap_or_default();
        names.retain(|name| layout::is_folder_name(name));
        names.sort_unstable();
        let first = start.checked_rem(names.len()).unwrap_or(0);
        names.rotate_left(first);
        names.iter().all(|name| {
            let below = path.join(name);
            let is_folder = self.fs().info_at(&below).is_ok_and(|info| info.is_folder);
            !is_folder || self.descend(&below, levels - 1, start, visit)
        })
    }

    fn folder(&self, path: &Path) -> Folder {
        let mut folder = Folder { path: path.into(), items: Vec::new(), strays: Vec::new() };
        let names = self.fs().list(path).unwrap_or_default();
        let numbers = layout::numbers(&names);
        for number in &numbers {
            folder.items.push(self.item(path, *number));
        }
        for name in &names {
            let half = layout::parse(name).is_some_and(|(number, _)| !numbers.contains(&number));
            let stray = path.join(name);
            if (half || layout::is_temporary(name))
                && let Ok(info) = self.fs().info_at(&stray)
            {
                folder.strays.push((stray, info));
            }
        }
        folder
    }

    fn item(&self, folder: &Path, number: u64) -> Item {
        let info = |kind| self.fs().info_at(&layout::file(folder, number, kind)).ok();
        let all: Vec<FileInfo> = ItemFile::ALL.into_iter().filter_map(info).collect();
        Item {
            folder: folder.into(),
            number,
            size: all.iter().map(|info| info.size).sum(),
            hits: info(ItemFile::Use).map_or(0, |info| info.size),
            last_used: all.iter().filter_map(|info| info.modified).max(),
        }
    }
}
