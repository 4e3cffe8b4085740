//! Objects that are released at the end of their scope.

use sycl_pi_core::*;
use sycl_pi_loader::CallError;

use super::Env;

/// One reference to an object.
pub(crate) struct Owned<'e, T: Copy> {
    env: &'e Env,
    handle: Option<T>,
    release: fn(&Env, T) -> Result<(), CallError>,
}

impl<T: Copy> Owned<'_, T> {
    /// Transfers the reference to the caller.
    pub(crate) fn into_raw(mut self) -> T {
        let handle = *self;
        self.handle = None;
        handle
    }
}

impl<T: Copy> std::ops::Deref for Owned<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        match &self.handle {
            Some(handle) => handle,
            None => unreachable!("the reference was given up"),
        }
    }
}

impl<T: Copy> Drop for Owned<'_, T> {
    fn drop(&mut self) {
        if let Some(Err(error)) = self.handle.map(|handle| (self.release)(self.env, handle)) {
            self.env.late.borrow_mut().push(error);
        }
    }
}

macro_rules! owners {
    ($($(#[$doc:meta])* $name:ident $handle:ident $release:ident;)*) => {
        impl Env { $(
            $(#[$doc])*
            pub(crate) fn $name(&self, handle: $handle) -> Owned<'_, $handle> {
                Owned { env: self, handle: Some(handle), release: |env, handle| call!(env, $release(handle)) }
            }
        )* }
    };
}

owners! {
    /// Takes over one reference.
    own_device pi_device piDeviceRelease;
    /// Takes over one reference.
    own_context pi_context piContextRelease;
    /// Takes over one reference.
    own_queue pi_queue piQueueRelease;
    /// Takes over one reference.
    own_mem pi_mem piMemRelease;
    /// Takes over one reference.
    own_program pi_program piProgramRelease;
    /// Takes over one reference.
    own_kernel pi_kernel piKernelRelease;
    /// Takes over one reference.
    own_event pi_event piEventRelease;
    /// Takes over one reference.
    own_sampler pi_sampler piSamplerRelease;
    /// Takes over one reference.
    own_command_buffer pi_ext_command_buffer piextCommandBufferRelease;
}
