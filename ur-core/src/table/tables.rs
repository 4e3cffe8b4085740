//! The tables: their names, getters, lengths and offsets.

/// Passes the getter of every table to the macro `consumer`, with the extra tokens in front of the rows.
///
/// `for_each_table!(consumer, extra tokens)` expands to `consumer! { (extra tokens) Table getter [until LAYOUT]; ...
/// }`, in the order in which the loader calls the getters. A row with `until LAYOUT` gives the getter's name in the
/// layouts up to and including that one. An adapter exports both names.
#[macro_export]
macro_rules! for_each_table {
    ($($consumer:ident)::+ $(, $($extra:tt)*)?) => {
        $($consumer)::+! { ($($($extra)*)?)
            Adapter urGetAdapterProcAddrTable;
            Adapter urGetGlobalProcAddrTable until V2025_2;
            BindlessImagesExp urGetBindlessImagesExpProcAddrTable;
            CommandBufferExp urGetCommandBufferExpProcAddrTable;
            Context urGetContextProcAddrTable;
            Enqueue urGetEnqueueProcAddrTable;
            EnqueueExp urGetEnqueueExpProcAddrTable;
            Event urGetEventProcAddrTable;
            EventExp urGetEventExpProcAddrTable;
            GraphExp urGetGraphExpProcAddrTable;
            IPCExp urGetIPCExpProcAddrTable;
            Kernel urGetKernelProcAddrTable;
            KernelExp urGetKernelExpProcAddrTable;
            Mem urGetMemProcAddrTable;
            MemoryExportExp urGetMemoryExportExpProcAddrTable;
            PhysicalMem urGetPhysicalMemProcAddrTable;
            Platform urGetPlatformProcAddrTable;
            Program urGetProgramProcAddrTable;
            ProgramExp urGetProgramExpProcAddrTable;
            Queue urGetQueueProcAddrTable;
            QueueExp urGetQueueExpProcAddrTable;
            Sampler urGetSamplerProcAddrTable;
            TensorMapExp urGetTensorMapExpProcAddrTable;
            USM urGetUSMProcAddrTable;
            USMExp urGetUSMExpProcAddrTable;
            UsmP2PExp urGetUsmP2PExpProcAddrTable;
            VirtualMem urGetVirtualMemProcAddrTable;
            Device urGetDeviceProcAddrTable;
            DeviceExp urGetDeviceExpProcAddrTable;
        }
    };
}

use crate::Layout;

/// One table of functions.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Its name, as in the list.
    pub name: &'static str,
    /// The exported function that fills the table.
    pub getter: &'static str,
    /// Number of slots in each layout, in the order of [`Layout::ALL`]. `None` if the layout does not have the table.
    pub slots: [Option<u16>; 7],
    /// Offset in bytes from the start of `ur_dditable_t` in each layout.
    pub offsets: [Option<u16>; 7],
}

impl Table {
    /// Returns the number of slots in `layout`. The loader allocates no more than that.
    pub const fn slots_in(&self, layout: Layout) -> Option<u16> {
        self.slots[layout as usize]
    }

    /// Returns the offset in bytes from the start of `ur_dditable_t` in `layout`.
    pub const fn offset_in(&self, layout: Layout) -> Option<u16> {
        self.offsets[layout as usize]
    }

    /// Returns the name of the getter in `layout`, if the layout has the table.
    pub fn getter_in(&self, layout: Layout) -> Option<&'static str> {
        self.slots_in(layout)?;
        let older = OLDER_GETTERS.iter().find(|(name, until, _)| *name == self.name && layout <= *until);
        Some(older.map_or(self.getter, |(_, _, getter)| *getter))
    }
}

macro_rules! older_getters {
    (() $($table:ident $getter:ident $(until $until:ident)?;)*) => {
        /// Getters with another name in older layouts: (table, last layout with that name, name).
        pub const OLDER_GETTERS: &[(&str, Layout, &str)] =
            &[$($((stringify!($table), Layout::$until, stringify!($getter)),)?)*];
    };
}

crate::for_each_table!(older_getters);

macro_rules! tables {
    ($($name:ident $getter:ident [$($slots:tt)*] [$($offsets:tt)*];)*) => {
        /// Every table of any layout, in the order in which the loader calls the getters.
        pub const TABLES: &[Table] = &[$(Table {
            name: stringify!($name),
            getter: stringify!($getter),
            slots: [$($crate::slot!($slots)),*],
            offsets: [$($crate::slot!($offsets)),*],
        }),*];
    };
}

// Name, getter, [slots], [offsets].
tables! {
    Adapter urGetAdapterProcAddrTable [5 5 5 7 7 7 7] [656 656 664 0 0 0 0];
    BindlessImagesExp urGetBindlessImagesExpProcAddrTable [18 18 19 23 23 23 23] [928 936 1144 1160 1216 1224 1208];
    CommandBufferExp urGetCommandBufferExpProcAddrTable [22 24 22 22 22 22 23] [1168 1176 1296 1344 1400 1408 1392];
    Context urGetContextProcAddrTable [7 7 7 7 7 7 7] [48 48 48 104 104 104 104];
    Enqueue urGetEnqueueProcAddrTable [25 26 26 26 26 26 25] [696 696 704 720 760 768 744];
    EnqueueExp urGetEnqueueExpProcAddrTable [4 4 9 8 10 10 10] [896 904 912 928 968 976 944];
    Event urGetEventProcAddrTable [8 8 8 8 8 8 8] [104 104 104 160 160 160 160];
    EventExp urGetEventExpProcAddrTable [_ _ _ _ _ _ 1] [_ _ _ _ _ _ 224];
    GraphExp urGetGraphExpProcAddrTable [_ _ _ _ 6 10 10] [_ _ _ _ 1576 1584 1576];
    IPCExp urGetIPCExpProcAddrTable [_ _ _ _ 4 4 11] [_ _ _ _ 1624 1664 1656];
    Kernel urGetKernelProcAddrTable [16 16 16 17 17 17 13] [304 304 304 360 368 368 376];
    KernelExp urGetKernelExpProcAddrTable [1 1 1 _ _ _ _] [432 432 432 _ _ _ _];
    Mem urGetMemProcAddrTable [10 10 10 10 10 10 10] [552 552 552 608 648 656 632];
    MemoryExportExp urGetMemoryExportExpProcAddrTable [_ _ _ 3 3 3 3] [_ _ _ 1520 1656 1696 1744];
    PhysicalMem urGetPhysicalMemProcAddrTable [3 3 4 4 4 4 4] [632 632 632 688 728 736 712];
    Platform urGetPlatformProcAddrTable [6 6 6 6 6 6 6] [0 0 0 56 56 56 56];
    Program urGetProgramProcAddrTable [14 14 14 14 14 14 14] [168 168 168 224 224 224 232];
    ProgramExp urGetProgramExpProcAddrTable [3 3 3 3 4 4 4] [280 280 280 336 336 336 344];
    Queue urGetQueueProcAddrTable [8 8 8 8 8 8 8] [440 440 440 496 504 504 480];
    QueueExp urGetQueueExpProcAddrTable [_ _ _ _ 4 5 5] [_ _ _ _ 568 568 544];
    Sampler urGetSamplerProcAddrTable [6 6 6 6 6 6 6] [504 504 504 560 600 608 584];
    TensorMapExp urGetTensorMapExpProcAddrTable [_ 2 _ _ _ _ _] [_ 1368 _ _ _ _ _];
    USM urGetUSMProcAddrTable [9 9 9 9 9 9 9] [1072 1080 984 992 1048 1056 1024];
    USMExp urGetUSMExpProcAddrTable [3 3 11 12 12 12 14] [1144 1152 1056 1064 1120 1128 1096];
    UsmP2PExp urGetUsmP2PExpProcAddrTable [3 3 3 3 3 3 3] [1344 1384 1472 1544 1680 1720 1768];
    VirtualMem urGetVirtualMemProcAddrTable [7 7 7 7 7 7 7] [1368 1408 1496 1568 1704 1744 1792];
    Device urGetDeviceProcAddrTable [9 9 9 9 9 9 9] [1424 1464 1552 1624 1760 1800 1848];
    DeviceExp urGetDeviceExpProcAddrTable [_ _ _ _ 1 1 1] [_ _ _ _ 1832 1872 1920];
}

/// Returns the table with the given name.
pub fn table(name: &str) -> Option<&'static Table> {
    TABLES.iter().find(|table| table.name == name)
}
