//! Handles, in which each object of a backend is wrapped in a counted object of this crate.
//!
//! Since 2025.3, a loader reads the first word of every handle and expects it to be the address of its own table of
//! functions, which it passed when it connected. A driver's object therefore cannot serve as a handle. Each handle
//! stores its loader's word and layout, and passes both to the handles that are created from it.
#![expect(unsafe_code, reason = "handles that C code holds")]

use std::fmt;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::AtomicBool;

use sycl_pi_backend::raw::*;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{AnyShared, Blocks, Counted, CountedKind, New, Object, Result};
use sycl_ur_core::*;

use crate::capture::slot::CaptureSlot;
use crate::context_ownership::ContextOwnership;
use crate::handle_map;

/// The loader that a handle belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The word that the loader expects at the start of the handle.
    pub word: usize,
    /// The layout that the loader uses.
    pub layout: Layout,
}

impl Origin {
    /// Combines both into one number, because another loader may later have its tables at the same address.
    pub(crate) fn key(self) -> usize {
        self.word + self.layout as usize
    }
}

/// A kind of handle. It maps the neutral type to UR's type.
pub trait Kind: 'static {
    /// The type that UR's handle points to.
    type Ur;
    /// Whether a query may return the handle of an object that only the backend knows.
    const IS_LOOKED_UP: bool;
    /// Data that this front stores with an object of this kind.
    type Kept: Default + Send + Sync;
    /// Returns whether the handle still holds its reference to the object.
    fn has_reference(_: &Self::Kept) -> bool {
        true
    }
    /// Returns the blocks of the kind.
    fn blocks() -> &'static Blocks;
}

macro_rules! kinds {
    ($($raw:ident $ur:ident $looked_up:literal $kept:ty $(, $has_reference:path)?;)*) => { $(
        impl Kind for $raw {
            type Ur = $ur;
            type Kept = $kept;
            const IS_LOOKED_UP: bool = $looked_up;
            $(fn has_reference(kept: &$kept) -> bool {
                $has_reference(kept)
            })?
            fn blocks() -> &'static Blocks {
                static BLOCKS: Blocks = Blocks::new();
                &BLOCKS
            }
        }
    )* };
}

// The flag of an event states whether it belongs to a run of a graph.
kinds! {
    RawPlatform ur_platform_handle_t_ true ();
    RawDevice ur_device_handle_t_ true ();
    RawContext ur_context_handle_t_ true ContextOwnership, ContextOwnership::has_reference;
    RawQueue ur_queue_handle_t_ true CaptureSlot;
    RawMem ur_mem_handle_t_ false ();
    RawProgram ur_program_handle_t_ true ();
    RawKernel ur_kernel_handle_t_ false ();
    RawEvent ur_event_handle_t_ false AtomicBool;
    RawSampler ur_sampler_handle_t_ false ();
    RawCommandBuffer ur_exp_command_buffer_handle_t_ false ();
}

/// An object that has a handle type in UR.
pub trait UrObject: Object<Raw: Kind> {}
impl<T: Object<Raw: Kind>> UrObject for T {}

/// UR's handle of an object.
pub type UrHandle<T> = *mut <<T as Object>::Raw as Kind>::Ur;

/// A handle, which contains one reference to an object of the backend.
pub type Handle<T> = Counted<Reference<T>>;

/// One reference to an object of a backend, which is released when the handle is destroyed.
pub struct Reference<T: UrObject> {
    raw: NonNull<T::Raw>,
    origin: Origin,
    /// Platforms and their root devices live as long as the process, so they are not counted.
    is_permanent: bool,
    /// Whether this handle is the registered one of its object.
    is_known: bool,
    kept: <T::Raw as Kind>::Kept,
    /// The handle that this one was created from. Queries return it as long as this one is alive. Events do not store
    /// it, because a queue may have many of them, and they are created often.
    _parent: Option<AnyShared>,
}

impl<T: UrObject> fmt::Debug for Reference<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reference").field(&self.raw).finish()
    }
}

// SAFETY: objects of a backend may be used by any thread, as the traits allow.
unsafe impl<T: UrObject> Send for Reference<T> {}
// SAFETY: same as above.
unsafe impl<T: UrObject> Sync for Reference<T> {}

// SAFETY: each library has one backend, which has one object type for each raw type, so the blocks belong to one kind.
unsafe impl<T: UrObject> CountedKind for Reference<T> {
    type Raw = <T::Raw as Kind>::Ur;
    const INVALID: ErrorCode = T::INVALID;
    const NAME: &'static str = T::NAME;

    fn on_retain(&self) -> bool {
        !self.is_permanent
    }

    fn on_release(&self) -> bool {
        !self.is_permanent
    }

    fn blocks() -> &'static Blocks {
        T::Raw::blocks()
    }
}

impl<T: UrObject> Reference<T> {
    /// Takes over a reference that a backend has just created.
    pub(crate) fn from_new(new: New<T>, origin: Origin) -> Option<Self> {
        let raw = NonNull::new(new.into_raw())?;
        Some(Self::new(raw, origin, false, None))
    }

    fn new(raw: NonNull<T::Raw>, origin: Origin, is_known: bool, parent: Option<AnyShared>) -> Self {
        Self { raw, origin, is_permanent: false, is_known, kept: Default::default(), _parent: parent }
    }

    /// Returns the data that this front stores with the object.
    pub(crate) fn kept(&self) -> &<T::Raw as Kind>::Kept {
        &self.kept
    }

    /// Unregisters this handle, so that another one may become the registered one of the object.
    pub(crate) fn forget(&self) {
        if self.is_known {
            handle_map::remove(self.raw.addr().get(), self.origin.key());
        }
    }

    /// Returns the layout of the handle's loader.
    pub(crate) fn layout(&self) -> Layout {
        self.origin.layout
    }
}

impl<T: UrObject> Deref for Reference<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: this is a reference to a live object of the backend, for which `Object` guarantees a valid `&T`.
        unsafe { self.raw.cast::<T>().as_ref() }
    }
}

impl<T: UrObject> Drop for Reference<T> {
    fn drop(&mut self) {
        if !T::Raw::has_reference(&self.kept) {
            return;
        }
        self.forget();
        // SAFETY: this object owns the reference.
        if let Err(error) = unsafe { T::release(self) } {
            // At process exit, drivers may refuse this, and there is no one left to report it to.
            log::debug!("the driver did not release a {}: {error}", T::NAME);
        }
    }
}

/// Returns the loader of a handle.
pub fn origin<T: UrObject>(handle: &Handle<T>) -> Origin {
    handle.origin
}

/// Creates a handle for a new object of the backend, taking over its reference.
pub fn adopt<T: UrObject>(new: New<T>, origin: Origin) -> UrHandle<T> {
    let Some(raw) = NonNull::new(new.into_raw()) else { return std::ptr::null_mut() };
    create::<T>(raw, origin, None)
}

/// Creates a handle like [`adopt`] does, which keeps the parent's handle alive.
pub fn adopt_child<T: UrObject, P: UrObject>(new: New<T>, parent: &Handle<P>) -> UrHandle<T> {
    let Some(raw) = NonNull::new(new.into_raw()) else { return std::ptr::null_mut() };
    create::<T>(raw, parent.origin, Some(parent.share().into()))
}

/// Returns the handle of a platform or root device. It is the same for each call.
pub fn permanent<T: UrObject>(raw: *mut T::Raw, origin: Origin) -> UrHandle<T> {
    let Some(raw) = NonNull::new(raw) else { return std::ptr::null_mut() };
    let make = || {
        let mut reference = Reference::<T>::new(raw, origin, true, None);
        reference.is_permanent = true;
        make(reference)
    };
    handle_map::get_or_insert(raw.addr().get(), origin.key(), || make().expose_provenance()).cast()
}

fn create<T: UrObject>(raw: NonNull<T::Raw>, origin: Origin, parent: Option<AnyShared>) -> UrHandle<T> {
    let make = |is_known| make(Reference::<T>::new(raw, origin, is_known, parent));
    if !T::Raw::IS_LOOKED_UP {
        return make(false);
    }
    // Only one handle of an object is registered.
    handle_map::register(raw.addr().get(), origin.key(), |is_known| make(is_known).expose_provenance()).cast()
}

fn make<T: UrObject>(reference: Reference<T>) -> UrHandle<T> {
    Counted::create_with_front_word(reference.origin.word, reference).into_raw()
}

/// The operations of `ur...Retain` and `ur...Release`.
pub(crate) trait ByCaller {
    /// Adds a reference.
    fn retain_by_caller(&self) -> Result<()>;
    /// Releases a reference.
    ///
    /// # Safety
    ///
    /// Same as for [`Object::release`].
    unsafe fn release_by_caller(&self) -> Result<()>;
}

impl<T: UrObject> ByCaller for Handle<T> {
    fn retain_by_caller(&self) -> Result<()> {
        Object::retain(self)
    }

    unsafe fn release_by_caller(&self) -> Result<()> {
        // SAFETY: guaranteed by the caller.
        unsafe { Object::release(self) }
    }
}

/// Returns the handle of an object that a caller named by its native handle: the registered one, or a new one.
pub(crate) fn known_or_adopted<T: UrObject>(new: New<T>, origin: Origin) -> Result<UrHandle<T>> {
    let raw = new.into_raw();
    let known: UrHandle<T> = handle_map::get(raw.addr(), origin.key()).cast();
    // SAFETY: this is the reference of `new`.
    let Some(new) = (unsafe { New::<T>::from_raw(raw) }) else { return Ok(known) };
    if known.is_null() {
        return Ok(adopt(new, origin));
    }
    // The new reference is released, because the registered handle holds its own.
    drop(Reference::<T>::from_new(new, origin));
    // SAFETY: this is a live handle of this front, because it is registered.
    unsafe { sycl_pi_backend::view::object::<Handle<T>>(known, "the known handle")? }.retain_by_caller()?;
    Ok(known)
}
