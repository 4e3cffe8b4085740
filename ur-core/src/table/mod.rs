//! The list of functions and the tables as data: for tests, traces and tools.

mod list;
mod tables;

pub use tables::{OLDER_GETTERS, TABLES, Table, table};

use crate::Layout;

/// The object that a function belongs to. Every front has one source file per family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// The adapter itself.
    Adapter,
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
    /// Physical memory, to which virtual memory is mapped.
    PhysicalMem,
    /// Ranges of virtual addresses.
    VirtualMem,
    /// Device globals, host pipes, function and variable pointers: everything looked up by a symbol's name.
    Symbol,
    /// Access from one device to the memory of another.
    Peer,
    /// Memory and events shared between processes.
    Ipc,
    /// Memory allocated for export.
    MemoryExport,
    /// Tensor maps.
    TensorMap,
    /// Commands enqueued to a queue.
    Enqueue,
    /// Unified shared memory, its pools and its commands.
    Usm,
    /// Bindless images and imported memory.
    Bindless,
    /// Command buffers.
    CommandBuffer,
    /// Graphs recorded from queues.
    Graph,
}

/// Names and Rust types of parameters.
pub type Params = &'static [(&'static str, &'static str)];

/// One function, as described by the list.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The literal C name.
    pub name: &'static str,
    /// The object that it belongs to.
    pub family: Family,
    /// The name of its table.
    pub table: &'static str,
    /// The slot in that table in each layout, in the order of [`Layout::ALL`].
    pub slots: [Option<u16>; 7],
    /// The parameters as of the newest layout that has the function.
    pub params: Params,
    /// Other forms of the function in older layouts, oldest first.
    pub older: &'static [Older],
}

/// An earlier form of a function.
#[derive(Clone, Copy, Debug)]
pub struct Older {
    /// The last layout that has this form.
    pub until: Layout,
    /// The name of this form in the list.
    pub name: &'static str,
    /// Its parameters.
    pub params: Params,
}

impl Function {
    /// Returns the function's slot in its table in `layout`.
    pub const fn slot(&self, layout: Layout) -> Option<u16> {
        self.slots[layout as usize]
    }

    /// Returns the parameters in `layout`.
    pub fn params_in(&self, layout: Layout) -> Params {
        self.older.iter().find(|older| layout <= older.until).map_or(self.params, |older| older.params)
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

macro_rules! functions {
    (() $([$family:ident] $name:ident $table:ident [$($slot:tt)*] ($($arg:ident: $ty:ty),*)
        $(until $until:ident => $old:ident ($($old_arg:ident: $old_ty:ty),*))*;)*) => {
        /// Every function, grouped by family.
        pub const FUNCTIONS: &[Function] = &[$(Function {
            name: stringify!($name),
            family: Family::$family,
            table: stringify!($table),
            slots: [$($crate::slot!($slot)),*],
            params: &[$((stringify!($arg), stringify!($ty))),*],
            older: &[$(Older {
                until: Layout::$until,
                name: stringify!($old),
                params: &[$((stringify!($old_arg), stringify!($old_ty))),*],
            }),*],
        }),*];
    };
}

crate::for_each_function!(functions);

/// Returns the function with the given name.
pub fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// Returns the functions of a table in `layout` with their slots, in no particular order.
pub fn functions_of(table: &str, layout: Layout) -> impl Iterator<Item = (u16, &'static Function)> {
    FUNCTIONS
        .iter()
        .filter(move |function| function.table == table)
        .filter_map(move |function| function.slot(layout).map(|slot| (slot, function)))
}
