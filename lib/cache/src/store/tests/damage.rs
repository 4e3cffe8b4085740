//! Truncation and flipped bits at every byte of a small item: always a miss, never other data.

use std::fs;

use super::*;

fn every_change(original: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let cut = (0..original.len()).map(|length| original[..length].to_vec());
    let flipped = (0..original.len() * 8).map(|bit| {
        let mut changed = original.to_vec();
        changed[bit / 8] ^= 1 << (bit % 8);
        changed
    });
    let longer =
        [vec![0], vec![255; 9], original.to_vec()].into_iter().map(move |more| [original, &more].concat());
    cut.chain(flipped).chain(longer)
}

#[test]
fn every_byte_of_both_files_counts() {
    let bed = Bed::new();
    let store = bed.store();
    get(&store, "a");
    for kind in [ItemFile::Src, ItemFile::Bin] {
        let path = bed.file(&key("a"), 0, kind);
        let original = fs::read(&path).unwrap();
        let mut changes = 0;
        for changed in every_change(&original) {
            fs::write(&path, &changed).unwrap();
            assert_eq!(store.load(&key("a")), None, "{kind:?}, change {changes}");
            changes += 1;
        }
        assert!(changes > original.len() * 9);
        fs::write(&path, &original).unwrap();
        assert_eq!(store.load(&key("a")), Some(binary("a")));
    }
}

#[test]
fn a_damaged_item_is_replaced_in_its_place() {
    let bed = Bed::new();
    let store = bed.store();
    for kind in [ItemFile::Src, ItemFile::Bin] {
        for bytes in [&b""[..], b"SYPI", &[0; 4096]] {
            get(&store, "a");
            fs::write(bed.file(&key("a"), 0, kind), bytes).unwrap();
            assert_eq!(get(&store, "a"), (binary("a"), ProgramSource::Build));
            assert_eq!(get(&store, "a"), (binary("a"), ProgramSource::Disk));
            assert!(!bed.file(&key("a"), 1, ItemFile::Src).exists());
        }
    }
}

#[test]
fn half_an_item_is_a_miss() {
    let bed = Bed::new();
    let store = bed.store();
    for kind in [ItemFile::Src, ItemFile::Bin] {
        get(&store, "a");
        fs::remove_file(bed.file(&key("a"), 0, kind)).unwrap();
        assert_eq!(store.load(&key("a")), None);
        assert_eq!(get(&store, "a").1, ProgramSource::Build);
        assert_eq!(get(&store, "a").1, ProgramSource::Disk);
    }
}

#[test]
fn a_binary_beside_another_source_is_not_loaded() {
    let bed = Bed::new();
    let store = bed.store();
    get(&store, "a");
    get(&store, "b");
    fs::copy(bed.file(&key("b"), 0, ItemFile::Bin), bed.file(&key("a"), 0, ItemFile::Bin)).unwrap();
    assert_eq!(store.load(&key("a")), None);
    assert_eq!(get(&store, "a"), (binary("a"), ProgramSource::Build));
}

#[test]
fn lengths_that_lie_allocate_nothing() {
    let bed = Bed::new();
    let store = bed.store();
    get(&store, "a");
    for (kind, at) in [(ItemFile::Src, 16), (ItemFile::Src, 24), (ItemFile::Bin, 32)] {
        let path = bed.file(&key("a"), 0, kind);
        let original = fs::read(&path).unwrap();
        for length in [u64::MAX, u64::MAX - 47, 1 << 62, 1 << 40] {
            let mut changed = original.clone();
            changed[at..at + 8].copy_from_slice(&length.to_le_bytes());
            fs::write(&path, changed).unwrap();
            assert_eq!(store.load(&key("a")), None);
        }
        fs::write(&path, original).unwrap();
    }
    // A file that claims to be larger than memory.
    let path = bed.file(&key("a"), 0, ItemFile::Bin);
    fs::File::options().write(true).open(path).unwrap().set_len(1 << 42).unwrap();
    assert_eq!(store.load(&key("a")), None);
}
