//! A cache of failed searches, which expires after a while.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// The time after which a failure expires. A search reads the list of all mapped files of the process, and a program
/// that chooses a device queries each of thousands of images.
const PAUSE: Duration = Duration::from_secs(5);

/// The last failure of a search.
pub(crate) struct Missing<E>(Mutex<Option<(Instant, E)>>);

impl<E: Clone> Missing<E> {
    /// Returns the last failure if it has not expired, or else the result of a new search. Concurrent threads share one
    /// search.
    pub(crate) fn or_look<T>(&self, now: Instant, look: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let mut last = self.0.lock();
        if let Some((time, why)) = &*last
            && now.saturating_duration_since(*time) < PAUSE
        {
            return Err(why.clone());
        }
        let looked = look();
        *last = looked.as_ref().err().map(|why| (now, why.clone()));
        looked
    }
}

impl<E> Default for Missing<E> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_questions_are_one_look_until_the_pause_is_over() {
        let (missing, start) = (Missing::default(), Instant::now());
        let mut looks = 0;
        let mut ask = |after: Duration, found: bool| {
            missing.or_look(start + after, || {
                looks += 1;
                if found { Ok(looks) } else { Err(looks) }
            })
        };
        for _ in 0..1000 {
            assert_eq!(ask(Duration::from_secs(1), false), Err(1));
        }
        assert_eq!(ask(Duration::from_secs(5), true), Err(1), "less than the pause after the look");
        assert_eq!(ask(Duration::from_secs(6), true), Ok(2), "it was installed meanwhile");
        assert_eq!(ask(Duration::from_secs(6), false), Err(3), "a success is not kept here");
        assert_eq!(ask(Duration::from_secs(7), true), Err(3));
    }
}
