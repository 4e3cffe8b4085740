//! The workload of the long run: launches whose events are waited for in random order.

use sycl_pi_core::*;
use sycl_pi_loader::Table;

use crate::fixture::KERNELS;
use crate::{Fixture, Kernel, Program, ok};

/// The maximum number of launches in flight.
const WINDOW: usize = 96;

/// Two queues of each order, and events in flight.
pub struct Endurance {
    queues: [pi_queue; 3],
    kernel: Kernel,
    _program: Program,
    flying: Vec<pi_event>,
    random: u64,
    /// The last field, because a context must be released after its objects.
    fixture: Fixture,
}

impl Endurance {
    /// Starts with a seed for the order of the waits.
    pub fn new(pi: &'static Table, seed: u64) -> Self {
        let fixture = Fixture::with(pi, 0);
        let out_of_order = PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        let queues = [
            fixture.queue,
            fixture.queue(out_of_order),
            fixture.queue(out_of_order | PI_QUEUE_FLAG_PROFILING_ENABLE),
        ];
        let program = fixture.program(KERNELS);
        let kernel = program.kernel("nothing");
        Self { fixture, queues, kernel, _program: program, flying: Vec::new(), random: seed | 1 }
    }

    /// Returns a number below `limit` (xorshift).
    fn number(&mut self, limit: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random % limit.max(1) as u64) as usize
    }

    /// Launches this number of times. Some launches wait for an event of another queue. Some events are waited for,
    /// others are released without.
    pub fn run(&mut self, launches: u64) {
        for _ in 0..launches {
            let queue = self.queues[self.number(3)];
            let at = self.number(self.flying.len());
            let waits: Vec<pi_event> = match self.number(4) {
                0 => self.flying.get(at).copied().into_iter().collect(),
                _ => Vec::new(),
            };
            let event = self.fixture.launch(queue, &self.kernel, 1, &waits);
            self.flying.push(event);
            while self.flying.len() > WINDOW / 2 + self.number(WINDOW / 2) {
                let at = self.number(self.flying.len());
                let event = self.flying.swap_remove(at);
                if self.number(8) == 0 {
                    ok!(self.fixture.pi, piEventRelease(event));
                } else {
                    self.fixture.wait(&[event]);
                }
            }
        }
        for queue in self.queues {
            ok!(self.fixture.pi, piQueueFinish(queue));
        }
    }

    /// Releases everything.
    pub fn end(mut self) {
        for event in std::mem::take(&mut self.flying) {
            ok!(self.fixture.pi, piEventRelease(event));
        }
        for queue in &self.queues[1..] {
            ok!(self.fixture.pi, piQueueRelease(*queue));
        }
    }
}
