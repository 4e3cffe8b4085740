//! The single list of functions.
//!
//! Every adapter function of any supported layout appears here exactly once, with its object family, C name, table,
//! slot in that table in each layout (in the order of [`Layout::ALL`](crate::Layout::ALL); `_` if the layout does not
//! have the function), and its signature as of the newest layout that has it. If older layouts gave the function
//! another signature, `until LAYOUT => name (signature)` names the function in the layouts up to and including that
//! one. A function may have several older forms, oldest first; the first one whose layout is not older than the
//! requested one applies. A form also counts as different if only the structure that it takes has another layout.
//!
//! No function moves to another table. The table called `Adapter` here was called `Global` until 2025.2; see
//! [`for_each_table`](crate::for_each_table). Slot 6 of `EnqueueExp` belongs to no function in 2025.3: no adapter fills
//! it, and no exported function of the loader uses it.
//!
//! The rows are split into two files, `objects.rs` and `work.rs`, because a single file would be too long. The tests of
//! this crate compare them with `golden/functions.json`.

/// Passes the whole list to the macro `consumer`, with the extra tokens in front of the rows.
///
/// `for_each_function!(consumer, extra tokens)` expands to
/// `consumer! { (extra tokens) [Family] name Table [slots] (args) until LAYOUT => old_name (old_args) ... ; ... }`.
#[macro_export]
macro_rules! for_each_function {
    ($($consumer:ident)::+ $(, $($extra:tt)*)?) => {
        $crate::functions_of_objects! { {$($consumer)::+} ($($($extra)*)?) }
    };
}
