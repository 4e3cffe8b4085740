//! Counted handles: objects of the plugin's own, with a kind and a reference count.
//!
//! For backends whose driver keeps no counts (Level Zero, CUDA), and for objects that a driver does not have. A handle is the
//! address of a [`Counted`]. It holds a tag of its kind, which is cleared with the last reference. So null handles,
//! handles of another kind and released ones are recognised, and answer that kind's error code. The first word belongs to
//! the front: loaders of Unified Runtime look for a pointer of theirs there.
//!
//! Blocks of released objects are never given back to the allocator: reading a stale handle always reads memory of this module.
//! A block is used again only after many others, so that a stale handle stays recognisable for long.
//!
//! Objects that need others (a queue its context) hold [`Shared`] references to them: children keep parents alive.
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

/// The count of an object that was retained more often than can be counted.
const STAYS: u32 = 0xc000_0000;

/// Whether a count has left the half of its range in which it is exact.
#[inline(always)]
const fn is_beyond_counting(count: u32) -> bool {
    count > u32::MAX / 2
}

/// Released blocks that wait at least until one of them is used again.
pub(crate) const RESTING: usize = 256;

/// What is behind a counted handle of one kind. [`counted_kinds!`](crate::counted_kinds) implements it.
///
/// Safe code cannot give one kind's blocks to another:
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
/// No other kind in the process has the blocks that [`blocks`](Self::blocks) gives: their address tells kinds apart, and a released
/// block is used again for a value of the same size.
pub unsafe trait CountedKind: Send + Sync + Sized + 'static {
    /// The opaque type that the handle points to in the interface, `RawQueue` for instance.
    type Raw;
    /// What a call answers when this kind is expected and something else is given.
    const INVALID: ErrorCode;
    /// The kind's name in error texts.
    const NAME: &'static str;

    /// Called for each retain of a caller, and tells whether to count it. An object that lives as long as the process is not counted.
    fn on_retain(&self) -> bool {
        true
    }

    /// Called for each release of a caller, and tells whether to count it.
    fn on_release(&self) -> bool {
        true
    }

    /// The kind's blocks: one `static` per kind. Its address is the tag of the kind's live objects.
    fn blocks() -> &'static Blocks;
}

/// Blocks of released objects of one kind, to be used again.
///
/// Every event of every command passes here twice; the lock is held for a push or a pop only.
pub struct Blocks {
    released: Mutex<VecDeque<usize>>,
}

impl Blocks {
    /// No blocks yet.
    pub const fn new() -> Self {
        Self { released: Mutex::new(VecDeque::new()) }
    }

    fn tag(&'static self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// The block that was released longest ago, if enough others rest.
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

/// What every counted object starts with, whatever its kind.
#[repr(C)]
struct Header {
    /// The front's own word. It is set when the object is made and never changes.
    front: usize,
    /// The kind's tag while the object lives, 0 afterwards.
    tag: AtomicUsize,
}

// SAFETY: the value is `Send` and `Sync` (see `CountedKind`); it is only shared while it lives and dropped once, by the thread
// that gives back the last reference.
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
            // SAFETY: as the caller says.
            unsafe { Counted::release(self) };
        }
        Ok(())
    }

    #[inline(always)]
    unsafe fn is_live(raw: NonNull<T::Raw>) -> bool {
        let header = raw.cast::<Header>();
        // SAFETY: aligned, and a handle: memory of a live object of some kind, or a block of a released one.
        header.is_aligned() && unsafe { header.as_ref() }.tag.load(Ordering::Acquire) == T::blocks().tag()
    }
}

impl<T: CountedKind> Counted<T> {
    /// A new object with one reference, on its way to the caller.
    #[inline(always)]
    pub fn create(value: T) -> New<Self> {
        New(Self::allocate(0, value).cast())
    }

    /// As [`create`](Self::create), with the front's word in front.
    #[inline(always)]
    pub fn create_with_front_word(front: usize, value: T) -> New<Self> {
        New(Self::allocate(front, value).cast())
    }

    /// A new object with one reference, held by the plugin itself.
    pub fn share_new(value: T) -> Shared<T> {
        Shared { object: Self::allocate(0, value) }
    }

    // In line, so that the value's parts are stored where they stay: on the way through another place, a processor waits
    // for small stores before it loads larger pieces of them.
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
        // SAFETY: a new block, or one of this kind whose value is gone; nobody has a handle of it.
        unsafe { block.write(fresh) };
        block
    }

    /// Memory for one object more.
    #[cold]
    #[inline(never)]
    fn block() -> NonNull<Self> {
        NonNull::from(Box::leak(Box::<Self>::new_uninit())).cast()
    }

    /// One reference more. An object that was retained more often than can be counted stays for ever.
    #[inline(always)]
    pub fn retain(&self) {
        if is_beyond_counting(self.count.fetch_add(1, Ordering::Relaxed)) {
            self.stay_for_ever();
        }
    }

    /// One reference less. With the last one the value is dropped and the handle is dead.
    ///
    /// # Safety
    ///
    /// The reference is the caller's to give back, and `self` is not used after it: it is what the caller of an interface passes to
    /// the `...Release` call of the kind, or a [`New`] that nobody has got.
    #[inline(always)]
    pub unsafe fn release(&self) {
        // What other threads did with the value is before its end. Not a fence: ThreadSanitizer does not see fences.
        let before = self.count.fetch_sub(1, Ordering::AcqRel);
        if before == 1 {
            self.free();
        } else if is_beyond_counting(before) {
            self.stay_for_ever();
        }
    }

    /// Sets the count in the middle between one that is exact and one that overflows: many threads may be about to change it.
    #[cold]
    #[inline(never)]
    fn stay_for_ever(&self) {
        self.count.store(STAYS, Ordering::Relaxed);
    }

    #[cold]
    #[inline(never)]
    fn free(&self) {
        self.header.tag.store(0, Ordering::Release);
        // SAFETY: that was the last reference, so nobody else looks at the value, and nobody will.
        unsafe { ManuallyDrop::drop(&mut *self.value.get()) };
        T::blocks().put(std::ptr::from_ref(self).expose_provenance());
    }

    /// The number of references, for `..._INFO_REFERENCE_COUNT`.
    pub fn reference_count(&self) -> u32 {
        self.count.load(Ordering::Relaxed)
    }

    /// Makes the count what that many references would have made it.
    #[cfg(test)]
    pub(crate) fn count_as(&self, references: u32) {
        self.count.store(references, Ordering::Relaxed);
    }

    /// The front's word of this object: 0 where none was given.
    #[inline(always)]
    pub fn front_word(&self) -> usize {
        self.header.front
    }

    /// The handle of this object, without a reference of its own.
    pub fn handle(&self) -> *mut T::Raw {
        std::ptr::from_ref(self).cast_mut().cast()
    }

    /// One more reference, on its way to the caller.
    pub fn new_reference(&self) -> New<Self> {
        if self.on_retain() {
            self.retain();
        }
        New(NonNull::from(self).cast())
    }

    /// One more reference, given back when it is dropped.
    pub fn share(&self) -> Shared<T> {
        self.retain();
        Shared { object: NonNull::from(self) }
    }
}

impl<T: CountedKind> Deref for Counted<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: a `&Counted<T>` is a reference to a live object; the value is dropped with the last one.
        unsafe { &*self.value.get() }
    }
}

/// One reference to a counted object, given back when it is dropped.
pub struct Shared<T: CountedKind> {
    object: NonNull<Counted<T>>,
}

impl<T: CountedKind> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

// SAFETY: a reference to an object that is `Send` and `Sync`.
unsafe impl<T: CountedKind> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: CountedKind> Sync for Shared<T> {}

impl<T: CountedKind> Deref for Shared<T> {
    type Target = Counted<T>;

    #[inline(always)]
    fn deref(&self) -> &Counted<T> {
        // SAFETY: the object lives as long as this reference to it.
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
        // SAFETY: the reference is this object's own.
        unsafe { self.release() };
    }
}

/// One reference to a counted object of whatever kind, given back when it is dropped.
#[derive(Debug)]
pub struct AnyShared {
    object: NonNull<()>,
    release: unsafe fn(NonNull<()>),
}

// SAFETY: a reference to an object that is `Send` and `Sync`.
unsafe impl Send for AnyShared {}
// SAFETY: as above.
unsafe impl Sync for AnyShared {}

impl<T: CountedKind> From<Shared<T>> for AnyShared {
    fn from(shared: Shared<T>) -> Self {
        /// # Safety
        ///
        /// `object` is a `Counted<T>`, and one of its references goes.
        unsafe fn release<T: CountedKind>(object: NonNull<()>) {
            // SAFETY: it lives as long as its references, of which this one is given back.
            unsafe { object.cast::<Counted<T>>().as_ref().release() };
        }
        let shared = ManuallyDrop::new(shared);
        Self { object: shared.object.cast(), release: release::<T> }
    }
}

impl Drop for AnyShared {
    fn drop(&mut self) {
        // SAFETY: the function for the object's kind, with the reference that was taken over.
        unsafe { (self.release)(self.object) };
    }
}

/// Makes types the contents of counted objects. Each is given with the opaque type of its handle, the error code of a
/// wrong handle, and its name in messages. `on_retain` and `on_release` follow in braces where not every call is counted.
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
/// Safe code gives no reference back that it may not:
///
/// ```compile_fail,E0133
/// struct Queue;
/// sycl_pi_backend::counted_kinds!(Queue: RawQueue, INVALID_QUEUE, "queue";);
/// sycl_pi_backend::Counted::share_new(Queue).release();
/// ```
#[macro_export]
macro_rules! counted_kinds {
    ($($type:ty: $raw:ident, $invalid:ident, $name:literal $({ $($hook:item)* })?;)*) => { $(
        // SAFETY: the blocks are in a static of this implementation, and nothing else names them.
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
