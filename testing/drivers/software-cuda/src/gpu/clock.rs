//! PTX's clocks: `%globaltimer` and `%clock64`.

use std::sync::LazyLock;
use std::time::Instant;

/// Returns the nanoseconds since the first reading, plus 1 because a running clock is never 0.
#[unsafe(no_mangle)]
pub extern "C" fn ptx_mov_u64() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64 + 1
}
