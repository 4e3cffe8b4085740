//! The layouts of the tables, and how an adapter recognizes them.

/// One arrangement of functions in tables. Several releases share a layout, so this is the whole key.
///
/// Layouts since 2025.2 report the same [version](Layout::api_version). They are told apart by the location of the
/// loader's tables: the [distance](Layout::distance) between the first two tables that the loader requests.
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
    /// Releases 2026.0.0 and 2026.1.0. The latter has more device information.
    V2026_0,
    /// Releases 2026.1.1 and 2026.1.2.
    V2026_1_1,
    /// Release 2026.2.0.
    V2026_2,
}

impl Layout {
    /// Every layout, oldest first. The slot columns of the list use the same order.
    pub const ALL: [Layout; 7] = [
        Layout::V2025_0,
        Layout::V2025_1,
        Layout::V2025_2,
        Layout::V2025_3,
        Layout::V2026_0,
        Layout::V2026_1_1,
        Layout::V2026_2,
    ];

    /// The newest layout. The list's main signatures follow it.
    pub const NEWEST: Layout = Layout::V2026_2;

    /// Returns the first release with this layout, such as `"2025.3"`. The third number is included only if it is
    /// significant.
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

    /// Returns the DPC++ releases with this layout.
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

    /// Returns the version that the loader passes to every getter, as `ur_api_version_t`.
    pub const fn api_version(self) -> u32 {
        match self {
            Layout::V2025_0 => 0x0a,
            Layout::V2025_1 => 0x0b,
            _ => 0x0c,
        }
    }

    /// Returns the name, in this layout, of the table that the loader requests first.
    pub const fn first_table_name(self) -> &'static str {
        match self {
            Layout::V2025_0 | Layout::V2025_1 | Layout::V2025_2 => "Global",
            _ => "Adapter",
        }
    }

    /// Returns the distance in bytes between the pointers passed to the first and to the second getter.
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

    /// Returns the layout with the given [distance](Layout::distance), or `None` for any other number, such as that of
    /// a later release.
    pub fn from_distance(bytes: usize) -> Option<Layout> {
        Self::ALL.into_iter().find(|layout| layout.distance() == bytes)
    }

    /// Returns the number of function pointers in all tables together.
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

    /// Returns the size in bytes of `ur_dditable_t`, which contains all tables of an adapter, one after another.
    pub const fn size(self) -> usize {
        8 * self.slot_count()
    }
}
