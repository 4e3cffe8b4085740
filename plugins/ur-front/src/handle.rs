//! Handles: a counted object of this crate around each object of a backend.
//!
//! From 2025.3 on a loader reads the first word of every handle: there it expects the address of its own table of functions,
//! which it passed when it connected. So no driver's object can be a handle. Each handle carries its loader's word and its
//! layout, and hands both to the handles that are made from it.
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
use crate::kept_context::KeptContext;
use crate::known;

/// Which loader a handle belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// What the loader finds in the first word of the handle.
    pub word: usize,
    /// The layout that the loader speaks.
    pub layout: Layout,
}

impl Origin {
    /// Both as one number: another loader may have its tables later where this one had them.
    pub(crate) fn key(self) -> usize {
        self.word + self.layout as usize
    }
}

/// A kind of handle: UR's type for it, named by the neutral type.
pub trait Kind: 'static {
    /// What UR's handle points to.
    type Ur;
    /// Whether a query may ask for the handle of an object that only its backend names.
    const IS_LOOKED_UP: bool;
    /// What this front keeps with an object of the kind.
    type Kept: Default + Send + Sync;
    /// Whether the handle still has its reference to the object.
    fn has_reference(_: &Self::Kept) -> bool {
        true
    }
    /// The kind's blocks.
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

// An event tells whether it is of a run of a graph.
kinds! {
    RawPlatform ur_platform_handle_t_ true ();
    RawDevice ur_device_handle_t_ true ();
    RawContext ur_context_handle_t_ true KeptContext, KeptContext::has_reference;
    RawQueue ur_queue_handle_t_ true CaptureSlot;
    RawMem ur_mem_handle_t_ false ();
    RawProgram ur_program_handle_t_ true ();
    RawKernel ur_kernel_handle_t_ false ();
    RawEvent ur_event_handle_t_ false AtomicBool;
    RawSampler ur_sampler_handle_t_ false ();
    RawCommandBuffer ur_exp_command_buffer_handle_t_ false ();
}

/// An object whose handle UR has a type for.
pub trait UrObject: Object<Raw: Kind> {}
impl<T: Object<Raw: Kind>> UrObject for T {}

/// UR's handle of an object.
pub type UrHandle<T> = *mut <<T as Object>::Raw as Kind>::Ur;

/// What is behind a handle: one reference to an object of the backend.
pub type Handle<T> = Counted<Reference<T>>;

/// One reference to an object of a backend, given back when the handle goes.
pub struct Reference<T: UrObject> {
    raw: NonNull<T::Raw>,
    origin: Origin,
    /// Platforms and devices of a platform live as long as the process, and nobody counts them.
    is_permanent: bool,
    /// Whether this handle is the known one of its object.
    is_known: bool,
    kept: <T::Raw as Kind>::Kept,
    /// The handle that this one was made from. Queries name it as long as this one lives. Events do without: a queue may
    /// have many, and they are made often.
    _parent: Option<AnyShared>,
}

impl<T: UrObject> fmt::Debug for Reference<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reference").field(&self.raw).finish()
    }
}

// SAFETY: objects of a backend are used by any thread, as the traits' callers do.
unsafe impl<T: UrObject> Send for Reference<T> {}
// SAFETY: same as above.
unsafe impl<T: UrObject> Sync for Reference<T> {}

// SAFETY: a library has one backend, and that one object for each raw type: the blocks are those of one kind.
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
    /// Takes over the reference that a backend has just made.
    pub(crate) fn from_new(new: New<T>, origin: Origin) -> Option<Self> {
        let raw = NonNull::new(new.into_raw())?;
        Some(Self::new(raw, origin, false, None))
    }

    fn new(raw: NonNull<T::Raw>, origin: Origin, is_known: bool, parent: Option<AnyShared>) -> Self {
        Self { raw, origin, is_permanent: false, is_known, kept: Default::default(), _parent: parent }
    }

    /// What this front keeps with the object.
    pub(crate) fn kept(&self) -> &<T::Raw as Kind>::Kept {
        &self.kept
    }

    /// Another handle may be the known one of the object from now on.
    pub(crate) fn forget(&self) {
        if self.is_known {
            known::forget(self.raw.addr().get(), self.origin.key());
        }
    }

    /// The layout that the loader of the handle speaks.
    pub(crate) fn layout(&self) -> Layout {
        self.origin.layout
    }
}

impl<T: UrObject> Deref for Reference<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: a live object of the backend, of which this is a reference: `Object` promises a valid `&T` for it.
        unsafe { self.raw.cast::<T>().as_ref() }
    }
}

impl<T: UrObject> Drop for Reference<T> {
    fn drop(&mut self) {
        if !T::Raw::has_reference(&self.kept) {
            return;
        }
        self.forget();
        // SAFETY: the reference is this object's own.
        if let Err(error) = unsafe { T::release(self) } {
            // At the end of a process drivers refuse it, and there is nobody to tell.
            log::debug!("the driver does not release a {}: {error}", T::NAME);
        }
    }
}

/// The loader of a handle.
pub fn origin<T: UrObject>(handle: &Handle<T>) -> Origin {
    handle.origin
}

/// A handle for a new object of the backend, whose reference it takes over.
pub fn adopt<T: UrObject>(new: New<T>, origin: Origin) -> UrHandle<T> {
    let Some(raw) = NonNull::new(new.into_raw()) else { return std::ptr::null_mut() };
    create::<T>(raw, origin, None)
}

/// As [`adopt`], and the parent's handle lives as long as the new one.
pub fn adopt_child<T: UrObject, P: UrObject>(new: New<T>, parent: &Handle<P>) -> UrHandle<T> {
    let Some(raw) = NonNull::new(new.into_raw()) else { return std::ptr::null_mut() };
    create::<T>(raw, parent.origin, Some(parent.share().into()))
}

/// The handle of a platform or of a platform's device: the same for each call.
pub fn permanent<T: UrObject>(raw: *mut T::Raw, origin: Origin) -> UrHandle<T> {
    let Some(raw) = NonNull::new(raw) else { return std::ptr::null_mut() };
    let make = || {
        let mut reference = Reference::<T>::new(raw, origin, true, None);
        reference.is_permanent = true;
        make(reference)
    };
    known::get_or_insert(raw.addr().get(), origin.key(), || make().expose_provenance()).cast()
}

fn create<T: UrObject>(raw: NonNull<T::Raw>, origin: Origin, parent: Option<AnyShared>) -> UrHandle<T> {
    let make = |is_known| make(Reference::<T>::new(raw, origin, is_known, parent));
    if !T::Raw::IS_LOOKED_UP {
        return make(false);
    }
    // Only one handle of an object is the known one.
    known::make_known(raw.addr().get(), origin.key(), |is_known| make(is_known).expose_provenance()).cast()
}

fn make<T: UrObject>(reference: Reference<T>) -> UrHandle<T> {
    Counted::create_with_front_word(reference.origin.word, reference).into_raw()
}

/// What `ur...Retain` and `ur...Release` do.
pub(crate) trait ByCaller {
    /// One reference more.
    fn retain_by_caller(&self) -> Result<()>;
    /// One reference less.
    ///
    /// # Safety
    ///
    /// As for [`Object::release`].
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

/// The handle of an object that a caller named by its driver's handle: the known one, or a new one.
pub(crate) fn known_or_adopted<T: UrObject>(new: New<T>, origin: Origin) -> Result<UrHandle<T>> {
    let raw = new.into_raw();
    let known: UrHandle<T> = known::get(raw.addr(), origin.key()).cast();
    // SAFETY: the reference of `new`.
    let Some(new) = (unsafe { New::<T>::from_raw(raw) }) else { return Ok(known) };
    if known.is_null() {
        return Ok(adopt(new, origin));
    }
    // The reference goes back; the known handle has one of its own.
    drop(Reference::<T>::from_new(new, origin));
    // SAFETY: a handle of this front that is live, as it is known.
    unsafe { sycl_pi_backend::view::object::<Handle<T>>(known, "the known handle")? }.retain_by_caller()?;
    Ok(known)
}
