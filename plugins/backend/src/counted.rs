//! Counted handles: objects that the plugin itself owns, with a kind and a reference count.
//!
//! They are for backends whose driver keeps no reference counts (Level Zero, CUDA), and for objects that a driver does
//! not have. A handle is the address of a [`Counted`], which contains a tag that identifies its kind and is cleared
//! when the last reference is released. Null handles, handles of another kind and released handles are therefore
//! recognized, and the call returns the error code of the expected kind. The first word belongs to the front, because
//! loaders of Unified Runtime expect a pointer of theirs there.
//!
//! Blocks of released objects are never returned to the allocator, so that a stale handle always points to memory of
//! this module. A block is reused only after many others, so that a stale handle stays recognizable for a long time.
//!
//! Objects that depend on others (such as a queue on its context) hold [`Shared`] references to them. Children thus
//! keep their parents alive.
#![expect(unsafe_code, reason = "objects whose references C code counts")]

use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr::{NonNull, with_exposed_provenance_mut};

use crate::types::ErrorCode;

use crate::sync::{AtomicU32, AtomicUsize, Mutex, Ordering};
use crate::{New, Object, Result};

/// The count of an object that was retained too often to be counted.
const STAYS: u32 = 0xc000_0000;

/// Returns whether a count has left the half of its range in which it is exact.
#[inline(always)]
const fn is_beyond_counting(count: u32) -> bool {
    count > u32::MAX / 2
}

/// The minimum number of released blocks that must be waiting before one of them is reused.
pub(crate) const RESTING: usize = 256;

/// The content of a counted handle of one kind. Implemented by [`counted_kinds!`](crate::counted_kinds).
///
/// Safe code cannot use the blocks of one kind for another:
///
/// ```compile_fail,E0200
/// struct Queue;
/// impl sycl_pi_backend::CountedKind for Queue {
///     type Raw = sycl_pi_backend::raw::RawQueue;
///     const INVALID: sycl_pi_backend::types::ErrorCode = sycl_pi_backend::types::ErrorCode::INVALID_QUEUE;
///     const NAME: &'static str = "queue";
///     fn blocks() -> &'static sycl_pi_backend::Blocks {
///         static BLOCKS: sycl_pi_backend::Blocks = sycl_pi_backend::Blocks::new();
///         &BLOCKS
///     }
/// }
/// ```
///
/// # Safety
///
/// No other kind in the process may use the blocks that [`blocks`](Self::blocks) returns, because their address
/// identifies the kind, and a released block is reused for a value of the same size.
pub unsafe trait CountedKind: Send + Sync + Sized + 'static {
    /// The opaque type that the handle points to in the interface, for example `RawQueue`.
    type Raw;
    /// The error code of a call that expects this kind but gets something else.
    const INVALID: ErrorCode;
    /// The name of the kind in error messages.
    const NAME: &'static str;

    /// Called for each retain by a caller. Returns whether to count it: an object that lives as long as the process is
    /// not counted.
    fn on_retain(&self) -> bool {
        true
    }

    /// Called for each release by a caller. Returns whether to count it.
    fn on_release(&self) -> bool {
        true
    }

    /// Returns the blocks of the kind, one `static` per kind. Its address is the tag of the kind's live objects.
    fn blocks() -> &'static Blocks;
}

/// Blocks of released objects of one kind, kept for reuse.
///
/// Every event of every command passes through here twice, so the lock is held only for a push or a pop.
pub struct Blocks {
    released: Mutex<VecDeque<usize>>,
}

impl Blocks {
    /// Creates an empty set of blocks.
    pub const fn new() -> Self {
        Self { released: Mutex::new(VecDeque::new()) }
    }

    fn tag(&'static self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// Takes the block that was released longest ago, if enough others are waiting.
    #[inline(always)]
    fn take(&self) -> Option<usize> {
        let mut released = self.released.lock();
        if released.len() > RESTING { released.pop_front() } else { None }
    }

    fn put(&self, block: usize) {
        self.released.lock().push_back(block);
    }
}

impl fmt::Debug for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blocks").field("released", &self.released.lock().len()).finish()
    }
}

impl Default for Blocks {
    fn default() -> Self {
        Self::new()
    }
}

/// An object behind a counted handle.
#[repr(C)]
pub struct Counted<T: CountedKind> {
    header: Header,
    count: AtomicU32,
    value: UnsafeCell<ManuallyDrop<T>>,
}

impl<T: CountedKind> fmt::Debug for Counted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:p}", std::any::type_name::<T>(), self)
    }
}

/// The common header of all counted objects, whatever their kind.
#[repr(C)]
struct Header {
    /// The word that belongs to the front. It is set when the object is created and never changes.
    front: usize,
    /// The tag of the kind while the object is alive, 0 afterwards.
    tag: AtomicUsize,
}

// SAFETY: the value is `Send` and `Sync` (see `CountedKind`). It is shared only while it is alive, and dropped once, by
// the thread that releases the last reference.
unsafe impl<T: CountedKind> Sync for Counted<T> {}

// SAFETY: a handle that `is_live` accepts carries the tag of this kind, which only blocks of `Counted<T>` with a live
// value carry.
unsafe impl<T: CountedKind> Object for Counted<T> {
    type Raw = T::Raw;
    const INVALID: ErrorCode = T::INVALID;
    const NAME: &'static str = T::NAME;

    fn retain(&self) -> Result<()> {
        if self.on_retain() {
            Counted::retain(self);
        }
        Ok(())
    }

    unsafe fn release(&self) -> Result<()> {
        if self.on_release() {
            // SAFETY: guaranteed by the caller.
            unsafe { Counted::release(self) };
        }
        Ok(())
    }

    #[inline(always)]
    unsafe fn is_live(raw: NonNull<T::Raw>) -> bool {
        let header = raw.cast::<Header>();
        // SAFETY: an aligned handle points to a live object of some kind, or to the block of a released one.
        header.is_aligned() && unsafe { header.as_ref() }.tag.load(Ordering::Acquire) == T::blocks().tag()
    }
}

impl<T: CountedKind> Counted<T> {
    /// Creates an object with one reference, which will be returned to the caller.
    #[inline(always)]
    pub fn create(value: T) -> New<Self> {
        New(Self::allocate(0, value).cast())
    }

    /// Creates an object like [`create`](Self::create) does, with the given word for the front.
    #[inline(always)]
    pub fn create_with_front_word(front: usize, value: T) -> New<Self> {
        New(Self::allocate(front, value).cast())
    }

    /// Creates an object with one reference, which the plugin itself holds.
    pub fn share_new(value: T) -> Shared<T> {
        Shared { object: Self::allocate(0, value) }
    }

    // Inlined, so that the parts of the value are stored directly in their final place. If the value were moved through
    // another place, the processor would wait for the small stores before it could load larger pieces of them.
    #[inline(always)]
    fn allocate(front: usize, value: T) -> NonNull<Self> {
        let block =
            match T::blocks().take().and_then(|block| NonNull::new(with_exposed_provenance_mut(block))) {
                Some(block) => block,
                None => Self::block(),
            };
        let fresh = Self {
            header: Header { front, tag: AtomicUsize::new(T::blocks().tag()) },
            count: AtomicU32::new(1),
            value: UnsafeCell::new(ManuallyDrop::new(value)),
        };
        // SAFETY: the block is new, or it belongs to this kind and its value was dropped. No handle to it exists.
        unsafe { block.write(fresh) };
        block
    }

    /// Allocates memory for one more object.
    #[cold]
    #[inline(never)]
    fn block() -> NonNull<Self> {
        NonNull::from(Box::leak(Box::<Self>::new_uninit())).cast()
    }

    /// Adds a reference. An object that is retained too often to be counted is never freed.
    #[inline(always)]
    pub fn retain(&self) {
        if is_beyond_counting(self.count.fetch_add(1, Ordering::Relaxed)) {
            self.stay_for_ever();
        }
    }

    /// Releases a reference. The last release drops the value and invalidates the handle.
    ///
    /// # Safety
    ///
    /// The caller must own the reference and must not use `self` afterwards. It is either the reference that the caller
    /// of an interface passes to the `...Release` call of the kind, or a [`New`] that was never returned to anyone.
    #[inline(always)]
    pub unsafe fn release(&self) {
        // Everything that other threads did with the value happens before it is dropped. This is not a fence because
        // ThreadSanitizer does not see fences.
        let before = self.count.fetch_sub(1, Ordering::AcqRel);
        if before == 1 {
            self.free();
        } else if is_beyond_counting(before) {
            self.stay_for_ever();
        }
    }

    /// Sets the count halfway between exact counts and overflow, because many threads may be about to change it.
    #[cold]
    #[inline(never)]
    fn stay_for_ever(&self) {
        self.count.store(STAYS, Ordering::Relaxed);
    }

    #[cold]
    #[inline(never)]
    fn free(&self) {
        self.header.tag.store(0, Ordering::Release);
        // SAFETY: that was the last reference, so no other thread accesses the value, now or later.
        unsafe { ManuallyDrop::drop(&mut *self.value.get()) };
        T::blocks().put(std::ptr::from_ref(self).expose_provenance());
    }

    /// Returns the number of references, for `..._INFO_REFERENCE_COUNT`.
    pub fn reference_count(&self) -> u32 {
        self.count.load(Ordering::Relaxed)
    }

    /// Sets the count as if that many references existed.
    #[cfg(test)]
    pub(crate) fn count_as(&self, references: u32) {
        self.count.store(references, Ordering::Relaxed);
    }

    /// Returns the front's word of this object, or 0 if none was given.
    #[inline(always)]
    pub fn front_word(&self) -> usize {
        self.header.front
    }

    /// Returns the handle of this object without adding a reference.
    pub fn handle(&self) -> *mut T::Raw {
        std::ptr::from_ref(self).cast_mut().cast()
    }

    /// Adds a reference, which will be returned to the caller.
    pub fn new_reference(&self) -> New<Self> {
        if self.on_retain() {
            self.retain();
        }
        New(NonNull::from(self).cast())
    }

    /// Adds a reference, which is released when the result is dropped.
    pub fn share(&self) -> Shared<T> {
        self.retain();
        Shared { object: NonNull::from(self) }
    }
}

impl<T: CountedKind> Deref for Counted<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: a `&Counted<T>` refers to a live object, whose value is dropped only with the last reference.
        unsafe { &*self.value.get() }
    }
}

/// One reference to a counted object, released on drop.
pub struct Shared<T: CountedKind> {
    object: NonNull<Counted<T>>,
}

impl<T: CountedKind> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

// SAFETY: this is a reference to an object that is `Send` and `Sync`.
unsafe impl<T: CountedKind> Send for Shared<T> {}
// SAFETY: same as above.
unsafe impl<T: CountedKind> Sync for Shared<T> {}

impl<T: CountedKind> Deref for Shared<T> {
    type Target = Counted<T>;

    #[inline(always)]
    fn deref(&self) -> &Counted<T> {
        // SAFETY: the object is alive as long as this reference to it.
        unsafe { self.object.as_ref() }
    }
}

impl<T: CountedKind> Clone for Shared<T> {
    fn clone(&self) -> Self {
        self.share()
    }
}

impl<T: CountedKind> Drop for Shared<T> {
    fn drop(&mut self) {
        // SAFETY: this object owns the reference.
        unsafe { self.release() };
    }
}

/// One reference to a counted object of any kind, released on drop.
#[derive(Debug)]
pub struct AnyShared {
    object: NonNull<()>,
    release: unsafe fn(NonNull<()>),
}

// SAFETY: this is a reference to an object that is `Send` and `Sync`.
unsafe impl Send for AnyShared {}
// SAFETY: same as above.
unsafe impl Sync for AnyShared {}

impl<T: CountedKind> From<Shared<T>> for AnyShared {
    fn from(shared: Shared<T>) -> Self {
        /// # Safety
        ///
        /// `object` must be a `Counted<T>`, of which the caller gives up one reference.
        unsafe fn release<T: CountedKind>(object: NonNull<()>) {
            // SAFETY: the object is alive as long as its references, of which this one is released here.
            unsafe { object.cast::<Counted<T>>().as_ref().release() };
        }
        let shared = ManuallyDrop::new(shared);
        Self { object: shared.object.cast(), release: release::<T> }
    }
}

impl Drop for AnyShared {
    fn drop(&mut self) {
        // SAFETY: the function belongs to the kind of the object, and its reference was taken over.
        unsafe { (self.release)(self.object) };
    }
}

/// Makes types the contents of counted objects. Each type is listed with the opaque type of its handle, the error code
/// for a wrong handle, and its name in messages. `on_retain` and `on_release` follow in braces if not every call is
/// counted.
///
/// ```
/// #![forbid(unsafe_code)]
/// struct Queue;
/// sycl_pi_backend::counted_kinds! {
///     Queue: RawQueue, INVALID_QUEUE, "queue";
/// }
/// let queue: sycl_pi_backend::Shared<Queue> = sycl_pi_backend::Counted::share_new(Queue);
/// assert_eq!(queue.reference_count(), 1);
/// ```
///
/// Safe code cannot release a reference that it does not own:
///
/// ```compile_fail,E0133
/// struct Queue;
/// sycl_pi_backend::counted_kinds!(Queue: RawQueue, INVALID_QUEUE, "queue";);
/// sycl_pi_backend::Counted::share_new(Queue).release();
/// ```
#[macro_export]
macro_rules! counted_kinds {
    ($($type:ty: $raw:ident, $invalid:ident, $name:literal $({ $($hook:item)* })?;)*) => { $(
        // SAFETY: the blocks are in a static of this implementation, which nothing else can name.
        unsafe impl $crate::CountedKind for $type {
            type Raw = $crate::raw::$raw;
            const INVALID: $crate::types::ErrorCode = $crate::types::ErrorCode::$invalid;
            const NAME: &'static str = $name;

            fn blocks() -> &'static $crate::Blocks {
                static BLOCKS: $crate::Blocks = $crate::Blocks::new();
                &BLOCKS
            }

            $($($hook)*)?
        }
    )* };
}
