//! Turns, as `plugins/opencl/src/sys` has them.

mod one_sided;
#[path = "../../../../plugins/opencl/src/sys/turns.rs"]
mod turns;

use turns::Turns;

/// Turns of one order.
pub struct Model(Turns);

impl Model {
    #[allow(clippy::new_without_default, reason = "as the source has it")]
    pub fn new() -> Self {
        let turns = Turns::new();
        // loom's numbers are made when they are first used, which has to be before there are threads.
        assert!(format!("{turns:?}").contains("owner"));
        Self(turns)
    }

    /// As the plugin calls the driver: as the owner of the turns, else in a turn that is taken, as soon as there is one.
    pub fn run(&self, work: impl Fn()) {
        if self.0.as_owner(&work).is_some() {
            return;
        }
        loop {
            if let Some(_turn) = self.0.take() {
                return work();
            }
            loom::thread::yield_now();
        }
    }
}
