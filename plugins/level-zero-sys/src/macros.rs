//! Macros that declare types as in the specification's C headers.

/// Declares handles: opaque addresses, each with its own type.
macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub *mut std::ffi::c_void);

        impl $name {
            /// The null handle.
            pub const NULL: Self = Self(std::ptr::null_mut());

            /// Returns whether this is the null handle.
            #[inline(always)]
            pub const fn is_null(self) -> bool {
                self.0.is_null()
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::NULL
            }
        }

        // SAFETY: a handle is only a name; the specification states which calls may use it concurrently.
        unsafe impl Send for $name {}
        // SAFETY: same as above.
        unsafe impl Sync for $name {}
    )*};
}

/// Declares enumerations. Each is a separate type around a `u32`, and its debug text is the specification's name.
macro_rules! enums {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $value:ident = $number:expr,)* })*) => {
        $(
            $(#[$doc])*
            #[repr(transparent)]
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
            pub struct $name(pub u32);

            $($(#[$vdoc])* pub const $value: $name = $name($number);)*

            impl $name {
                /// Returns the specification's name of this value, if it has one.
                pub fn name(self) -> Option<&'static str> {
                    [$((stringify!($value), $number),)*].iter().find(|v| v.1 == self.0).map(|v| v.0)
                }
            }

            impl std::fmt::Debug for $name {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    match self.name() {
                        Some(name) => f.write_str(name),
                        None => write!(f, "{}({:#x})", stringify!($name), self.0),
                    }
                }
            }
        )*
    };
}

/// Declares flags: plain `u32` values, to be combined with `|`.
macro_rules! flags {
    ($($(#[$doc:meta])* $set:ident | $one:ident { $($(#[$vdoc:meta])* $value:ident = $number:expr,)* })*) => {
        $(
            $(#[$doc])*
            pub type $set = u32;
            /// One of the flags.
            pub type $one = u32;
            $($(#[$vdoc])* pub const $value: $set = $number;)*
        )*
    };
}

/// Declares structures, `NAME: SIZE = TYPE { FIELD: TYPE = OFFSET, .. }`, with the size and the offsets that a C
/// compiler gives them. The default is all zero, with `stype` set if the structure has this field.
macro_rules! structs {
    ($(
        $(#[$doc:meta])* $name:ident: $size:literal $(= $stype:ident)? {
            $($(#[$fdoc:meta])* $field:ident: $type:ty = $offset:literal,)*
        }
    )*) => {
        $(
            $(#[$doc])*
            #[repr(C)]
            #[derive(Clone, Copy, Debug)]
            pub struct $name {
                $($(#[$fdoc])* pub $field: $type,)*
            }

            const _: () = assert!(size_of::<$name>() == $size);
            $(const _: () = assert!(std::mem::offset_of!($name, $field) == $offset);)*

            impl Default for $name {
                fn default() -> Self {
                    #[allow(unused_mut)]
                    // SAFETY: the fields are numbers, arrays of numbers, handles and raw pointers. All may be zero.
                    let mut zero: Self = unsafe { std::mem::zeroed() };
                    $(zero.stype = $stype;)?
                    zero
                }
            }

            // SAFETY: this is plain data; the specification states which threads may follow its pointers.
            unsafe impl Send for $name {}
            // SAFETY: same as above.
            unsafe impl Sync for $name {}
        )*
    };
}
