//! Every file operation fails in turn, in several ways. The program gets the right binary in every case.

use super::faulty::Faulty;
use super::*;
use crate::Digest;
use crate::store::{Limits, Saved};

const EPERM: i32 = 1;
const ENOENT: i32 = 2;
const EINTR: i32 = 4;
const EIO: i32 = 5;
const EACCES: i32 = 13;
const EEXIST: i32 = 17;
const ENOSPC: i32 = 28;
const EROFS: i32 = 30;
const ENOLCK: i32 = 37;
const ESTALE: i32 = 116;
const EDQUOT: i32 = 122;
/// The codes that the cache treats in their own ways. Each operation fails with all of them.
const TOLD_APART: [i32; 3] = [ENOENT, EEXIST, ENOSPC];
/// The other codes. Each operation fails with a quarter of them, and the next operation with the next quarter.
const OTHERS: [i32; 8] = [EPERM, EINTR, EIO, EACCES, EROFS, ENOLCK, ESTALE, EDQUOT];

fn errors(operation: usize) -> impl Iterator<Item = i32> {
    TOLD_APART.into_iter().chain(OTHERS.into_iter().skip(operation % 4).step_by(4))
}

fn quiet(bed: &Bed) -> Config {
    // Maintenance in the background would count operations at unpredictable times.
    Config { eviction: false, ..bed.config() }
}

/// Runs a program's life with a cache: misses, hits, a refused binary, maintenance.
fn scenario(bed: &Bed, faulty: &Faulty) {
    let store = Store::with_fs(&quiet(bed), Box::new(faulty.clone()));
    for image in ["a", "b", "a", "b"] {
        assert_eq!(get(&store, image).0, binary(image));
    }
    store.save(&key("a"), &Default::default(), b"of another driver");
    assert_eq!(get(&store, "a").0, binary("a"));
    let _ = store.prune(&Limits { max_size: Some(1), max_age: None }, None);
    assert_eq!(get(&store, "b").0, binary("b"));
}

fn run(from: usize, many: usize, error: i32) -> usize {
    let bed = Bed::fast();
    let faulty = Faulty::new(&bed.root(), from, many, error);
    scenario(&bed, &faulty);
    // Whatever is left after the failures is valid or absent, and the next run works.
    let store = Store::open(&quiet(&bed));
    for image in ["a", "b"] {
        let found = store.load(&key(image));
        let right =
            found.is_none() || found == Some(binary(image)) || found == Some(b"of another driver".into());
        assert!(right, "{from} {many} {error}: {found:?}");
        assert_eq!(get(&store, image).0, binary(image));
        assert_eq!(get(&store, image).1, ProgramSource::Disk, "operation {from}, {many} times error {error}");
    }
    faulty.count()
}

#[test]
fn each_operation_fails_once() {
    let operations = run(usize::MAX, 0, EIO);
    assert!(operations > 60, "{operations}");
    for from in 0..operations {
        for error in errors(from) {
            run(from, 1, error);
        }
    }
}

#[test]
fn all_operations_fail_from_one_on() {
    let operations = run(usize::MAX, 0, EIO);
    for from in 0..operations {
        for error in [ENOSPC, ENOENT, [EIO, EROFS, ENOLCK][from % 3]] {
            run(from, usize::MAX, error);
        }
    }
}

/// Without a list of the folder, the number of a new item is not known.
#[test]
fn no_failure_replaces_the_item_of_another_key() {
    let colliding = |image: &str| StoreKey::with_hash(&parts(image), |_| Digest::of(b"all the same"));
    let save_beside = |from| {
        let bed = Bed::fast();
        assert_eq!(get_key(&Store::open(&quiet(&bed)), &colliding("a"), "a").0, binary("a"));
        let faulty = Faulty::new(&bed.root(), from, 1, EIO);
        let store = Store::with_fs(&quiet(&bed), Box::new(faulty.clone()));
        assert_eq!(get_key(&store, &colliding("b"), "b").0, binary("b"));
        let left = Store::open(&quiet(&bed)).load(&colliding("a"));
        assert_eq!(left, Some(binary("a")), "operation {from}");
        faulty.count()
    };
    let operations = save_beside(usize::MAX);
    for from in 0..operations {
        save_beside(from);
    }
}

/// Once the `.src` exists, other processes find the item, so it is written last; a process may die between the two
/// writes.
#[test]
fn the_binary_has_its_name_before_the_key_has() {
    let bed = Bed::new();
    let faulty = Faulty::new(&bed.root(), usize::MAX, 0, EIO);
    let store = Store::with_fs(&quiet(&bed), Box::new(faulty.clone()));
    get(&store, "a");
    let order = ["sync", "sync", "0.bin", "0.src", "sync folder"];
    assert_eq!(faulty.done(), order);
    // An item that replaces another is written in the same order.
    store.save(&key("a"), &Default::default(), b"of another driver");
    assert_eq!(faulty.done(), [order, order].concat());
}

#[test]
fn a_full_disk_is_tried_once() {
    let bed = Bed::new();
    let faulty = Faulty::new(&bed.root(), 0, usize::MAX, ENOSPC);
    let store = Store::with_fs(&quiet(&bed), Box::new(faulty.clone()));
    get(&store, "a");
    let first = faulty.count();
    for _ in 0..100 {
        get(&store, "a");
    }
    // The item is still searched for, but nothing is written.
    assert!(faulty.count() - first <= 200, "{} operations", faulty.count() - first);
}

/// No process would load such files.
#[test]
fn files_that_would_belong_to_another_user_are_not_kept() {
    let bed = Bed::new();
    let store = Store::with_fs(&quiet(&bed), Box::new(Faulty::of_another_user(&bed.root())));
    assert_eq!(store.save(&key("a"), &Default::default(), b"binary"), Saved::Failed);
    assert!(files(&bed.root()).iter().all(|file| file.ends_with("lock")), "{:?}", files(&bed.root()));
    // Nor is another attempt made.
    assert_eq!(store.save(&key("b"), &Default::default(), b"binary"), Saved::Skipped);
}
