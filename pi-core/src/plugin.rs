//! The `pi_plugin` structure, which the host passes to `piPluginInit`, in each of its layouts.

use core::ffi::{c_char, c_void};

use crate::Version;
use crate::types::pi_sanitize_type;

macro_rules! plugin_layouts {
    ($($(#[$doc:meta])* $name:ident $version:ident [$text:literal] [$count:literal] $({ $($extra:ident: $ty:ty),* })?;)*) => { $(
        $(#[$doc])*
        #[repr(C)]
        #[derive(Debug)]
        pub struct $name {
            /// The host's version, NUL-terminated. The host writes it before the call.
            pub PiVersion: [c_char; $text],
            /// The plugin's version, which the plugin writes.
            pub PluginVersion: [c_char; $text],
            /// Unused by every release and left unchanged.
            pub Targets: *mut c_char,
            /// The function table, which the plugin fills.
            pub PiFunctionTable: [*mut c_void; $count],
            $($(
                /// Set by the host after the table.
                pub $extra: $ty,
            )*)?
        }
        const _: () = {
            let offsets = Version::$version.offsets();
            assert!(size_of::<$name>() == offsets.size);
            assert!(core::mem::offset_of!($name, PluginVersion) == offsets.version_field);
            assert!(core::mem::offset_of!($name, Targets) == offsets.targets);
            assert!(core::mem::offset_of!($name, PiFunctionTable) == offsets.table);
            assert!($count == offsets.function_count);
        };
    )* };
}

plugin_layouts! {
    /// `pi_plugin` of PI 9.11.
    pi_plugin_9_11 V9_11 [10] [106];
    /// `pi_plugin` of PI 11.15.
    pi_plugin_11_15 V11_15 [20] [106];
    /// `pi_plugin` of PI 12.21.
    pi_plugin_12_21 V12_21 [20] [110];
    /// `pi_plugin` of PI 12.27.
    pi_plugin_12_27 V12_27 [20] [118];
    /// `pi_plugin` of PI 14.37 and 14.39.
    pi_plugin_14_37 V14_37 [20] [152];
    /// `pi_plugin` of PI 15.47.
    pi_plugin_15_47 V15_47 [20] [159] { SanitizeType: pi_sanitize_type };
}

/// `pi_plugin` of the newest version. A caller of an older version passes a smaller structure.
pub type pi_plugin = pi_plugin_15_47;
