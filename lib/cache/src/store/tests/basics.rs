use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, SystemTime};

use super::*;
use crate::Digest;
use crate::store::{Notes, Saved};

#[test]
fn built_once_then_found() {
    let bed = Bed::new();
    assert_eq!(get(&bed.store(), "a"), (binary("a"), ProgramSource::Build));
    let store = bed.store();
    assert_eq!(get(&store, "a"), (binary("a"), ProgramSource::Disk));
    assert_eq!(get(&store, "b").1, ProgramSource::Build);
    assert_eq!(get(&store, "a").1, ProgramSource::Disk);
    let stats = store.stats();
    assert_eq!((stats.hits, stats.builds, stats.saved), (2, 1, 1));
}

#[test]
fn builds_that_are_not_kept_are_counted_too() {
    let store = Bed::new().store();
    store.count_build();
    get(&store, "a");
    store.count_build();
    assert_eq!(store.stats().builds, 3);
}

/// The limit of a file, 2 GiB, applies to its length.
#[test]
fn a_program_of_64_megabytes_is_kept() {
    let bed = Bed::fast();
    let (key, notes) = (key("a"), Notes::default());
    assert_eq!(bed.store().save(&key, &notes, &vec![7; 64 << 20]), Saved::Saved);
}

#[test]
fn the_layout_is_the_documented_one() {
    let bed = Bed::new();
    get(&bed.store(), "a");
    let found = files(&bed.root());
    let names: Vec<String> = found
        .iter()
        .map(|path| path.strip_prefix(bed.root()).unwrap().to_str().unwrap().to_owned())
        .filter(|name| name.contains('/'))
        .collect();
    let folders = bed.folder(&key("a"));
    let folders = folders.strip_prefix(bed.root()).unwrap().to_str().unwrap();
    assert_eq!(folders.split('/').count(), 4);
    assert!(folders.split('/').all(Digest::is_name));
    let expected = ["0.bin", "0.src", "lock"].map(|name| format!("{folders}/{name}"));
    assert_eq!(names, expected);
}

#[test]
fn everything_is_the_users_alone() {
    let bed = Bed::new();
    get(&bed.store(), "a");
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let folder = bed.folder(&key("a"));
    for path in folder.ancestors().take(5) {
        assert_eq!(mode(path), 0o700, "{}", path.display());
    }
    assert!(files(&bed.root()).iter().all(|path| mode(path) == 0o600));
}

#[test]
fn every_part_of_the_key_counts() {
    let bed = Bed::new();
    let store = bed.store();
    get(&store, "a");
    let changes: [fn(&mut KeyParts); 12] = [
        |parts| parts.device.platform.push('x'),
        |parts| parts.device.name.push('x'),
        |parts| parts.device.version.push('x'),
        |parts| parts.device.driver.push('x'),
        |parts| parts.device.plugin.push('x'),
        |parts| parts.device.runtime.push('x'),
        |parts| parts.spec_constants.push(0),
        |parts| parts.compile_options.push(' '),
        |parts| parts.link_options.push('x'),
        |parts| parts.images.push(b"a".to_vec()),
        |parts| parts.images[0].push(0),
        |parts| std::mem::swap(&mut parts.compile_options, &mut parts.link_options),
    ];
    for (index, change) in changes.into_iter().enumerate() {
        let mut parts = parts("a");
        change(&mut parts);
        assert_eq!(store.load(&StoreKey::new(&parts)), None, "change {index}");
    }
}

/// `<device>/<images>/<spec constants>/<options>`, as in the design's "Persistent cache storage structure".
#[test]
fn each_part_of_the_key_has_its_folder() {
    let folders = |parts: &KeyParts| -> Vec<_> {
        let folder = StoreKey::new(parts).folder("".as_ref());
        folder.iter().map(std::ffi::OsStr::to_owned).collect()
    };
    let changes: [fn(&mut KeyParts); 4] = [
        |parts| parts.device.driver.push('x'),
        |parts| parts.images[0].push(0),
        |parts| parts.spec_constants.push(0),
        |parts| parts.link_options.push('x'),
    ];
    let before = folders(&parts("a"));
    for (level, change) in changes.into_iter().enumerate() {
        let mut parts = parts("a");
        change(&mut parts);
        let differs: Vec<usize> = folders(&parts)
            .iter()
            .zip(&before)
            .enumerate()
            .filter(|(_, (one, other))| one != other)
            .map(|(at, _)| at)
            .collect();
        assert_eq!(differs, [level]);
    }
}

#[test]
fn a_linked_program_covers_all_its_images_in_any_order() {
    let bed = Bed::new();
    let store = bed.store();
    let linked = |images: &[&str]| {
        let images = images.iter().map(|image| image.as_bytes().to_vec()).collect();
        StoreKey::new(&KeyParts { images, ..parts("") })
    };
    get_key(&store, &linked(&["app", "lib1", "lib2"]), "x");
    assert!(store.load(&linked(&["lib2", "app", "lib1"])).is_some());
    assert!(store.load(&linked(&["app", "lib1"])).is_none());
    assert!(store.load(&linked(&["app", "lib1lib2"])).is_none());
    assert!(store.load(&linked(&["app", "lib1", "lib2x"])).is_none());
}

#[test]
fn colliding_hashes_are_told_apart_and_counted_up() {
    let bed = Bed::new();
    let store = bed.store();
    let colliding = |image: &str| StoreKey::with_hash(&parts(image), |_| Digest::of(b"all the same"));
    for image in ["a", "b", "c"] {
        assert_eq!(get_key(&store, &colliding(image), image).1, ProgramSource::Build);
    }
    for image in ["c", "a", "b"] {
        assert_eq!(get_key(&store, &colliding(image), image), (binary(image), ProgramSource::Disk));
    }
    let folder = bed.folder(&colliding("a"));
    for number in 0..3 {
        assert!(layout::file(&folder, number, ItemFile::Bin).exists());
    }
    // A gap hides nothing, and is filled again.
    store.discard(&colliding("b"));
    assert!(!layout::file(&folder, 1, ItemFile::Src).exists());
    assert_eq!(get_key(&store, &colliding("c"), "c").1, ProgramSource::Disk);
    assert_eq!(get_key(&store, &colliding("d"), "d").1, ProgramSource::Build);
    assert!(
        layout::file(&folder, 1, ItemFile::Src).exists() && !layout::file(&folder, 3, ItemFile::Src).exists()
    );
    // Of two gaps, the first is filled.
    for image in ["e", "f"] {
        assert_eq!(get_key(&store, &colliding(image), image).1, ProgramSource::Build);
    }
    ["d", "e"].iter().for_each(|image| store.discard(&colliding(image)));
    assert_eq!(get_key(&store, &colliding("g"), "g").1, ProgramSource::Build);
    let numbers = (0..6).filter(|number| layout::file(&folder, *number, ItemFile::Src).exists());
    assert_eq!(numbers.collect::<Vec<_>>(), [0, 1, 2, 4]);
    // Losing the first does not hide the others.
    std::fs::remove_file(layout::file(&folder, 0, ItemFile::Src)).unwrap();
    assert_eq!(get_key(&store, &colliding("c"), "c").1, ProgramSource::Disk);
}

#[test]
fn an_item_tells_what_was_noted_with_it_and_the_size_of_its_files() {
    let bed = Bed::new();
    let store = Store::open(&Config { background: false, ..bed.config() });
    let notes = Notes {
        kernels: vec!["one".into(), "two".into()],
        build_time: Duration::from_micros(1_234_567),
        built_at: Some(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000)),
    };
    assert_eq!(store.save(&key("a"), &notes, &binary("a")), Saved::Saved);
    assert_eq!(get(&store, "a").1, ProgramSource::Disk);
    let items = store.items(|_| ()).unwrap();
    assert_eq!(items.len(), 1);
    assert_eq!(store.details(&items[0]).unwrap().notes, notes);
    let size = |kind| std::fs::metadata(bed.file(&key("a"), 0, kind)).unwrap().len();
    assert_eq!(items[0].size, ItemFile::ALL.map(size).iter().sum::<u64>());
    assert_eq!((items[0].hits, size(ItemFile::Use)), (1, 1));
}

#[test]
fn a_refused_binary_is_dropped_and_rebuilt() {
    let bed = Bed::new();
    let store = bed.store();
    assert_eq!(store.save(&key("a"), &Notes::default(), b"of an older driver"), Saved::Saved);
    assert_eq!(get(&store, "a"), (binary("a"), ProgramSource::Build));
    assert_eq!(get(&store, "a"), (binary("a"), ProgramSource::Disk));
    assert_eq!(store.stats().refused, 1);
}

#[test]
fn a_refused_binary_is_dropped_even_if_the_build_fails() {
    let bed = Bed::new();
    let store = bed.store();
    store.save(&key("a"), &Notes::default(), b"of an older driver");
    let failed: Result<((), ProgramSource), &str> =
        store.load_or_build(&key("a"), |_| Err("another driver's"), || Err("does not compile"));
    assert_eq!(failed, Err("does not compile"));
    assert_eq!(store.load(&key("a")), None);
}

#[test]
fn a_failed_build_is_the_callers_error_and_leaves_nothing() {
    let bed = Bed::new();
    let store = bed.store();
    let failed: Result<((), ProgramSource), &str> =
        store.load_or_build(&key("a"), |_| Err("no"), || Err("does not compile"));
    assert_eq!(failed, Err("does not compile"));
    assert_eq!(store.load(&key("a")), None);
    assert_eq!(get(&store, "a").1, ProgramSource::Build);
    assert_eq!(get(&store, "a").1, ProgramSource::Disk);
}

#[test]
fn without_a_binary_nothing_is_kept() {
    let bed = Bed::new();
    let store = bed.store();
    let build = || Ok::<_, &str>(Built { value: 1, binary: None, kernels: vec![] });
    assert_eq!(store.load_or_build(&key("a"), |_| Err("no"), build), Ok((1, ProgramSource::Build)));
    assert_eq!(store.load(&key("a")), None);
}

#[test]
fn the_image_size_window() {
    let bed = Bed::new();
    let config = Config { min_image_size: 3, max_image_size: Some(5), ..bed.config() };
    let store = Store::open(&config);
    for (image, kept) in [("12", false), ("123", true), ("12345", true), ("123456", false)] {
        get(&store, image);
        assert_eq!(store.load(&key(image)).is_some(), kept, "{image}");
    }
}

#[test]
fn off_or_without_a_place_everything_is_built() {
    let bed = Bed::new();
    for config in [
        Config { persistent: false, ..bed.config() },
        Config { root: None, ..bed.config() },
        Config { root: Some("/proc/there/is/no/such/place".into()), ..bed.config() },
        Config { root: Some("/dev/null/x".into()), ..bed.config() },
    ] {
        let store = Store::open(&config);
        assert_eq!(get(&store, "a"), (binary("a"), ProgramSource::Build));
        assert_eq!(get(&store, "a"), (binary("a"), ProgramSource::Build));
        store.shut_down();
    }
    assert!(!bed.root().exists());
}

#[test]
fn keys_with_zeros_and_empty_parts() {
    let bed = Bed::new();
    let store = bed.store();
    for (index, spec) in [vec![], vec![0], vec![0, 0]].into_iter().enumerate() {
        let parts = KeyParts { spec_constants: spec, ..KeyParts::default() };
        store.save(&StoreKey::new(&parts), &Notes::default(), &[index as u8]);
    }
    for (index, spec) in [vec![], vec![0], vec![0, 0]].into_iter().enumerate() {
        let parts = KeyParts { spec_constants: spec, ..KeyParts::default() };
        assert_eq!(store.load(&StoreKey::new(&parts)), Some(vec![index as u8]));
    }
    store.save(&key("empty"), &Notes::default(), &[]);
    assert_eq!(store.load(&key("empty")), Some(vec![]));
}
