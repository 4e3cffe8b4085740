//! Checks of structures' layouts in memory.

/// Fails to compile if a structure has another size, alignment or offset than on the 64-bit systems that ship releases.
macro_rules! layout {
    ($name:ident: $size:literal $alignment:literal; $($field:ident $offset:literal)*) => {
        #[cfg(target_pointer_width = "64")]
        const _: () = {
            assert!(size_of::<$name>() == $size);
            assert!(align_of::<$name>() == $alignment);
            $(assert!(core::mem::offset_of!($name, $field) == $offset);)*
        };
    };
}

pub(crate) use layout;
