//! The one list of functions.
//!
//! Every function of an adapter that exists in any served layout is here once: object family, C name, table, slot in
//! that table in each layout (in the order of [`Layout::ALL`](crate::Layout::ALL); `_` where the layout has no such
//! function), and its signature as of the newest layout that has it. Where older layouts gave the function another
//! signature, `until LAYOUT => name (signature)` names the function in the layouts up to and including that one. A
//! function may have several older forms, oldest first: the first one whose layout is not older than the wanted one
//! counts. A form also counts as another when only the structure that it takes has another layout.
//!
//! No function changes its table. What is called `Adapter` here was called `Global` until 2025.2, see
//! [`for_each_table`](crate::for_each_table). Slot 6 of `EnqueueExp` belongs to no function in 2025.3: no
//! adapter fills it, and no exported function of the loader reaches it.
//!
//! The rows stand in two files, `objects.rs` and `work.rs`, because one would be too long.
//! The tests of this crate hold them against `golden/functions.json`.

/// Hands the whole list to the macro named first, with the tokens that follow it in front of the rows.
///
/// `for_each_function!(consumer, extra tokens)` expands to
/// `consumer! { (extra tokens) [Family] name Table [slots] (args) until LAYOUT => old_name (old_args) ... ; ... }`.
#[macro_export]
macro_rules! for_each_function {
    ($($consumer:ident)::+ $(, $($extra:tt)*)?) => {
        $crate::functions_of_objects! { {$($consumer)::+} ($($($extra)*)?) }
    };
}
