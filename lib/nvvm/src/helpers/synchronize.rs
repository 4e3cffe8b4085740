//! Barriers, fences and clocks.

use sycl_pi_image::spirv::{MemorySemantics, Scope};

use super::{Helpers, INLINE};
use crate::error::Result;
use crate::subgroup_size::SubgroupSize;

/// Returns PTX's name of a memory scope.
pub(crate) fn scope_name(scope: u64) -> Result<&'static str> {
    Ok(match scope_from(scope) {
        Some(Scope::CrossDevice) => "sys",
        Some(Scope::Device) => "gpu",
        Some(Scope::Workgroup | Scope::Subgroup | Scope::Invocation) => "cta",
        _ => return Err(format!("memory scope {scope} is not known").into()),
    })
}

/// Returns the scope with a constant's value.
pub(crate) fn scope_from(number: u64) -> Option<Scope> {
    u32::try_from(number).ok().and_then(Scope::from_u32)
}

/// A memory order, from the bits of memory semantics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryOrder {
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
    SequentiallyConsistent,
}

impl MemoryOrder {
    /// Returns the order that memory semantics request. Semantics that are not constant get the strongest order.
    pub(crate) fn from_semantics(semantics: Option<u64>) -> Self {
        let Some(semantics) = semantics else { return Self::SequentiallyConsistent };
        let semantics = MemorySemantics::from_bits_retain(semantics as u32);
        let (acquires, releases) =
            (semantics.contains(MemorySemantics::ACQUIRE), semantics.contains(MemorySemantics::RELEASE));
        if semantics.contains(MemorySemantics::SEQUENTIALLY_CONSISTENT) {
            Self::SequentiallyConsistent
        } else if semantics.contains(MemorySemantics::ACQUIRE_RELEASE) || acquires && releases {
            Self::AcquireRelease
        } else if releases {
            Self::Release
        } else if acquires {
            Self::Acquire
        } else {
            Self::Relaxed
        }
    }

    /// Returns the order in the names of helpers.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Relaxed => "relaxed",
            Self::Acquire => "acquire",
            Self::Release => "release",
            Self::AcquireRelease => "acq_rel",
            Self::SequentiallyConsistent => "seq_cst",
        }
    }
}

impl Helpers {
    /// Defines the barrier of a work-group, which orders local and global memory.
    pub(crate) fn group_barrier(&mut self) -> String {
        let name = "__spirv_barrier_workgroup".to_owned();
        self.define(&name, |all| {
            all.declare("void", "llvm.nvvm.barrier0", "", "convergent nounwind");
            format!("define internal void @{name}() {INLINE} {{\n  call void @llvm.nvvm.barrier0()\n  ret void\n}}\n")
        });
        name
    }

    /// Defines the barrier of the work-items in a mask: `void (i32 mask)`.
    pub(crate) fn subgroup_barrier(&mut self, size: SubgroupSize) -> String {
        let name = format!("__spirv_barrier_subgroup{size}");
        self.define(&name, |all| {
            let (lines, of_warp) = all.mask_to_warp(size);
            all.declare("void", "llvm.nvvm.bar.warp.sync", "i32", "convergent nounwind");
            format!(
                "define internal void @{name}(i32 %m) {INLINE} {{\n{lines}  \
                 call void @llvm.nvvm.bar.warp.sync(i32 {of_warp})\n  ret void\n}}\n"
            )
        });
        name
    }

    /// Defines the helper that reads a clock, a special register of PTX: `i64 ()`.
    pub(crate) fn clock(&mut self, register: &str) -> String {
        let name = format!("__spirv_{register}");
        self.define(&name, |_| {
            format!(
                "define internal i64 @{name}() {INLINE} {{\n  \
                 %r = call i64 asm sideeffect \"mov.u64 $0, %{register};\", \"=l,~{{memory}}\"()\n  ret i64 %r\n}}\n"
            )
        });
        name
    }

    /// Defines the helper that orders memory for a scope.
    pub(crate) fn fence(&mut self, order: MemoryOrder, scope: &str) -> String {
        let kind = if order == MemoryOrder::SequentiallyConsistent { "sc" } else { "acq_rel" };
        let name = format!("__spirv_fence_{kind}_{scope}");
        self.define(&name, |_| {
            format!(
                "define internal void @{name}() {INLINE} {{\n  \
                 call void asm sideeffect \"fence.{kind}.{scope};\", \"~{{memory}}\"()\n  ret void\n}}\n"
            )
        });
        name
    }
}
