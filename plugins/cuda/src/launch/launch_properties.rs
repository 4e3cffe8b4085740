//! Launches with properties: clusters of work-groups, and local memory in addition to that of the arguments.

use core::ffi::c_void;
use std::ptr::null_mut;

use sycl_pi_backend::{Counted, Dependencies, Error, LaunchProperties, NdRange, Result};

use crate::event::event_object::Event;
use crate::kernel::Kernel;
use crate::launch::{CheckedLaunch, launch_with};
use crate::queue::Queue;
use crate::sys::{
    CUfunction_attribute, CUlaunchAttribute, CUlaunchAttributeID, CUlaunchAttributeValue,
    CUlaunchAttributeValue_union__bindgen_ty_1, CUlaunchConfig, CUstream, cuda,
};

/// Work-groups of the largest cluster that every device with cluster support can launch.
const PORTABLE_CLUSTER: u64 = 8;

/// Enqueues a kernel over an index space with properties.
pub(crate) fn launch_with_properties(
    queue: &Counted<Queue>,
    kernel: &Counted<Kernel>,
    range: NdRange<'_>,
    properties: &LaunchProperties,
    dependencies: Dependencies<'_, Counted<Event>>,
) -> Result<()> {
    if properties.cluster.is_some() && !queue.device().launches_clusters() {
        return Err(Error::unsupported(
            "clusters need a device of compute capability 9.0 or higher, and a driver of CUDA 11.8",
        ));
    }
    let mut args = kernel.args.lock();
    args.reserve_local_memory(properties.local_memory);
    let launched = launch_with(queue, kernel, &mut args, range, dependencies, |launch, params, stream| {
        launch.enqueue_with_properties(params, properties, stream)
    });
    // The next launch may reserve none.
    args.reserve_local_memory(0);
    launched
}

impl CheckedLaunch {
    fn enqueue_with_properties(
        &self,
        params: *mut *mut c_void,
        properties: &LaunchProperties,
        stream: CUstream,
    ) -> Result<()> {
        let Some(cluster) = properties.cluster else {
            return match properties.cooperative {
                true => self.enqueue_cooperative(params, stream),
                false => self.enqueue(params, stream),
            };
        };
        self.check_cluster(cluster)?;
        let cuda = cuda()?;
        if cluster.into_iter().map(u64::from).product::<u64>() > PORTABLE_CLUSTER {
            let larger = CUfunction_attribute::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
            cuda.cuFuncSetAttribute(self.function, larger, 1)?;
        }
        let [x, y, z] = cluster;
        let cluster_dim = CUlaunchAttributeValue_union__bindgen_ty_1 { x, y, z };
        let mut attributes = [
            attribute(
                CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
                CUlaunchAttributeValue { clusterDim: cluster_dim },
            ),
            attribute(
                CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
                CUlaunchAttributeValue { cooperative: properties.cooperative.into() },
            ),
        ];
        let ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]) = (self.grid.groups, self.grid.local);
        let config = CUlaunchConfig {
            gridDimX: grid_x,
            gridDimY: grid_y,
            gridDimZ: grid_z,
            blockDimX: block_x,
            blockDimY: block_y,
            blockDimZ: block_z,
            sharedMemBytes: self.local_memory,
            hStream: stream,
            attrs: attributes.as_mut_ptr(),
            numAttrs: attributes.len() as u32,
        };
        cuda.cuLaunchKernelEx(&config, self.function, params, null_mut())
    }

    /// Checks that clusters fill the grid. The driver checks their maximum size.
    fn check_cluster(&self, cluster: [u32; 3]) -> Result<()> {
        if self.grid.folded {
            return Err(Error::invalid_value(
                "launchPropList: clusters in a launch of more work-groups than CUDA has in a dimension",
            ));
        }
        let groups = self.grid.groups;
        if groups.iter().zip(cluster).all(|(groups, size)| size > 0 && groups.is_multiple_of(size)) {
            return Ok(());
        }
        Err(Error::invalid_value(format!(
            "launchPropList: clusters of {cluster:?} work-groups do not divide {groups:?} work-groups, \
             the first dimension first"
        )))
    }
}

fn attribute(id: CUlaunchAttributeID, value: CUlaunchAttributeValue) -> CUlaunchAttribute {
    CUlaunchAttribute { id, pad: [0; 4], value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::work_group::Grid;

    #[test]
    fn clusters_divide_the_work_groups() {
        let grid = Grid { groups: [8, 6, 1], local: [1; 3], folded: false };
        let launch = CheckedLaunch { function: null_mut(), grid, local_memory: 0, hidden: [0; 4] };
        for (cluster, fits) in [
            ([4, 3, 1], true),
            ([1, 1, 1], true),
            ([3, 1, 1], false),
            ([1, 4, 1], false),
            ([0, 1, 1], false),
            ([1, 1, 2], false),
        ] {
            assert_eq!(launch.check_cluster(cluster).is_ok(), fits, "{cluster:?}");
        }
        // In a folded grid, neighbors in x are not neighbors at the end of a row.
        let folded = CheckedLaunch { grid: Grid { folded: true, ..grid }, ..launch };
        assert!(folded.check_cluster([1; 3]).is_err());
    }
}
