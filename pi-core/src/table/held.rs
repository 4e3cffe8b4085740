//! Holds the plain declarations in `prototypes.rs` to the list: a difference in a name, a parameter or a slot does not
//! compile.

use core::ffi::{c_char, c_int, c_uint, c_void};
use core::mem::offset_of;

use super::prototypes::*;
use crate::callbacks::*;
use crate::structs::*;
use crate::types::*;

/// One cell of a slot column: the table structure of that version has the function there, or not at all.
macro_rules! held_slot {
    ($table:ident $name:ident _) => {};
    ($table:ident $name:ident $slot:literal) => {
        const _: () = assert!(offset_of!($table, $name) == 8 * $slot);
    };
}

macro_rules! held {
    (() $([$family:ident] $name:ident [$v0:tt $v1:tt $v2:tt $v3:tt $v4:tt $v5:tt $v6:tt] ($($arg:ident: $ty:ty),*)
        $(until $until:ident => $old:ident ($($old_arg:ident: $old_ty:ty),*))?;)*) => { $(
        const _: unsafe extern "C" fn($($ty),*) -> pi_result = $name;
        held_slot!(pi_function_table_9_11 $name $v0);
        held_slot!(pi_function_table_11_15 $name $v1);
        held_slot!(pi_function_table_12_21 $name $v2);
        held_slot!(pi_function_table_12_27 $name $v3);
        held_slot!(pi_function_table_14_37 $name $v4);
        held_slot!(pi_function_table_14_39 $name $v5);
        held_slot!(pi_function_table_15_47 $name $v6);
        $(
            const _: fn(&pi_function_table_9_11) -> Option<unsafe extern "C" fn($($old_ty),*) -> pi_result> =
                |table| table.$name;
        )?
    )* };
}

crate::for_each_entry_point!(held);

macro_rules! held_size {
    ($($table:ident $version:ident;)*) => { $(
        const _: () = assert!(size_of::<$table>() == 8 * crate::Version::$version.offsets().function_count);
    )* };
}

held_size! {
    pi_function_table_9_11 V9_11;
    pi_function_table_11_15 V11_15;
    pi_function_table_12_21 V12_21;
    pi_function_table_12_27 V12_27;
    pi_function_table_14_37 V14_37;
    pi_function_table_14_39 V14_39;
    pi_function_table_15_47 V15_47;
}
