//! The list of entry points as data: names, families and slots, for tests, traces and hosts.

mod list;

use crate::Version;

/// The object that a function belongs to. Every backend has one source file per family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Platforms.
    Platform,
    /// Devices, sub-devices, selection of device binaries, timers.
    Device,
    /// Contexts.
    Context,
    /// Queues.
    Queue,
    /// Buffers and images.
    Mem,
    /// Programs.
    Program,
    /// Kernels.
    Kernel,
    /// Events.
    Event,
    /// Samplers.
    Sampler,
    /// Commands enqueued to a queue.
    Enqueue,
    /// Unified shared memory.
    Usm,
    /// Device globals, host pipes, function and variable pointers: everything looked up by a symbol's name.
    Symbol,
    /// The plugin itself.
    Plugin,
    /// Access from one device to the memory of another.
    Peer,
    /// Command buffers.
    CommandBuffer,
    /// Bindless images and imported memory.
    Bindless,
}

/// One entry point, as described by the list.
#[derive(Clone, Copy, Debug)]
pub struct EntryPoint {
    /// The literal C name.
    pub name: &'static str,
    /// The object that it belongs to.
    pub family: Family,
    /// The slot in each version's table, in the order of [`Version::ALL`].
    pub slots: [Option<u16>; Version::COUNT],
    /// Names and Rust types of the parameters as of PI 15.47.
    pub params: &'static [(&'static str, &'static str)],
    /// The form that the function had in older versions, if it had another signature or meaning.
    pub older: Option<Older>,
}

/// The earlier form of an entry point.
#[derive(Clone, Copy, Debug)]
pub struct Older {
    /// The last version that has this form.
    pub until: Version,
    /// Names and Rust types of its parameters.
    pub params: &'static [(&'static str, &'static str)],
}

impl EntryPoint {
    /// Returns the slot in `version`'s table.
    pub const fn slot(&self, version: Version) -> Option<u16> {
        self.slots[version as usize]
    }

    /// Returns the parameters in `version`.
    pub fn params_in(&self, version: Version) -> &'static [(&'static str, &'static str)] {
        match self.older {
            Some(older) if version <= older.until => older.params,
            _ => self.params,
        }
    }
}

/// Converts a slot column, `_` or a number, to an `Option<u16>`.
#[doc(hidden)]
#[macro_export]
macro_rules! slot {
    (_) => {
        None
    };
    ($slot:literal) => {
        Some($slot)
    };
}

macro_rules! entry_points {
    (() $([$family:ident] $name:ident [$($slot:tt)*] ($($arg:ident: $ty:ty),*)
        $(until $until:ident => $old:ident ($($old_arg:ident: $old_ty:ty),*))?;)*) => {
        /// Every entry point, grouped by family.
        pub const ENTRY_POINTS: &[EntryPoint] = &[$(EntryPoint {
            name: stringify!($name),
            family: Family::$family,
            slots: [$($crate::slot!($slot)),*],
            params: &[$((stringify!($arg), stringify!($ty))),*],
            older: entry_points!(@older $(until $until ($($old_arg: $old_ty),*))?),
        }),*];
    };
    (@older until $until:ident ($($arg:ident: $ty:ty),*)) => {
        Some(Older { until: Version::$until, params: &[$((stringify!($arg), stringify!($ty))),*] })
    };
    (@older) => { None };
}

crate::for_each_entry_point!(entry_points);

/// Entry points that are also exported under a second name: (alias, name in the list).
///
/// The design document of device globals and the shipped interface use different names for the pair.
pub const ALIASES: [(&str, &str); 2] = [
    ("piextEnqueueDeviceVariableRead", "piextEnqueueDeviceGlobalVariableRead"),
    ("piextEnqueueDeviceVariableWrite", "piextEnqueueDeviceGlobalVariableWrite"),
];

/// Returns the entry point with the given name.
pub fn entry_point(name: &str) -> Option<&'static EntryPoint> {
    ENTRY_POINTS.iter().find(|entry| entry.name == name)
}

/// Returns the function in each slot of `version`'s table.
pub fn names_by_slot(version: Version) -> impl Iterator<Item = (u16, &'static EntryPoint)> {
    ENTRY_POINTS.iter().filter_map(move |entry| entry.slot(version).map(|slot| (slot, entry)))
}
