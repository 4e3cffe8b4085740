//! Common code of the tests of the translator from SPIR-V to NVVM IR.
//!
//! [`assemble`] creates modules from readable text. The tests execute their translations, and [`damaged`] and
//! [`mutant`] create modules that no compiler wrote. [`stock`] has those of stock libraries.

mod assembler;
mod damage;
mod elementwise;
pub mod functions;
pub mod limits;
pub mod matrices;
mod mutant;
mod names;
pub mod parted;
mod random;
mod scalars;
pub mod stock;

pub use assembler::{assemble, kernel};
pub use damage::damaged;
pub use elementwise::elementwise;
pub use mutant::{FLOAT_COMPARISONS, INTEGER_COMPARISONS, Mutant, mutant};
pub use random::Random;
pub use scalars::{Scalar, bytes, numbers};
