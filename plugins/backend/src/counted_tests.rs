//! Tests of `counted.rs`, in a separate file because the models compile that file without them.
#![expect(unsafe_code, reason = "objects whose references C code counts")]

use std::sync::Arc;

use crate::raw::{RawEvent, RawQueue};
use crate::types::ErrorCode;

use crate::counted::*;
use crate::view::{object, objects};

struct Queue(Arc<()>);
struct Event(Shared<Queue>);

// SAFETY: the blocks are in a static of this implementation.
unsafe impl CountedKind for Queue {
    type Raw = RawQueue;
    const INVALID: ErrorCode = ErrorCode::INVALID_QUEUE;
    const NAME: &'static str = "queue";
    fn blocks() -> &'static Blocks {
        static BLOCKS: Blocks = Blocks::new();
        &BLOCKS
    }
}

// SAFETY: the blocks are in a static of this implementation.
unsafe impl CountedKind for Event {
    type Raw = RawEvent;
    const INVALID: ErrorCode = ErrorCode::INVALID_EVENT;
    const NAME: &'static str = "event";
    fn blocks() -> &'static Blocks {
        static BLOCKS: Blocks = Blocks::new();
        &BLOCKS
    }
}

fn queue(raw: *mut RawQueue) -> crate::Result<&'static Counted<Queue>> {
    // SAFETY: the tests pass null or a handle from `create`.
    unsafe { object::<Counted<Queue>>(raw, "queue") }
}

/// Releases the reference from `create`.
fn release(raw: *mut RawQueue) -> crate::Result<()> {
    let queue = queue(raw)?;
    // SAFETY: the tests use a handle after its release only to check that it is dead.
    unsafe { queue.release() };
    Ok(())
}

fn code<T>(result: crate::Result<T>) -> ErrorCode {
    result.map_or_else(|error| error.code(), |_| ErrorCode::SUCCESS)
}

#[test]
fn an_object_lives_until_its_last_reference_goes() -> crate::Result<()> {
    let alive = Arc::new(());
    let raw = Counted::create(Queue(alive.clone())).into_raw();
    queue(raw)?.retain();
    assert_eq!(queue(raw)?.reference_count(), 2);
    release(raw)?;
    assert_eq!(Arc::strong_count(&queue(raw)?.0), 2);
    release(raw)?;
    assert_eq!(Arc::strong_count(&alive), 1);
    Ok(())
}

#[test]
fn null_released_and_foreign_handles_answer_the_kinds_code() -> crate::Result<()> {
    assert_eq!(code(queue(std::ptr::null_mut())), ErrorCode::INVALID_QUEUE);

    let raw = Counted::create(Queue(Arc::new(()))).into_raw();
    let as_event: *mut RawEvent = raw.cast();
    // SAFETY: this is a live handle of another kind.
    let event = unsafe { object::<Counted<Event>>(as_event, "event") };
    assert_eq!(code(event), ErrorCode::INVALID_EVENT);

    release(raw)?;
    assert_eq!(code(queue(raw)), ErrorCode::INVALID_QUEUE, "released");
    let inside = raw.wrapping_byte_add(1);
    assert_eq!(code(queue(inside)), ErrorCode::INVALID_QUEUE, "misaligned");
    Ok(())
}

#[test]
fn each_handle_of_a_list_is_checked() -> crate::Result<()> {
    let [first, second] = [0, 1].map(|_| Counted::create(Queue(Arc::default())).into_raw());
    let of = |list: &[*mut RawQueue]| {
        // SAFETY: the lists have as many handles, which are null or from `create`.
        code(unsafe { objects::<Counted<Queue>>(list.len() as u32, list.as_ptr(), "queues") })
    };
    assert_eq!(of(&[first, second]), ErrorCode::SUCCESS);
    assert_eq!(of(&[first, std::ptr::null_mut()]), ErrorCode::INVALID_QUEUE);
    release(second)?;
    assert_eq!(of(&[first, second]), ErrorCode::INVALID_QUEUE);
    release(first)
}

#[test]
fn a_stale_handle_stays_dead_while_others_come_and_go() -> crate::Result<()> {
    let stale = Counted::create(Queue(Arc::new(()))).into_raw();
    release(stale)?;
    for _ in 0..RESTING / 2 {
        let other = Counted::create(Queue(Arc::new(()))).into_raw();
        assert_ne!(other, stale);
        release(other)?;
        assert_eq!(code(queue(stale)), ErrorCode::INVALID_QUEUE);
    }
    Ok(())
}

#[test]
fn a_stale_handle_stays_dead_while_blocks_are_used_again() -> crate::Result<()> {
    let others: Vec<_> = (0..2 * RESTING).map(|_| Counted::create(Queue(Arc::new(()))).into_raw()).collect();
    others.into_iter().try_for_each(release)?;
    let stale = Counted::create(Queue(Arc::new(()))).into_raw();
    release(stale)?;
    for _ in 0..RESTING / 8 {
        let other = Counted::create(Queue(Arc::new(()))).into_raw();
        assert_ne!(other, stale);
        release(other)?;
    }
    assert_eq!(code(queue(stale)), ErrorCode::INVALID_QUEUE);
    Ok(())
}

#[test]
fn a_child_keeps_its_parent() -> crate::Result<()> {
    let alive = Arc::new(());
    let raw = Counted::create(Queue(alive.clone())).into_raw();
    let event = Counted::share_new(Event(queue(raw)?.share()));
    release(raw)?;
    assert_eq!(event.0.reference_count(), 1);
    assert_eq!(Arc::strong_count(&alive), 2);
    drop(event);
    assert_eq!(Arc::strong_count(&alive), 1);
    Ok(())
}

#[test]
fn a_reference_of_whatever_kind_is_given_back_as_one_of_its_kind() -> crate::Result<()> {
    let alive = Arc::new(());
    let raw = Counted::create(Queue(alive.clone())).into_raw();
    let any = AnyShared::from(queue(raw)?.share());
    assert_eq!(queue(raw)?.reference_count(), 2);
    release(raw)?;
    assert_eq!(Arc::strong_count(&alive), 2);
    drop(any);
    assert_eq!(Arc::strong_count(&alive), 1);
    Ok(())
}

#[test]
fn threads_share_one_count() -> crate::Result<()> {
    let alive = Arc::new(());
    let shared = Counted::share_new(Queue(alive.clone()));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..1000).for_each(|_| drop(shared.clone())));
        }
    });
    assert_eq!(shared.reference_count(), 1);
    drop(shared);
    assert_eq!(Arc::strong_count(&alive), 1);
    Ok(())
}

/// Counts have 32 bits: 2^32 retains must not look like none.
#[test]
fn an_object_that_is_retained_too_often_to_be_counted_stays() -> crate::Result<()> {
    let alive = Arc::new(());
    let raw = Counted::create(Queue(alive.clone())).into_raw();
    for before in [u32::MAX / 2 + 1, u32::MAX - 1, u32::MAX] {
        queue(raw)?.count_as(before);
        queue(raw)?.retain();
        let stuck = queue(raw)?.reference_count();
        assert!(stuck > u32::MAX / 2 && stuck < u32::MAX - 1_000_000, "{stuck:#x}");
        for _ in 0..3 {
            release(raw)?;
            assert_eq!(queue(raw)?.reference_count(), stuck);
        }
    }
    assert_eq!(Arc::strong_count(&alive), 2);
    // Below that limit, every reference counts.
    queue(raw)?.count_as(2);
    release(raw)?;
    release(raw)?;
    assert_eq!(code(queue(raw)), ErrorCode::INVALID_QUEUE);
    assert_eq!(Arc::strong_count(&alive), 1);
    Ok(())
}

/// An example is a device that lives as long as the process.
#[test]
fn calls_that_a_kind_does_not_count_change_nothing() -> crate::Result<()> {
    struct Permanent;
    // SAFETY: the blocks are in a static of this implementation.
    unsafe impl CountedKind for Permanent {
        type Raw = RawQueue;
        const INVALID: ErrorCode = ErrorCode::INVALID_QUEUE;
        const NAME: &'static str = "permanent";
        fn on_retain(&self) -> bool {
            false
        }
        fn on_release(&self) -> bool {
            false
        }
        fn blocks() -> &'static Blocks {
            static BLOCKS: Blocks = Blocks::new();
            &BLOCKS
        }
    }
    let permanent = Counted::share_new(Permanent);
    crate::Object::retain(&*permanent)?;
    assert_eq!(permanent.new_reference().into_raw(), permanent.handle());
    // SAFETY: these are the references that were not counted.
    unsafe { crate::Object::release(&*permanent) }?;
    assert_eq!(permanent.reference_count(), 1);
    Ok(())
}
