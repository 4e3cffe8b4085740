//! Macros that declare types as in the specification's C headers, together with the data that tests compare with those
//! headers.

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

/// Declares enumerations: each is a separate type around a `u32`, and its debug text is the specification's name.
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

        #[cfg(test)]
        pub(crate) const ENUMS: &[(&str, u32)] = &[$($((stringify!($value), $number),)*)*];
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

        #[cfg(test)]
        pub(crate) const FLAGS: &[(&str, u32)] = &[$($((stringify!($value), $number),)*)*];
    };
}

/// Declares structures. The default is all zero, with `stype` set if the structure has this field.
macro_rules! structs {
    ($($(#[$doc:meta])* $name:ident $(= $stype:ident)? { $($(#[$fdoc:meta])* $field:ident: $type:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[repr(C)]
            #[derive(Clone, Copy, Debug)]
            pub struct $name {
                $($(#[$fdoc])* pub $field: $type,)*
            }

            impl Default for $name {
                fn default() -> Self {
                    // SAFETY: the fields are numbers, arrays of numbers, handles and raw pointers, all of which may be
                    // zero.
                    #[allow(unused_mut)]
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

        #[cfg(test)]
        pub(crate) const STRUCTS: &[crate::layout::Struct] = &[$((
            stringify!($name),
            size_of::<$name>(),
            &[$((stringify!($field), std::mem::offset_of!($name, $field)),)*],
        ),)*];
    };
}
