//! The layouts of the tables, and how an adapter tells them apart.

/// One arrangement of functions in tables. Releases share a layout, so this is the whole key.
///
/// Layouts from 2025.2 on report the same [version](Layout::api_version). What tells them apart is where the loader's
/// tables lie: the [distance](Layout::distance) from the first table that it asks for to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(usize)]
pub enum Layout {
    /// Releases 2025.0.0 to 2025.0.5.
    V2025_0,
    /// Releases 2025.1.0 and 2025.1.1.
    V2025_1,
    /// Releases 2025.2.0 to 2025.2.2.
    V2025_2,
    /// Releases 2025.3.0 to 2025.3.3.
    V2025_3,
    /// Releases 2026.0.0 and 2026.1.0. The second has more device information.
    V2026_0,
    /// Releases 2026.1.1 and 2026.1.2.
    V2026_1_1,
    /// Release 2026.2.0.
    V2026_2,
}

impl Layout {
    /// Every layout, oldest first; the order of the slot columns in the list.
    pub const ALL: [Layout; 7] = [
        Layout::V2025_0,
        Layout::V2025_1,
        Layout::V2025_2,
        Layout::V2025_3,
        Layout::V2026_0,
        Layout::V2026_1_1,
        Layout::V2026_2,
    ];

    /// The newest layout, whose signatures the list has in the first place.
    pub const NEWEST: Layout = Layout::V2026_2;

    /// The first release that has it, such as `"2025.3"`; the third number only where it matters.
    pub const fn name(self) -> &'static str {
        match self {
            Layout::V2025_0 => "2025.0",
            Layout::V2025_1 => "2025.1",
            Layout::V2025_2 => "2025.2",
            Layout::V2025_3 => "2025.3",
            Layout::V2026_0 => "2026.0",
            Layout::V2026_1_1 => "2026.1.1",
            Layout::V2026_2 => "2026.2",
        }
    }

    /// The releases of DPC++ that have it.
    pub const fn releases(self) -> &'static [&'static str] {
        match self {
            Layout::V2025_0 => &["2025.0.0", "2025.0.1", "2025.0.2", "2025.0.3", "2025.0.4", "2025.0.5"],
            Layout::V2025_1 => &["2025.1.0", "2025.1.1"],
            Layout::V2025_2 => &["2025.2.0", "2025.2.1", "2025.2.2"],
            Layout::V2025_3 => &["2025.3.0", "2025.3.1", "2025.3.2", "2025.3.3"],
            Layout::V2026_0 => &["2026.0.0", "2026.1.0"],
            Layout::V2026_1_1 => &["2026.1.1", "2026.1.2"],
            Layout::V2026_2 => &["2026.2.0"],
        }
    }

    /// The version that the loader passes to every getter, as `ur_api_version_t`.
    pub const fn api_version(self) -> u32 {
        match self {
            Layout::V2025_0 => 0x0a,
            Layout::V2025_1 => 0x0b,
            _ => 0x0c,
        }
    }

    /// The table that the loader asks for first, by its name in this layout.
    pub const fn first_table_name(self) -> &'static str {
        match self {
            Layout::V2025_0 | Layout::V2025_1 | Layout::V2025_2 => "Global",
            _ => "Adapter",
        }
    }

    /// Bytes from the pointer that the first getter gets to the pointer that the second gets.
    pub const fn distance(self) -> usize {
        match self {
            Layout::V2025_0 => 272,
            Layout::V2025_1 => 280,
            Layout::V2025_2 => 480,
            Layout::V2025_3 => 1160,
            Layout::V2026_0 => 1216,
            Layout::V2026_1_1 => 1224,
            Layout::V2026_2 => 1208,
        }
    }

    /// The layout with that [distance](Layout::distance); none for any other number, as of a later release.
    pub fn from_distance(bytes: usize) -> Option<Layout> {
        Self::ALL.into_iter().find(|layout| layout.distance() == bytes)
    }

    /// Number of function pointers in all tables together.
    pub const fn slot_count(self) -> usize {
        match self {
            Layout::V2025_0 => 187,
            Layout::V2025_1 => 192,
            Layout::V2025_2 => 203,
            Layout::V2025_3 => 212,
            Layout::V2026_0 => 230,
            Layout::V2026_1_1 => 235,
            Layout::V2026_2 => 241,
        }
    }

    /// Bytes of `ur_dditable_t`, in which the loader has all tables of an adapter one after another.
    pub const fn size(self) -> usize {
        8 * self.slot_count()
    }
}
