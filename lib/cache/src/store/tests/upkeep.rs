use std::fs::File;
use std::time::SystemTime;

use super::*;
use crate::store::layout::UPKEEP_FILE;
use crate::store::record::Record;
use crate::store::{Leftover, Limits, Problem, Upkeep};

/// Sets the times of all files of an item to this many days ago.
fn age(bed: &Bed, image: &str, days: u64) {
    let then = SystemTime::now() - Duration::from_secs(days * 86400);
    for path in files(&bed.folder(&key(image))) {
        File::options().append(true).open(path).unwrap().set_modified(then).unwrap();
    }
}

fn by_age(days: u64) -> Limits {
    Limits { max_size: None, max_age: Some(Duration::from_secs(days * 86400)) }
}

fn prune(store: &Store, limits: &Limits) -> Upkeep {
    store.prune(limits, None).unwrap().unwrap()
}

fn quiet(bed: &Bed) -> Store {
    Store::open(&Config { eviction: false, ..bed.config() })
}

#[test]
fn by_age_and_empty_folders_go() {
    let bed = Bed::new();
    let store = quiet(&bed);
    for (image, days) in [("a", 9), ("b", 6), ("c", 0)] {
        get(&store, image);
        age(&bed, image, days);
    }
    let upkeep = prune(&store, &by_age(7));
    assert_eq!((upkeep.items, upkeep.removed, upkeep.busy), (2, 1, 0));
    assert!(store.load(&key("a")).is_none() && store.load(&key("b")).is_some());
    assert!(!bed.folder(&key("a")).exists());
    assert_eq!(prune(&store, &by_age(0)).items, 0);
    // Every folder is removed; the root stays.
    let left = files(&bed.root());
    assert_eq!(left, [bed.root().join(UPKEEP_FILE)]);
    assert_eq!(std::fs::read_dir(bed.root()).unwrap().count(), 1);
}

#[test]
fn being_loaded_keeps_an_item() {
    let bed = Bed::new();
    let store = quiet(&bed);
    get(&store, "a");
    age(&bed, "a", 30);
    assert_eq!(get(&store, "a").1, ProgramSource::Disk);
    assert_eq!(prune(&store, &by_age(7)).removed, 0);
    assert_eq!(store.items(|_| ()).unwrap()[0].hits, 1);
}

#[test]
fn by_size_the_least_recently_used_first() {
    let bed = Bed::new();
    let store = quiet(&bed);
    let images = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    for (index, image) in images.iter().enumerate() {
        get(&store, image);
        age(&bed, image, 1 + index as u64);
    }
    get(&store, "j");
    let items = store.items(|_| ()).unwrap();
    let total: u64 = items.iter().map(|item| item.size).sum();
    assert_eq!(prune(&store, &Limits { max_size: Some(total), max_age: None }).removed, 0);
    let upkeep = prune(&store, &Limits { max_size: Some(total / 2), max_age: None });
    assert!(upkeep.size <= total / 2 && upkeep.size > total / 3, "{upkeep:?} of {total}");
    let there: Vec<&str> = images.into_iter().filter(|image| store.load(&key(image)).is_some()).collect();
    assert_eq!(there, ["a", "b", "c", "j"]);
}

/// A tenth is left free, so that the next item does not start another run.
#[test]
fn more_goes_than_is_needed_at_the_moment() {
    let bed = Bed::new();
    let store = quiet(&bed);
    for image in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"] {
        get(&store, image);
    }
    let total: u64 = store.items(|_| ()).unwrap().iter().map(|item| item.size).sum();
    let limits = Limits { max_size: Some(total - total / 20), max_age: None };
    assert_eq!(prune(&store, &limits).removed, 2);
}

#[test]
fn what_is_too_old_goes_even_if_there_is_room() {
    let bed = Bed::new();
    let store = quiet(&bed);
    get(&store, "a");
    age(&bed, "a", 9);
    assert_eq!(prune(&store, &Limits { max_size: Some(1 << 40), ..by_age(7) }).removed, 1);
}

#[test]
fn without_eviction_the_limits_do_not_count() {
    let bed = Bed::new();
    let store = Store::open(&Config { eviction: false, max_size: Some(1), ..bed.config() });
    assert_eq!(store.limits(), Limits::default());
    get(&store, "a");
    assert_eq!(get(&store, "a").1, ProgramSource::Disk);
}

/// Another process may be about to build in it.
#[test]
fn an_empty_folder_stays_for_a_while() {
    let bed = Bed::new();
    let store = quiet(&bed);
    get(&store, "a");
    let empty = bed.folder(&key("b"));
    std::fs::create_dir_all(&empty).unwrap();
    prune(&store, &Limits::default());
    assert!(empty.exists());
    let then = SystemTime::now() - Duration::from_secs(86400);
    File::open(&empty).unwrap().set_modified(then).unwrap();
    prune(&store, &Limits::default());
    assert!(!empty.exists() && store.load(&key("a")).is_some());
}

#[test]
fn a_folder_at_work_is_passed_over() {
    let bed = Bed::new();
    let store = quiet(&bed);
    get(&store, "a");
    age(&bed, "a", 30);
    let lock = crate::store::lock::Lock::try_take(&store.inner.fs, &bed.folder(&key("a"))).unwrap().unwrap();
    let upkeep = prune(&store, &by_age(7));
    assert_eq!((upkeep.removed, upkeep.busy), (0, 1));
    drop(lock);
    assert_eq!(prune(&store, &by_age(7)).removed, 1);
}

#[test]
fn what_a_killed_process_left_goes_after_a_while() {
    let bed = Bed::new();
    let store = quiet(&bed);
    get(&store, "a");
    let folder = bed.folder(&key("a"));
    for name in ["tmp-1-0-abc", "7.bin"] {
        std::fs::write(folder.join(name), b"half").unwrap();
    }
    assert_eq!(store.leftovers().unwrap(), []);
    age(&bed, "a", 1);
    let mut left = store.leftovers().unwrap();
    left.sort_by_key(|leftover| leftover.path.clone());
    let stray = |name: &str| Leftover { path: folder.join(name), size: 4 };
    assert_eq!(left, [stray("7.bin"), stray("tmp-1-0-abc")]);
    assert_eq!(prune(&store, &Limits::default()).removed_size, 8);
    assert_eq!(store.leftovers().unwrap(), []);
    assert!(store.load(&key("a")).is_some());
}

#[test]
fn a_leftover_that_another_process_removed_is_no_error() {
    let bed = Bed::new();
    let store = quiet(&bed);
    let leftover = Leftover { path: bed.root().join("tmp-1-0-abc"), size: 4 };
    std::fs::create_dir_all(bed.root()).unwrap();
    std::fs::write(&leftover.path, b"half").unwrap();
    store.remove_leftover(&leftover).unwrap();
    assert!(!leftover.path.exists());
    store.remove_leftover(&leftover).unwrap();
}

#[test]
fn an_item_without_its_binary_is_told() {
    let bed = Bed::new();
    let store = quiet(&bed);
    get(&store, "a");
    let items = store.items(|_| {}).unwrap();
    store.check(&items[0]).unwrap();
    std::fs::remove_file(bed.file(&key("a"), items[0].number, ItemFile::Bin)).unwrap();
    assert!(matches!(store.check(&items[0]), Err(Problem::Half)));
}

#[test]
fn other_caches_in_the_root_are_left_alone() {
    let bed = Bed::new();
    let store = quiet(&bed);
    let stock = bed.root().join("16294231875110225087/3244421341483603138/15130871412783076140/0");
    std::fs::create_dir_all(&stock).unwrap();
    std::fs::write(stock.join("0.src"), b"x").unwrap();
    std::fs::write(stock.join("0.bin"), b"x").unwrap();
    get(&store, "a");
    assert_eq!(prune(&store, &Limits { max_size: Some(0), max_age: Some(Duration::ZERO) }).removed, 1);
    assert!(stock.join("0.src").exists() && stock.join("0.bin").exists());
}

#[test]
fn one_at_a_time_and_not_for_ever() {
    let bed = Bed::new();
    let store = quiet(&bed);
    assert_eq!(prune(&store, &by_age(7)), Upkeep::default());
    get(&store, "a");
    assert_eq!(store.prune(&by_age(7), Some(Duration::ZERO)).unwrap(), None);
    let fs = store.inner.fs();
    let file = fs.open_lock(&bed.root().join(UPKEEP_FILE)).unwrap();
    assert!(fs.try_lock(&file).unwrap());
    assert_eq!(store.prune(&by_age(7), None).unwrap(), None);
}

#[test]
fn the_size_is_kept_at_every_moment() {
    let bed = Bed::new();
    let config = Config { max_size: Some(20_000), ..bed.config() };
    let store = Store::open(&config);
    for index in 0..100 {
        get(&store, &format!("{index:01000}"));
    }
    let size = || store.items(|_| ()).unwrap().iter().map(|item| item.size).sum::<u64>();
    while !store.flush(Duration::ZERO) {
        assert!(size() <= 20_000, "at every moment: {}", size());
    }
    assert!(size() <= 20_000 && size() > 10_000, "{}", size());
    assert_eq!(store.stats().saved, 100);
}

#[test]
fn an_item_has_room_before_it_is_written() {
    let bed = Bed::new();
    let size = |store: &Store| store.items(|_| ()).unwrap().iter().map(|item| item.size).sum::<u64>();
    let unlimited = quiet(&bed);
    for (index, image) in ["a", "b", "c", "d"].iter().enumerate() {
        get(&unlimited, image);
        age(&bed, image, 4 - index as u64);
    }
    let (total, one) = (size(&unlimited), size(&unlimited) / 4);
    let store = Store::open(&Config { max_size: Some(total + one / 2), threshold: None, ..bed.config() });
    get(&store, "e");
    // Of four and a half, nine tenths are left, including the new item. The least recently used item was removed.
    let there: Vec<&str> =
        ["a", "b", "c", "d", "e"].into_iter().filter(|image| store.load(&key(image)).is_some()).collect();
    assert_eq!(there, ["b", "c", "d", "e"]);
    assert!(size(&store) <= total + one / 2);
    assert_eq!(store.inner.record().unwrap().size, size(&store));
}

#[test]
fn an_item_larger_than_the_limit_is_not_kept_and_drives_nothing_out() {
    let bed = Bed::new();
    let store = Store::open(&Config { max_size: Some(2_000), ..bed.config() });
    get(&store, "a");
    let large = "x".repeat(3_000);
    assert_eq!(get(&store, &large).1, ProgramSource::Build);
    assert!(store.load(&key(&large)).is_none() && store.load(&key("a")).is_some());
}

#[test]
fn what_is_not_counted_yet_is_counted_at_the_end() {
    let bed = Bed::new();
    let store = Store::open(&Config { max_size: Some(2_000), ..bed.config() });
    get(&store, "a");
    let held = store.lock_record(Duration::ZERO).unwrap().unwrap();
    let before = held.known;
    for image in ["b", "c", "d", "e", "f"] {
        get(&store, image);
    }
    assert_eq!(store.inner.record(), before);
    drop(held);
    store.shut_down();
    let size = store.items(|_| ()).unwrap().iter().map(|item| item.size).sum::<u64>();
    assert!(size <= 2_000 && size > 1_000, "{size}");
    assert_eq!(store.inner.record().unwrap().size, size);
}

/// However short the time is, the required space is freed.
#[test]
fn a_look_that_runs_out_of_time_still_makes_room() {
    let bed = Bed::new();
    let unlimited = quiet(&bed);
    for index in 0..40 {
        get(&unlimited, &format!("{index:0100}"));
    }
    prune(&unlimited, &Limits::default());
    let size = || unlimited.items(|_| ()).unwrap().iter().map(|item| item.size).sum::<u64>();
    let (total, record) = (size(), unlimited.lock_record(Duration::ZERO).unwrap().unwrap());
    let limits = Limits { max_size: Some(total), max_age: None };
    let (_, all) = unlimited.look_through(&record, &limits, total / 4, Some(Duration::ZERO)).unwrap();
    assert!(!all);
    let left = size();
    assert!(left <= total - total / 4 && left > total / 2, "{left} of {total}");
    assert_eq!(unlimited.inner.record().unwrap().size, left + total / 4);
}

#[test]
fn every_load_is_counted_when_the_program_ends() {
    let bed = Bed::new();
    let store = Store::open(&crate::Config { background: true, ..bed.config() });
    get(&store, "a");
    assert!(store.flush(std::time::Duration::from_secs(60)));
    for _ in 0..100 {
        assert_eq!(get(&store, "a").1, ProgramSource::Disk);
    }
    store.shut_down();
    assert_eq!(store.items(|_| ()).unwrap()[0].hits, 100);
}

/// The time of the `.src` is that of the last record. After an old record, the next load is recorded immediately, and
/// those after it are not.
#[test]
fn loads_soon_after_a_note_are_noted_later() {
    let bed = Bed::new();
    let store = Store::open(&crate::Config { background: true, eviction: false, ..bed.config() });
    get(&store, "a");
    assert!(store.flush(Duration::from_secs(60)));
    age(&bed, "a", 1);
    let notes = || std::fs::metadata(bed.file(&key("a"), 0, ItemFile::Use)).map_or(0, |info| info.len());
    let before = notes();
    for _ in 0..3 {
        assert_eq!(get(&store, "a").1, ProgramSource::Disk);
        assert_eq!(notes(), before + 1);
    }
    store.shut_down();
    assert_eq!(notes(), before + 3);
}

/// A program that ends scans the store earlier than a running one.
#[test]
fn shutting_down_removes_what_is_too_old() {
    let bed = Bed::new();
    // A store with limits would scan its items in the background after the first one.
    let unlimited = quiet(&bed);
    get(&unlimited, "a");
    prune(&unlimited, &by_age(7));
    age(&bed, "a", 30);
    let size = unlimited.items(|_| ()).unwrap().iter().map(|item| item.size).sum();
    let before = SystemTime::now() - Duration::from_secs(20 * 60);
    let record = unlimited.lock_record(Duration::ZERO).unwrap().unwrap();
    record.write(Record { size, looked_through: Some(before) }).unwrap();
    drop(record);
    let config = Config { threshold: Some(Duration::from_secs(7 * 86400)), max_size: None, ..bed.config() };
    let store = Store::open(&config);
    get(&store, "b");
    assert!(bed.folder(&key("a")).exists());
    store.shut_down();
    assert!(!bed.folder(&key("a")).exists() && bed.folder(&key("b")).exists());
}
