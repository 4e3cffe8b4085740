//! Any bytes as a cache's files, keys and variables. They are read or refused, and what is read has a unique form.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::sync::OnceLock;

use sycl_pi_cache::store::{Built, KeyParts, parse_bin, parse_src};
use sycl_pi_cache::{Config, Digest, Store, StoreKey};
use tempfile::TempDir;

/// The size of a file's header before its checksum.
const SRC_FIELDS: usize = 32;
const BIN_FIELDS: usize = 40;
const BINARY: &[u8] = b"the binary of the one item";

/// Returns the file with a valid checksum, so that the code after the check is reached, too. `fields` is the length of
/// its header before the checksum.
fn mended(file: &[u8], fields: usize) -> Vec<u8> {
    let mut file = file.to_vec();
    if file.len() >= fields + Digest::SIZE {
        let sum = Digest::of_parts(&[&file[..fields], &file[fields + Digest::SIZE..]]);
        file[fields..fields + Digest::SIZE].copy_from_slice(&sum.to_bytes());
    }
    file
}

/// Any bytes as `.src`, `.bin` and key.
pub(crate) fn files(input: &[u8]) {
    let key_of = |bytes: &[u8]| {
        if let Some(parts) = StoreKey::decode(bytes) {
            assert_eq!(StoreKey::new(&parts).bytes(), bytes);
        }
    };
    key_of(input);
    for file in [input.to_vec(), mended(input, SRC_FIELDS)] {
        if let Ok((key, _)) = parse_src(&file) {
            key_of(&key);
        }
    }
    for file in [input.to_vec(), mended(input, BIN_FIELDS)] {
        if let Ok(binary) = parse_bin(&file, Digest::of(b"")) {
            assert_eq!(binary, file[BIN_FIELDS + Digest::SIZE..]);
        }
    }
}

/// Each of the cache's variables with any value: returns settings and complaints that name the variable.
pub(crate) fn config(input: &[u8]) {
    const VARIABLES: [&str; 12] = [
        "SYCL_CACHE_PERSISTENT",
        "SYCL_CACHE_DIR",
        "SYCL_CACHE_MAX_SIZE",
        "SYCL_CACHE_THRESHOLD",
        "SYCL_CACHE_EVICTION_DISABLE",
        "SYCL_CACHE_MIN_DEVICE_IMAGE_SIZE",
        "SYCL_CACHE_MAX_DEVICE_IMAGE_SIZE",
        "SYCL_CACHE_IN_MEM",
        "SYCL_IN_MEM_CACHE_EVICTION_THRESHOLD",
        "SYCL_CACHE_TRACE",
        "SYCL_CACHE_DISABLE_PERSISTENT",
        "PI_CACHE_WAIT",
    ];
    let value = OsString::from_vec(input.to_vec());
    for variable in VARIABLES {
        let (_, complaints) = Config::from_variables(|name| (name == variable).then(|| value.clone()));
        assert!(complaints.iter().all(|complaint| complaint.variable == variable), "{complaints:?}");
    }
    // All of them together.
    let _ = Config::from_variables(|_| Some(value.clone()));
}

/// A store with one item, in a folder of this process.
struct Bed {
    _folder: TempDir,
    store: Store,
    key: StoreKey,
    /// Its `.src` and `.bin` with their original content.
    files: Vec<(PathBuf, Vec<u8>)>,
}

impl Bed {
    fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let mut config = Config::default();
        config.root = Some(folder.path().join("cache"));
        config.background = false;
        let store = Store::open(&config);
        let key = StoreKey::new(&KeyParts { images: vec![b"an image".to_vec()], ..KeyParts::default() });
        let built = Built { value: (), binary: Some(BINARY.to_vec()), kernels: vec!["k".into()] };
        store.load_or_build(&key, |_| Ok::<_, String>(()), || Ok(built)).expect("the item");
        let files: Vec<_> = walkdir::WalkDir::new(folder.path())
            .into_iter()
            .filter_map(Result::ok)
            .map(walkdir::DirEntry::into_path)
            .filter(|path| path.extension().is_some_and(|end| end == "src" || end == "bin"))
            .map(|path| (path.clone(), std::fs::read(path).expect("a file of the item")))
            .collect();
        assert_eq!((files.len(), store.load(&key).as_deref()), (2, Some(BINARY)), "{files:?}");
        Self { _folder: folder, store, key, files }
    }
}

/// Any bytes in place of a file of an item. Loading must miss or return the right binary, and everything that reads the
/// folder must end well. The first byte selects the file, and whether its checksum is corrected.
pub(crate) fn folder(input: &[u8]) {
    static BED: OnceLock<Bed> = OnceLock::new();
    let bed = BED.get_or_init(Bed::new);
    let Some((which, bytes)) = input.split_first() else { return };
    let (path, original) = &bed.files[usize::from(which & 1)];
    let fields = if path.extension().is_some_and(|end| end == "src") { SRC_FIELDS } else { BIN_FIELDS };
    let bytes = if which & 2 == 0 { bytes.to_vec() } else { mended(bytes, fields) };
    std::fs::write(path, &bytes).expect("the item's file can be written");
    let loaded = bed.store.load(&bed.key);
    // A file with a valid checksum counts as a file of this cache, because a user who can write it can write programs.
    assert!(loaded.is_none() || which & 2 != 0 || bytes == *original, "a damaged file was loaded");
    for item in bed.store.items(|_| ()).expect("the folder can be read") {
        let _ = (item.name(), bed.store.details(&item).map(|details| details.key), bed.store.check(&item));
    }
    std::fs::write(path, original).expect("the item's file can be written");
}
