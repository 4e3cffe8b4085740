//! `piPluginInit`: the handshake that selects a table layout by the caller's version.
#![expect(unsafe_code, reason = "the function table that C code reads")]

use std::ffi::c_void;
use std::ptr::NonNull;

use sycl_pi_backend::{Error, Result};
use sycl_pi_core::Version;
use sycl_pi_core::plugin::pi_plugin;

/// One entry of the list, with its slot in each version and the function in that slot.
#[derive(Debug)]
pub struct Entry {
    /// The slot in each version, in the order of [`Version::ALL`].
    pub slots: [Option<u16>; Version::COUNT],
    /// The function of the newest version.
    pub function: *const c_void,
    /// The older form, if it has another signature: the last version that has it, and its function.
    pub older: Option<(Version, *const c_void)>,
}

impl Entry {
    /// Returns the slot and the function in `version`'s table.
    fn in_version(&self, version: Version) -> Option<(u16, *const c_void)> {
        let function = match self.older {
            Some((until, older)) if version <= until => older,
            _ => self.function,
        };
        self.slots[version as usize].map(|slot| (slot, function))
    }
}

/// The older form of an entry point that has another meaning but the same signature. Hosts call both forms in the same
/// way, so the list has one row for both.
#[derive(Debug)]
pub struct OlderForm {
    /// The C name of the entry point.
    pub name: &'static str,
    /// The last version that has this form.
    pub until: Version,
    /// The function of the versions up to and including that one.
    pub function: *const c_void,
}

impl OlderForm {
    /// Returns the slot and the function in `version`'s table.
    fn in_version(&self, version: Version) -> Option<(u16, *const c_void)> {
        let entry = sycl_pi_core::table::entry_point(self.name).filter(|_| version <= self.until)?;
        entry.slot(version).map(|slot| (slot, self.function))
    }
}

/// Reads the version that the host wrote to `PiVersion` and fills the table of that version's layout.
///
/// # Safety
///
/// `plugin` must be null or point to a `pi_plugin` of the version that its first bytes name. Bytes are read up to the
/// first NUL and never past the tenth, which is the size of the smallest version field. Slots past that version's count
/// are not written.
pub unsafe fn fill(plugin: *mut pi_plugin, entries: &[Entry], older_forms: &[OlderForm]) -> Result<Version> {
    let start =
        NonNull::new(plugin.cast::<u8>()).ok_or_else(|| Error::invalid_value("plugin_info is null"))?;
    // SAFETY: every layout starts with at least 10 bytes of version text.
    let text = unsafe { std::slice::from_raw_parts(start.as_ptr(), 10) };
    let text = text.split(|byte| *byte == 0).next().unwrap_or_default();
    let Some(version) = Version::from_text(text) else {
        let served: Vec<_> = Version::ALL.iter().map(|version| version.text()).collect();
        return Err(Error::unsupported(format!(
            "the runtime speaks PI \"{}\", whose table layout is not known; the plugin serves {}",
            text.escape_ascii(),
            served.join(", ")
        )));
    };
    let offsets = version.offsets();
    let plugin_version = version.plugin_text().to_bytes_with_nul();
    // The text is shorter than its field, and every slot is below the version's count: golden tests check the list.
    // SAFETY: the host allocated this version's layout, aligned to 8 bytes, and all writes are inside it.
    unsafe {
        let field = start.as_ptr().add(offsets.version_field);
        std::ptr::copy_nonoverlapping(plugin_version.as_ptr(), field, plugin_version.len());
        let table = start.as_ptr().add(offsets.table).cast::<*const c_void>();
        let functions = entries.iter().filter_map(|entry| entry.in_version(version));
        let older = older_forms.iter().filter_map(|function| function.in_version(version));
        for (slot, function) in functions.chain(older) {
            if usize::from(slot) < offsets.function_count {
                table.add(usize::from(slot)).write_unaligned(function);
            }
        }
    }
    Ok(version)
}
