//! Functions that are ours for our objects, and the vendor's for all others.

/// Declares functions that C calls. Each names the argument that decides, and the type that this argument has if it is
/// ours; the body then sees it as a reference. The body's `Result` becomes the status.
macro_rules! functions {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?) of $ours:ident: $object:ty = $body:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// As in oneDNN.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C" fn $name($($arg: $type),*) -> $crate::status::Status {
            // SAFETY: an object of oneDNN, which lives for this call.
            match unsafe { $crate::object::ours::<$object>($ours.cast()) } {
                Some($ours) => $crate::status::answer(|| $body),
                // SAFETY: the vendor's function of this name has this type, and the arguments are its caller's.
                None => unsafe { $crate::forward::vendors!($name($($arg: $type),*) -> $crate::status::Status) },
            }
        }
    )*};
}

/// Calls the vendor's function of this name, which is looked up once.
macro_rules! vendors {
    ($name:ident($($arg:ident: $type:ty),*) -> $answer:ty) => {{
        static FOUND: std::sync::OnceLock<Option<unsafe extern "C" fn($($type),*) -> $answer>> =
            std::sync::OnceLock::new();
        let found = FOUND.get_or_init(|| {
            sycl_pi_dynload::find($crate::vendor::function, concat!(stringify!($name), "\0"))
        });
        match found {
            Some(function) => function($($arg),*),
            None => <$answer as $crate::vendor::Lacking>::LACKING,
        }
    }};
}

pub(crate) use {functions, vendors};
