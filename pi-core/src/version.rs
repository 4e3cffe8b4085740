//! The supported PI versions, and the layout of `pi_plugin` in each (golden/functions.json, `pi_plugin_layout`).

use core::ffi::CStr;

/// Defines everything known about each version in one row, with its texts, its release and its layout of `pi_plugin`.
macro_rules! versions {
    ($(#[$doc:meta] $name:ident $text:literal $plugin_text:literal $release:literal $offsets:expr;)*) => {
        /// A PI version whose table layout is known. Releases of the same version share a layout, so this is the whole
        /// key.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(usize)]
        pub enum Version {
            $(#[$doc] $name,)*
        }

        impl Version {
            /// Every supported version, oldest first. The slot columns of the list use the same order.
            pub const ALL: [Version; Self::COUNT] = [$(Version::$name),*];

            /// The number of supported versions.
            pub const COUNT: usize = [$($text),*].len();

            /// Returns the text of `PiVersion`, such as `"15.47"`, with its terminating NUL.
            pub const fn c_text(self) -> &'static CStr {
                match self {
                    $(Version::$name => $text,)*
                }
            }

            /// Returns the text that a plugin writes to `PluginVersion`: the bare version in 9.11, with a plugin part
            /// since 11.15.
            pub const fn plugin_text(self) -> &'static CStr {
                match self {
                    $(Version::$name => $plugin_text,)*
                }
            }

            /// Returns the DPC++ release that ships this version.
            pub const fn release(self) -> &'static str {
                match self {
                    $(Version::$name => $release,)*
                }
            }

            /// Returns the layout of `pi_plugin` in this version.
            pub const fn offsets(self) -> PluginOffsets {
                match self {
                    $(Version::$name => $offsets,)*
                }
            }
        }
    };
}

versions! {
    /// PI 9.11: DPC++ 2022.2.1, libsycl.so.5.
    V9_11 c"9.11" c"9.11" "2022.2.1" PluginOffsets::new(10, 24, 106, false);
    /// PI 11.15: DPC++ 2023.0.0, libsycl.so.6.
    V11_15 c"11.15" c"11.15.1" "2023.0.0" PluginOffsets::new(20, 40, 106, false);
    /// PI 12.21: DPC++ 2023.1.0.
    V12_21 c"12.21" c"12.21.1" "2023.1.0" PluginOffsets::new(20, 40, 110, false);
    /// PI 12.27: DPC++ 2023.2.4.
    V12_27 c"12.27" c"12.27.1" "2023.2.4" PluginOffsets::new(20, 40, 118, false);
    /// PI 14.37: DPC++ 2024.0.3, libsycl.so.7.
    V14_37 c"14.37" c"14.37.1" "2024.0.3" PluginOffsets::new(20, 40, 152, false);
    /// PI 14.39: DPC++ 2024.1.2.
    V14_39 c"14.39" c"14.39.1" "2024.1.2" PluginOffsets::new(20, 40, 152, false);
    /// PI 15.47: DPC++ 2024.2.2.
    V15_47 c"15.47" c"15.47.1" "2024.2.2" PluginOffsets::new(20, 40, 159, true);
}

impl Version {
    /// The newest version. The exported symbols follow it.
    pub const NEWEST: Version = Self::ALL[Self::COUNT - 1];

    /// Returns the text of `PiVersion`, such as `"15.47"`.
    pub const fn text(self) -> &'static str {
        match self.c_text().to_str() {
            Ok(text) => text,
            Err(_) => "",
        }
    }

    /// Returns the version whose text is exactly `text`, or `None` for any other text, newer or older.
    pub fn from_text(text: &[u8]) -> Option<Version> {
        Self::ALL.into_iter().find(|version| version.text().as_bytes() == text)
    }
}

/// The layout of the `pi_plugin` structure in one version. All numbers are byte offsets from its start or sizes in
/// bytes, except [`function_count`](PluginOffsets::function_count).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PluginOffsets {
    /// Size of `PiVersion`, which starts at 0, and of `PluginVersion`, which follows it.
    pub version_field: usize,
    /// Offset of the `Targets` pointer.
    pub targets: usize,
    /// Offset of the function table.
    pub table: usize,
    /// Number of pointers in the function table. The caller allocates no more than that.
    pub function_count: usize,
    /// Offset of `SanitizeType`, in versions that have this field.
    pub sanitize_type: Option<usize>,
    /// Size of the whole structure.
    pub size: usize,
}

impl PluginOffsets {
    const fn new(version_field: usize, targets: usize, function_count: usize, sanitize: bool) -> Self {
        let table = targets + 8;
        let end = table + 8 * function_count;
        let sanitize_type = if sanitize { Some(end) } else { None };
        Self {
            version_field,
            targets,
            table,
            function_count,
            sanitize_type,
            size: if sanitize { end + 8 } else { end },
        }
    }
}
