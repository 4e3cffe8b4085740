//! The caches in memory, one per context (intel/llvm's design documents "Kernel and program caching mechanism" and
//! "Device code dynamic linking", each under In-memory cache).
//!
//! [`BuildOnce`] builds each value once, at the first request. [`ProgramCache`] is one for programs. [`KernelCache`]
//! finds a kernel's program from any module or image in the program, and applies one limit to both.

mod evict;
mod kernels;
mod keys;
mod lock;
mod once;
mod routes;
mod slot;

#[cfg(test)]
mod tests;

/// A borrowed form of a key, by which a map is searched.
pub use hashbrown::Equivalent;
pub use kernels::{CachedKernel, KernelCache};
pub use keys::{KernelKey, KernelQuery, LinkPlan, Origin, PlannedImage, ProgramKey, Variant};
pub use once::{BuildOnce, Built, Failure, GetError};

/// Programs by {images, specialization constants, device, options}.
pub type ProgramCache<P, E> = BuildOnce<ProgramKey, P, E>;
