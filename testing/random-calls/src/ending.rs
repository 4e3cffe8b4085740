//! Random ends of a batch. Its objects are alive or were released with commands in flight, and the process ends in
//! one of the usual ways of programs. No end may crash or hang the process.

use std::process::ExitCode;

use anyhow::Result;

use crate::fixture::Fixture;
use crate::invoke;
use crate::journal::{Journal, Stage};
use crate::pools::Kind;

/// A way to end.
#[derive(Clone, Copy, Debug)]
enum Ending {
    /// `main` returns. Commands are complete, and all objects alive.
    Alive,
    /// All references are released in random order while commands run. Then `main` returns.
    Released,
    /// The same in an exit handler.
    ReleasedInHandler,
    /// Another thread calls `exit`.
    InThread,
    /// `quick_exit`, while commands run.
    Quick,
}

const ENDINGS: [Ending; 5] =
    [Ending::Alive, Ending::Released, Ending::ReleasedInHandler, Ending::InThread, Ending::Quick];

/// Ends the batch in a randomly chosen way.
pub(crate) fn end(mut fixture: Fixture, journal: &Journal, trace: bool) -> Result<ExitCode> {
    let ending = fixture.random.of(&ENDINGS).unwrap_or(Ending::Alive);
    if trace {
        eprintln!("the end: {ending:?}");
    }
    journal.begin(&format!("the end: {ending:?}"));
    // Commands that wait for one of the program's user events would never end.
    fixture.settle(matches!(ending, Ending::Alive | Ending::InThread));
    match ending {
        Ending::Alive => {}
        Ending::Released => release_all(&mut fixture),
        Ending::ReleasedInHandler => in_handler(fixture),
        Ending::InThread => {
            journal.enter(Stage::Done);
            // SAFETY: ends this process with its handlers, on a thread other than the main one.
            let _ = std::thread::spawn(|| unsafe { libc::exit(0) }).join();
        }
        Ending::Quick => {
            journal.enter(Stage::Done);
            // SAFETY: ends this process.
            unsafe { quick_exit(0) }
        }
    }
    journal.enter(Stage::Done);
    Ok(ExitCode::SUCCESS)
}

unsafe extern "C" {
    fn quick_exit(status: libc::c_int) -> !;
}

fn in_handler(fixture: Fixture) {
    static LEFT: std::sync::Mutex<Option<Left>> = std::sync::Mutex::new(None);
    struct Left(Fixture);
    // SAFETY: only the thread that ends the process takes it.
    unsafe impl Send for Left {}
    extern "C" fn release() {
        let left = LEFT.lock().ok().and_then(|mut left| left.take());
        if let Some(mut left) = left {
            release_all(&mut left.0);
        }
    }
    if let Ok(mut left) = LEFT.lock() {
        *left = Some(Left(fixture));
    }
    // SAFETY: a function without arguments.
    unsafe { libc::atexit(release) };
}

/// Releases all references to objects in random order.
fn release_all(fixture: &mut Fixture) {
    let all = Kind::ALL.into_iter().filter(|kind| !matches!(kind, Kind::Platform | Kind::Device));
    let mut left: Vec<(&str, u64)> = Vec::new();
    for (release, kind) in all.filter_map(|kind| Some((kind.release()?, kind))) {
        for object in fixture.pools.of(kind) {
            left.extend((0..object.references).map(|_| (release, object.handle)));
        }
    }
    while !left.is_empty() {
        let (release, handle) = left.swap_remove(fixture.random.below(left.len()));
        // SAFETY: a live handle with a reference that belongs to this program.
        let _ = unsafe { invoke::call(fixture.pi, release, &[handle]) };
    }
}
