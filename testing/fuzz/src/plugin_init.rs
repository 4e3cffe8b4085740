//! Any bytes as the version text that a runtime writes to `pi_plugin`, in memory of exactly the promised size.

use std::ffi::c_void;

use ::sycl_pi_front::init::{Entry, OlderForm, fill};
use sycl_pi_core::Version;
use sycl_pi_core::plugin::pi_plugin;
use sycl_pi_core::table::{ENTRY_POINTS, names_by_slot};

/// The size of the smallest version field. `fill` may not read past it before it knows the version.
const FIELD: usize = 10;
const UNTOUCHED: u64 = 0x5a5a_a5a5_c3c3_3c3c;
/// A function with a different signature in older tables.
const WITH_OLDER_FORM: &str = "piEventGetInfo";
const LAST_VERSION: Version = Version::V12_27;
const OLDER: usize = 0x7777_7777;
const WORD: usize = size_of::<u64>();

pub(crate) fn run(input: &[u8]) {
    let mut field = [0; FIELD];
    field.iter_mut().zip(input).for_each(|(to, from)| *to = *from);
    let text = field.split(|byte| *byte == 0).next().unwrap_or_default();
    let known = Version::from_text(text);
    let size = known.map_or(FIELD, |version| version.offsets().size);

    // A single allocation of exactly that size, so that a sanitizer detects accesses past it.
    let mut words = vec![UNTOUCHED; size.div_ceil(WORD)].into_boxed_slice();
    let memory = words.as_mut_ptr().cast::<u8>();
    // SAFETY: the words have room for the field.
    unsafe { memory.copy_from_nonoverlapping(field.as_ptr(), FIELD) };
    let older_form = OlderForm {
        name: WITH_OLDER_FORM,
        until: LAST_VERSION,
        function: std::ptr::without_provenance(OLDER),
    };
    // SAFETY: the memory has the size of the version's layout, or the ten bytes that are read.
    let filled = unsafe { fill(memory.cast::<pi_plugin>(), &entries(), &[older_form]) };

    match (known, filled) {
        (None, filled) => {
            assert!(filled.is_err(), "an unknown version was served: {}", text.escape_ascii());
            assert!(
                words.iter().skip(2).all(|word| *word == UNTOUCHED),
                "a refused structure was written to"
            );
        }
        (Some(version), Ok(filled)) => {
            assert_eq!(version, filled);
            let table = version.offsets().table / WORD;
            for (slot, entry) in names_by_slot(version) {
                let found = words.get(table + usize::from(slot)).copied();
                assert_ne!(found, Some(UNTOUCHED), "{} is not in its slot", entry.name);
                let has_older = entry.name == WITH_OLDER_FORM && version <= LAST_VERSION;
                assert_eq!(found == Some(OLDER as u64), has_older, "{}", entry.name);
            }
        }
        (Some(version), Err(error)) => panic!("{} was refused: {error}", version.text()),
    }
}

/// Returns a plugin with every function. Nobody calls them.
fn entries() -> Vec<Entry> {
    let function = |number: usize| std::ptr::without_provenance::<c_void>(number + 1);
    let entry = |(number, entry): (usize, &sycl_pi_core::table::EntryPoint)| Entry {
        slots: entry.slots,
        function: function(2 * number),
        older: entry.older.map(|older| (older.until, function(2 * number + 1))),
    };
    ENTRY_POINTS.iter().enumerate().map(entry).collect()
}
