//! A stream's own marks, which its commands' events name by number.
//!
//! A command with an event passes here twice. Marks in shared ownership would cost it two atomic additions, a pool's lock
//! four; by number both ends are plain stores. The event keeps its queue, the queue its streams, and these their marks.

use std::sync::{Arc, OnceLock};

use sycl_pi_backend::Result;

use crate::mark::{Mark, Marks, is_sole};

/// Marks of its own that a stream has at most. Where more events are held, the rest have marks of the pool.
const SLOTS: usize = 128;

/// How somebody has a mark.
pub(crate) enum Held {
    /// By its number among the stream's own, whose turn comes again when nobody has it.
    Slot(u32),
    /// As one of its owners: marks with times, of barriers, and those beyond a stream's own.
    Own(Arc<Mark>),
    /// Not any more.
    Gone,
}

impl Held {
    /// Leaves nothing behind.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::Gone)
    }
}

/// The marks. Looked at without a lock.
pub(crate) struct Slots {
    marks: Box<[OnceLock<Arc<Mark>>]>,
}

impl Slots {
    pub(crate) fn new() -> Self {
        Self { marks: (0..SLOTS).map(|_| OnceLock::new()).collect() }
    }

    /// The mark with that number.
    #[inline(always)]
    pub(crate) fn get(&self, number: u32) -> Option<&Arc<Mark>> {
        self.marks.get(number as usize)?.get()
    }

    /// What is had in that way.
    #[inline(always)]
    pub(crate) fn of<'a>(&'a self, held: &'a Held) -> Option<&'a Arc<Mark>> {
        match held {
            Held::Slot(number) => self.get(*number),
            Held::Own(mark) => Some(mark),
            Held::Gone => None,
        }
    }

    /// For the stream, what an event is about to have: the event counts as there from now on.
    #[inline(always)]
    pub(crate) fn hold(&self, mark: &Held) -> Held {
        match mark {
            Held::Slot(number) => {
                if let Some(mark) = self.get(*number) {
                    mark.hold();
                }
                Held::Slot(*number)
            }
            Held::Own(mark) => Held::Own(mark.clone()),
            Held::Gone => Held::Gone,
        }
    }

    /// Gives all of them to the pool.
    pub(crate) fn clear(&mut self, pool: &Marks) {
        self.marks.iter_mut().filter_map(OnceLock::take).for_each(|mark| pool.give(mark));
    }
}

/// Which of a stream's marks is the next. They are used in turn, so that the one lent longest ago is asked for first. Behind
/// the stream's lock.
#[derive(Default)]
pub(crate) struct Turn {
    next: u32,
    /// Marks that were made so far.
    made: u32,
}

impl Turn {
    /// A mark that is pending. The stream's last command has none; the pool's context is current.
    #[inline(always)]
    pub(crate) fn take(&mut self, slots: &Slots, pool: &Marks) -> Result<Held> {
        // Where the one lent longest ago is still out, the next may be back.
        for _ in 0..2 {
            let number = if self.next < self.made { self.next } else { 0 };
            self.next = number + 1;
            // What its event did is over where nobody has it.
            if let Some(mark) = slots.get(number).filter(|mark| !mark.is_held() && is_sole(mark)) {
                mark.renew();
                return Ok(Held::Slot(number));
            }
        }
        self.make(slots, pool)
    }

    #[cold]
    fn make(&mut self, slots: &Slots, pool: &Marks) -> Result<Held> {
        let mark = pool.take(false)?;
        match slots.marks.get(self.made as usize) {
            None => Ok(Held::Own(mark)),
            Some(slot) => {
                let number = self.made;
                self.made += 1;
                // Nobody else makes any: the stream is locked.
                let _ = slot.set(mark);
                Ok(Held::Slot(number))
            }
        }
    }
}
