//! A plugin's typed function table, generated from the single list of entry points and therefore complete.
#![expect(unsafe_code, reason = "a plugin's functions")]

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

use sycl_pi_core::*;

use crate::CallError;
use crate::trace::{self, Shown};

macro_rules! table {
    (() $([$family:ident] $name:ident $slots:tt ($($arg:ident: $ty:ty),*)
        $(until $until:ident => $old:ident ($($old_arg:ident: $old_ty:ty),*))?;)*) => {
        /// The functions of one plugin.
        ///
        /// Each entry point is a field: the pointer, or `None` if the plugin or its version lacks the function. A
        /// method of the same name makes the call and converts its code to a [`CallError`]. If older versions have
        /// another signature, it has a separate field and method, and at most one of the two is present.
        #[allow(non_snake_case)]
        pub struct Table {
            version: Version,
            /// Whether `SYCL_PI_TRACE` requests a record of each call.
            traced: bool,
            $(
                #[doc = concat!("`", stringify!($name), "`.")]
                pub $name: Option<unsafe extern "C" fn($($arg: $ty),*) -> pi_result>,
                $(
                    #[doc = concat!("`", stringify!($name), "` as older versions have it.")]
                    pub $old: Option<unsafe extern "C" fn($($old_arg: $old_ty),*) -> pi_result>,
                )?
            )*
        }

        #[allow(non_snake_case, clippy::too_many_arguments)]
        impl Table {
            /// Creates a table from the pointers of `version`'s table.
            ///
            /// # Safety
            /// The pointers come from a plugin that serves `version`, and remain valid until the process ends.
            pub(crate) unsafe fn new(version: Version, slots: &[*mut c_void]) -> Self {
                Self {
                    version,
                    traced: trace::traces_calls(),
                    $(
                        // SAFETY: the slot holds null or this function in this version's signature.
                        $name: unsafe { pick!(version, slots, $slots, new $($until)?) },
                        $(
                            // SAFETY: the same, for the older signature.
                            $old: unsafe { pick!(version, slots, $slots, old $until) },
                        )?
                    )*
                }
            }

            $(
                table!(@call $name $name ($($arg: $ty),*));
                $( table!(@call $name $old ($($old_arg: $old_ty),*)); )?
            )*
        }
    };
    (@call $name:ident $field:ident ($($arg:ident: $ty:ty),*)) => {
        #[doc = concat!("Calls `", stringify!($name), "`.")]
        ///
        /// # Errors
        /// Fails if the function is not in the table, or if it returns an error code.
        ///
        /// # Safety
        /// The arguments are valid for the interface.
        pub unsafe fn $field(&self, $($arg: $ty),*) -> Result<(), CallError> {
            let Some(function) = self.$field else {
                return Err(CallError::Missing { function: stringify!($name), version: self.version });
            };
            let call = || {
                // SAFETY: the caller vouches for the arguments.
                let code = unsafe { function($($arg),*) };
                if code == PI_SUCCESS { Ok(()) } else { Err(self.failed(stringify!($name), code)) }
            };
            if !self.traced {
                return call();
            }
            let record = trace::Call::new(stringify!($name), &[$((stringify!($arg), $arg.show())),*]);
            let result = call();
            let answers: &[(&str, Option<String>)] = if result.is_ok() {
                // SAFETY: the call has succeeded, so its addresses are null or valid.
                &[$((stringify!($arg), unsafe { trace::answer(stringify!($arg), $arg) })),*]
            } else {
                &[]
            };
            record.done(&result, answers);
            result
        }
    };
}

/// Returns the pointer in a function's slot: with `new` for versions that have the current signature, with `old` for
/// the others.
macro_rules! pick {
    ($version:ident, $slots:ident, [$($slot:tt)*], $age:ident $($until:ident)?) => {{
        const SLOTS: [Option<u16>; Version::COUNT] = [$(sycl_pi_core::slot!($slot)),*];
        let here = pick!(@age $version $age $($until)?);
        let slot = SLOTS[$version as usize].filter(|_| here);
        let pointer = slot.and_then(|slot| $slots.get(usize::from(slot)).copied());
        std::mem::transmute::<*mut c_void, Option<_>>(pointer.unwrap_or(std::ptr::null_mut()))
    }};
    (@age $version:ident new) => { true };
    (@age $version:ident new $until:ident) => { $version > Version::$until };
    (@age $version:ident old $until:ident) => { $version <= Version::$until };
}

sycl_pi_core::for_each_entry_point!(table);

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("version", &self.version).finish_non_exhaustive()
    }
}

impl Table {
    /// Returns the version whose signatures the functions have.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Returns the number of functions that the plugin has filled in.
    pub fn function_count(&self) -> usize {
        macro_rules! count {
            (() $([$family:ident] $name:ident $slots:tt ($($arg:ident: $ty:ty),*)
                $(until $until:ident => $old:ident ($($old_arg:ident: $old_ty:ty),*))?;)*) => {
                [$(self.$name.is_some() $(|| self.$old.is_some())?),*].into_iter().filter(|there| *there).count()
            };
        }
        sycl_pi_core::for_each_entry_point!(count)
    }

    #[cold]
    fn failed(&self, function: &'static str, code: pi_result) -> CallError {
        CallError::Failed { function, code, text: self.last_error(function, code) }
    }

    /// Returns the plugin's last error message on this thread, regardless of the call to which it belongs. It may
    /// explain, for example, why there is no platform.
    pub fn last_error_message(&self) -> Option<Box<str>> {
        let function = self.piPluginGetLastError?;
        let mut message: *mut c_char = std::ptr::null_mut();
        // SAFETY: the out pointer is valid.
        unsafe { function(&mut message) };
        if message.is_null() {
            return None;
        }
        // SAFETY: the text is NUL-terminated and stays until this thread's next call.
        let text = unsafe { CStr::from_ptr(message) }.to_string_lossy();
        Some(text.trim()).filter(|text| !text.is_empty()).map(Into::into)
    }

    /// Returns the plugin's message for the failure with `code`. A message with another code belongs to an earlier
    /// failure.
    fn last_error(&self, name: &str, code: pi_result) -> Option<Box<str>> {
        let function = self.piPluginGetLastError?;
        let mut message: *mut c_char = std::ptr::null_mut();
        // SAFETY: the out pointer is valid.
        let told = unsafe { function(&mut message) };
        if message.is_null() || (code != PI_ERROR_PLUGIN_SPECIFIC_ERROR && told != code) {
            return None;
        }
        // SAFETY: the text is NUL-terminated and stays until this thread's next call.
        let text = unsafe { CStr::from_ptr(message) }.to_string_lossy();
        let own = text.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(&text);
        Some(own.trim()).filter(|text| !text.is_empty()).map(Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_stands_in_its_slot() {
        for version in Version::ALL {
            let offsets = version.offsets();
            let slots: Vec<_> = (1..=offsets.function_count).map(|number| number as *mut c_void).collect();
            // SAFETY: nothing is called through these made-up pointers.
            let table = unsafe { Table::new(version, &slots) };
            macro_rules! compare {
                (() $([$family:ident] $name:ident [$($slot:tt)*] ($($arg:ident: $ty:ty),*)
                    $(until $until:ident => $old:ident ($($old_arg:ident: $old_ty:ty),*))?;)*) => { $({
                    let found = table.$name.map(|function| function as usize);
                    $( let found = found.or(table.$old.map(|function| function as usize));
                       assert!(table.$name.is_none() || table.$old.is_none());
                       assert_eq!(table.$old.is_some(), version <= Version::$until); )?
                    let entry = table::entry_point(stringify!($name));
                    let slot = entry.and_then(|entry| entry.slot(version));
                    assert_eq!(found, slot.map(|slot| usize::from(slot) + 1), "{}", stringify!($name));
                })* };
            }
            sycl_pi_core::for_each_entry_point!(compare);
            let names = table::names_by_slot(version).count();
            assert_eq!(table.function_count(), names);
        }
    }

    /// Returns the last message of a plugin whose `piPluginGetLastError` is `answer`.
    fn told(answer: unsafe extern "C" fn(*mut *mut c_char) -> pi_result) -> Option<Box<str>> {
        // SAFETY: a table without pointers.
        let mut table = unsafe { Table::new(Version::NEWEST, &[]) };
        table.piPluginGetLastError = Some(answer);
        table.last_error_message()
    }

    #[test]
    fn the_last_message_is_trimmed_and_a_blank_one_is_none() {
        /// # Safety
        /// `message` is valid for writing an address.
        unsafe extern "C" fn reason(message: *mut *mut c_char) -> pi_result {
            // SAFETY: a valid out pointer.
            unsafe { message.write(c" There is no driver.\n".as_ptr().cast_mut()) };
            PI_SUCCESS
        }
        /// # Safety
        /// `message` is valid for writing an address.
        unsafe extern "C" fn blank(message: *mut *mut c_char) -> pi_result {
            // SAFETY: a valid out pointer.
            unsafe { message.write(c" \n".as_ptr().cast_mut()) };
            PI_SUCCESS
        }
        extern "C" fn nothing(_: *mut *mut c_char) -> pi_result {
            PI_SUCCESS
        }
        assert_eq!(told(reason).as_deref(), Some("There is no driver."));
        assert_eq!((told(blank), told(nothing)), (None, None));
    }
}
