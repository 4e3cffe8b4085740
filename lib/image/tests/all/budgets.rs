//! Small files that claim to be large: the amount that is read, and the time, are proportional to the files' actual
//! size.

use std::time::{Duration, Instant};

use sycl_pi_image::text::{FileTable, read_prop};
use sycl_pi_image::unwrap::{Unwrapped, unwrap};
use sycl_pi_image::{ImageParts, Properties, PropertySet};

/// The address of these files' only section in memory.
const BASE: u64 = 0x1000;

/// Makes a 64-bit shared library with these section headers, each given as the offset of its data and the length.
fn elf(data: &[u8], sections: &[(usize, usize)]) -> Vec<u8> {
    const HEADER: usize = 64;
    let mut file = b"\x7fELF".to_vec();
    file.extend([2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let headers = (HEADER + data.len()).next_multiple_of(8);
    // Type, machine, version.
    file.extend([3, 0, 62, 0, 1, 0, 0, 0]);
    // Entry, program headers, section headers.
    for number in [0, 0, headers as u64] {
        file.extend(number.to_le_bytes());
    }
    file.extend([0; 4]);
    // Sizes and counts of headers. The last section holds the names, and is empty.
    for number in [64, 0, 0, 64, sections.len() as u16 + 2, sections.len() as u16 + 1] {
        file.extend(u16::to_le_bytes(number));
    }
    file.extend(data);
    file.resize(headers, 0);
    file.extend([0; 64]);
    for (number, &(at, length)) in sections.iter().enumerate() {
        // Name, type (program data), flags (writable, in memory), address, offset, size, link, info, alignment,
        // entries.
        file.extend([0, 0, 0, 0, 1, 0, 0, 0]);
        let address = BASE + number as u64 * 0x100_0000;
        for number in [3, address, (HEADER + at) as u64, length as u64, 0, 8, 0] {
            file.extend(u64::to_le_bytes(number));
        }
    }
    // Name, type (strings). Its only byte is one of the padding bytes at the front.
    file.extend([0, 0, 0, 0, 3, 0, 0, 0]);
    for number in [0, 0, 15, 1, 0, 1, 0] {
        file.extend(u64::to_le_bytes(number));
    }
    file
}

/// Data that is being built, at `BASE`.
#[derive(Clone, Default)]
pub(crate) struct Data(Vec<u8>);

impl Data {
    pub(crate) fn here(&self) -> u64 {
        BASE + self.0.len() as u64
    }

    pub(crate) fn words(&mut self, words: &[u64]) {
        self.0.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> (u64, u64) {
        let (begin, end) = (self.here(), self.here() + bytes.len() as u64);
        self.0.extend(bytes);
        self.0.resize(self.0.len().next_multiple_of(8), 0);
        (begin, end)
    }

    /// Adds a `pi_device_binary_struct` of version 3 for this target and code.
    pub(crate) fn image(&mut self, target: u64, format: u8, code: (u64, u64), sets: (u64, u64)) {
        let head = u64::from_le_bytes([3, 0, 4, format, 0, 0, 0, 0]);
        self.words(&[head, target, 0, 0, code.0, code.1, 0, 0, sets.0, sets.1]);
    }

    /// Adds a `pi_device_binaries_struct`.
    pub(crate) fn head(&mut self, count: u16, images: u64) {
        self.words(&[1 | u64::from(count) << 16, images]);
    }

    pub(crate) fn file(&self) -> Vec<u8> {
        elf(&self.0, &[(0, self.0.len())])
    }
}

fn count(found: &Unwrapped<'_>) -> usize {
    found.images.len() + found.damaged.len()
}

/// Returns the size of the images' contents if each has its own copy.
fn bytes(found: &Unwrapped<'_>) -> usize {
    let set = |set: &PropertySet<'_>| {
        let property = |property: &sycl_pi_image::Property<'_>| match &property.value {
            sycl_pi_image::Value::ByteArray(bytes) => property.name.len() + bytes.len(),
            _ => property.name.len(),
        };
        set.name.len() + set.properties.iter().map(property).sum::<usize>()
    };
    let image = |image: &ImageParts<'_>| {
        image.bytes.len() + image.target.len() + image.property_sets.iter().map(set).sum::<usize>()
    };
    found.images.iter().map(image).sum()
}

#[test]
fn an_array_of_images_is_read_once() {
    let mut data = Data::default();
    let (target, _) = data.bytes(b"spir64\0");
    let code = data.bytes(&[3, 2, 0x23, 7]);
    let first = data.here();
    data.image(target, 2, code, (0, 0));
    data.image(target, 2, code, (0, 0));
    for _ in 0..600 {
        data.head(2, first);
    }
    let file = data.file();
    let found = unwrap("a.so", &file).unwrap();
    assert_eq!((found.images.len(), found.damaged.len()), (2, 0));
    assert_eq!(&*found.images[1].target, "spir64");
}

/// 600 heads each name all images after their own.
#[test]
fn a_file_with_more_images_than_it_can_hold_is_given_up() {
    let mut data = Data::default();
    let (target, _) = data.bytes(b"spir64\0");
    let first = data.here();
    for _ in 0..600 {
        data.image(target, 2, (BASE, BASE), (0, 0));
    }
    for number in 0..600 {
        data.head(u16::MAX, first + 80 * number);
    }
    let file = data.file();
    let found = unwrap("a.so", &file).unwrap();
    assert!(count(&found) < file.len() / 16, "{} images of {} bytes", count(&found), file.len());
    let last = found.damaged.last().unwrap().to_string();
    assert!(
        last.ends_with("the images of this file are larger than it can hold; nothing more of it is read")
    );
}

/// Code, names and values shared by many images are copied for each.
#[test]
fn what_images_share_is_counted_for_each() {
    let mut data = Data::default();
    let (target, _) = data.bytes(b"spir64\0");
    let code = data.bytes(&[7; 50_000]);
    let (name, _) = data.bytes(&[&[b'n'; 50_000][..], &[0]].concat());
    let properties = data.here();
    for _ in 0..100 {
        data.words(&[name, code.0, 2, 50_000]);
    }
    let sets = data.here();
    data.words(&[name, properties, properties + 3200]);
    for (what, code, sets) in
        [("code", code, (0, 0)), ("properties", (code.0, code.0 + 8), (sets, sets + 24))]
    {
        let mut data = Data(data.0.clone());
        let first = data.here();
        for _ in 0..1000 {
            data.image(target, 2, code, sets);
        }
        data.head(1000, first);
        let file = data.file();
        let found = unwrap("a.so", &file).unwrap();
        assert!(bytes(&found) <= 17 * file.len(), "{what}: {} bytes of {}", bytes(&found), file.len());
        assert!(!found.damaged.is_empty() && count(&found) < 200, "{what}: {}", count(&found));
    }
}

#[test]
fn a_linker_may_merge_the_code_of_twelve_images() {
    let mut data = Data::default();
    let (target, _) = data.bytes(b"spir64\0");
    let code = data.bytes(&[7; 50_000]);
    let first = data.here();
    for _ in 0..12 {
        data.image(target, 2, code, (0, 0));
    }
    data.head(12, first);
    let file = data.file();
    assert_eq!(unwrap("a.so", &file).unwrap().images.len(), 12);
}

/// Entries take space even if they all have the same name.
#[test]
fn entries_that_images_share_are_counted_for_each() {
    for (entries, name) in [(2000, 0), (1, 60_000)] {
        let mut data = Data::default();
        let (target, _) = data.bytes(b"spir64\0");
        let code = data.bytes(&[7; 8]);
        let (name, _) = data.bytes(&[&vec![b'n'; name][..], &[0]].concat());
        let begin = data.here();
        for _ in 0..entries {
            data.words(&[0, name, 0, 0]);
        }
        let end = data.here();
        for _ in 0..1000 {
            let head = u64::from_le_bytes([3, 0, 4, 2, 0, 0, 0, 0]);
            data.words(&[head, target, 0, 0, code.0, code.1, begin, end, 0, 0]);
        }
        data.head(1000, end);
        let file = data.file();
        let found = unwrap("a.so", &file).unwrap();
        let all = found.images.iter().flat_map(|image| &image.entries);
        let bytes: usize = all.map(|name| 32 + name.len()).sum();
        assert!(bytes <= 17 * file.len(), "{bytes} bytes of {}", file.len());
    }
}

/// A few kilobytes of Zstandard data, either separate for each of many images or one frame shared by all.
#[test]
fn compressed_code_has_one_allowance_for_a_file() {
    // 16 MiB of zeros as blocks of 128 KiB, four bytes each: see RFC 8878, 3.1.1.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x58];
    frame.extend([2, 0, 16, 0].repeat(127));
    frame.extend([3, 0, 16, 0]);
    let mut data = Data::default();
    let (target, _) = data.bytes(b"spir64\0");
    let frame = data.bytes(&frame);
    let first = data.here();
    for _ in 0..30 {
        data.image(target, 4, frame, (0, 0));
    }
    data.head(30, first);
    let file = data.file();
    let found = unwrap("a.so", &file).unwrap();
    assert_eq!((found.images.len(), bytes(&found) >> 20), (4, 64), "64 MiB are allowed to every file");
    let text = found.damaged[0].to_string();
    assert!(text.contains("its code is too large"), "{text}");
    assert_eq!(found.damaged.len(), 1, "nothing is tried once the allowance is spent");
}

/// Section headers that all name the same data would cause a search of quadratic size.
#[test]
fn sections_do_not_overlap() {
    let data = vec![0; 100_000];
    let one = elf(&data, &[(0, data.len())]);
    assert_eq!(unwrap("a", &one).unwrap_err().to_string(), "a: this ELF file contains no device image");
    let sections: Vec<(usize, usize)> = (0..1000).map(|at| (at, 99_000)).collect();
    let error = unwrap("a", &elf(&data, &sections)).unwrap_err();
    assert_eq!(error.to_string(), "a: its sections are larger than the file");
}

/// Fails if `run` takes long. An algorithm that is quadratic in these counts takes minutes here.
fn at_once<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = run();
    assert!(start.elapsed() < Duration::from_secs(60), "{what} took {:?}", start.elapsed());
    result
}

#[test]
fn tables_with_many_columns_are_read_at_once() {
    let titles: Vec<String> = (0..300_000).map(|number| format!("column{number}")).collect();
    let text = format!("[{}]\n", titles.join("|"));
    let table = at_once("many columns", || FileTable::read("a.table", &text)).unwrap();
    assert_eq!(table.titles().map(<[String]>::len), Some(300_000));
    let text = format!("[{}|column7]\n", titles.join("|"));
    let error = FileTable::read("a.table", &text).unwrap_err();
    assert_eq!(error.to_string(), "a.table:1: column \"column7\" appears twice");
}

#[test]
fn many_property_sets_are_read_and_decoded_at_once() {
    let text: String = (0..200_000).map(|number| format!("[set{number}]\na=1|{number}\n")).collect();
    let sets = at_once("reading", || read_prop("a.prop", &text)).unwrap();
    assert_eq!(sets.len(), 200_000);
    let mut image = ImageParts::default();
    image.property_sets = sets;
    let decoded = at_once("decoding", || Properties::decode(&image)).unwrap();
    assert_eq!(decoded.encode(), image.property_sets);
    image.property_sets.push(PropertySet::new("set7"));
    let error = Properties::decode(&image).unwrap_err();
    assert!(error.to_string().ends_with("property set \"set7\": appears twice"), "{error}");
}
