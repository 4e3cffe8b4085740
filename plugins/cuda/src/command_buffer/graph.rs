//! A CUDA graph that is built node by node and instantiated once.

use std::cell::RefCell;

use parking_lot::Mutex;
use sycl_pi_backend::api::LaunchUpdate;
use sycl_pi_backend::recording::{no_launch, not_finalized, other_context, other_device};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Dependencies, Error, Recording, Result, Shared, SyncPointDependencies};

use super::launch::RecordedLaunch;
use crate::Cuda;
use crate::context::Context;
use crate::copy::BoxCopy;
use crate::device::device_context::DeviceContext;
use crate::device::device_object::Device;
use crate::event::event_object::Event;
use crate::fill;
use crate::mem::Mem;
use crate::memory::buffer_use::{BufferUse, with_buffers};
use crate::memory::host_registration::RecordedMemory;
use crate::queue::{Queue, StreamKind};
use crate::submit::{CommandRequest, submit};
use crate::sys::{
    CUDA_KERNEL_NODE_PARAMS_v2, CUDA_MEMSET_NODE_PARAMS, CUdeviceptr, CUgraph, CUgraphExec, CUgraphNode,
    DriverHandle, cuda,
};

/// A command buffer: a graph for one device of a context.
pub struct CommandBuffer {
    pub(super) context: Shared<Context>,
    /// The device's index in the context.
    pub(super) index: usize,
    state: Mutex<GraphState>,
}

struct GraphState {
    graph: DriverHandle<CUgraph>,
    /// The executable graph, once recording has ended.
    exec: Option<DriverHandle<CUgraphExec>>,
    nodes: Recording<DriverHandle<CUgraphNode>>,
    /// The objects that each node needs, by its sync point minus 1.
    kept: Vec<Vec<KeptAlive>>,
    /// The host memory that nodes use.
    host_memory: Vec<RecordedMemory>,
}

/// Objects that are kept alive as long as the command buffer.
pub(super) enum KeptAlive {
    Mem { mem: Shared<Mem>, writes: bool },
    Launch(Box<RecordedLaunch>),
}

/// Adds nodes that depend on others.
pub(super) struct NodeBuilder<'a> {
    graph: CUgraph,
    after: &'a [CUgraphNode],
    pub(super) device_context: &'a DeviceContext,
    host_memory: RefCell<Vec<RecordedMemory>>,
}

impl CommandBuffer {
    /// Creates an empty command buffer.
    pub(super) fn new(context: &Counted<Context>, device: &Counted<Device>) -> Result<Self> {
        let index = context.index_of(device)?;
        let _current = context.devices[index].enter()?;
        let mut graph = std::ptr::null_mut();
        cuda()?.cuGraphCreate(&mut graph, 0)?;
        let state = GraphState {
            graph: DriverHandle::new(graph),
            exec: None,
            nodes: Recording::default(),
            kept: Vec::new(),
            host_memory: Vec::new(),
        };
        Ok(Self { context: context.share(), index, state: Mutex::new(state) })
    }

    /// Refuses an object of another context.
    pub(super) fn check_context(&self, context: &Shared<Context>, what: &str) -> Result<()> {
        if std::ptr::eq(&**context, &*self.context) {
            return Ok(());
        }
        Err(other_context(what))
    }

    /// Adds the node that `add` creates, and keeps the objects that it returns.
    pub(super) fn record(
        &self,
        dependencies: SyncPointDependencies<'_>,
        add: impl FnOnce(&NodeBuilder<'_>) -> Result<(CUgraphNode, Vec<KeptAlive>)>,
    ) -> Result<()> {
        let GraphState { graph, nodes, kept, host_memory, .. } = &mut *self.state.lock();
        nodes.add(dependencies, |waits| {
            let mut after = Vec::with_capacity(waits.len());
            for node in waits {
                // The driver refuses duplicates.
                if !after.contains(&node.get()) {
                    after.push(node.get());
                }
            }
            let device_context = &self.context.devices[self.index];
            let _current = device_context.enter()?;
            let builder = NodeBuilder {
                graph: graph.get(),
                after: &after,
                device_context,
                host_memory: RefCell::default(),
            };
            let (node, new) = add(&builder)?;
            kept.push(new);
            host_memory.append(&mut builder.host_memory.borrow_mut());
            Ok(DriverHandle::new(node))
        })
    }

    /// Ends recording.
    pub(super) fn finalize(&self) -> Result<()> {
        let GraphState { graph, exec, nodes, .. } = &mut *self.state.lock();
        nodes.finalize(|_| {
            let _current = self.context.devices[self.index].enter()?;
            let mut made = std::ptr::null_mut();
            cuda()?.cuGraphInstantiateWithFlags(&mut made, graph.get(), 0)?;
            *exec = Some(DriverHandle::new(made));
            Ok(())
        })
    }

    /// Updates a launch for subsequent runs.
    pub(super) fn update(&self, update: &LaunchUpdate<'_, Cuda>) -> Result<()> {
        if let Some(kernel) = update.kernel {
            self.check_context(&kernel.program.context, "the kernel")?;
        }
        let GraphState { exec, nodes, kept, .. } = &mut *self.state.lock();
        let exec = exec.ok_or_else(not_finalized)?;
        let index = (update.point as usize).checked_sub(1);
        let place =
            index.and_then(|index| Some((nodes.commands().get(index)?, kept.get_mut(index)?.first_mut()?)));
        let Some((node, KeptAlive::Launch(recorded))) = place else { return Err(no_launch(update.point)) };
        let mut updated = recorded.updated(update)?;
        let device_context = &self.context.devices[self.index];
        let _current = device_context.enter()?;
        let Some(mut parameters) = updated.parameters(self.index, device_context)? else {
            return Err(Error::unsupported(
                "the new index space has no work-items; a graph's node keeps being a launch",
            ));
        };
        cuda()?.cuGraphExecKernelNodeSetParams_v2(exec.get(), node.get(), &parameters.of_node())?;
        **recorded = updated;
        Ok(())
    }

    /// Returns the `CUgraph`, or the `CUgraphExec` that runs.
    pub(super) fn native_handle(&self, runs: bool) -> Result<NativeHandle> {
        let state = self.state.lock();
        if !runs {
            return Ok(state.graph.get().addr());
        }
        Ok(state.exec.ok_or_else(not_finalized)?.get().addr())
    }

    /// Enqueues a run of the graph to a queue. The driver serializes the runs of a graph.
    pub(super) fn enqueue(
        &self,
        queue: &Counted<Queue>,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        self.check_context(&queue.context, "the queue")?;
        if queue.index != self.index {
            return Err(other_device());
        }
        let state = self.state.lock();
        let exec = state.exec.ok_or_else(not_finalized)?;
        let uses = if self.context.devices.len() == 1 { Vec::new() } else { state.buffer_uses() };
        let request = CommandRequest::new(CommandType::EXT_COMMAND_BUFFER, StreamKind::Compute);
        submit(queue, request, dependencies, |stream| {
            with_buffers(queue, stream, &uses, || cuda()?.cuGraphLaunch(exec.get(), stream))
        })
    }
}

impl GraphState {
    /// Returns the memory objects that the nodes use.
    fn buffer_uses(&self) -> Vec<BufferUse<'_>> {
        let uses = self.kept.iter().flatten().map(|kept| match kept {
            KeptAlive::Mem { mem, writes } => vec![BufferUse { mem, writes: *writes }],
            KeptAlive::Launch(launch) => launch.buffer_uses(),
        });
        uses.flatten().collect()
    }
}

impl Drop for CommandBuffer {
    fn drop(&mut self) {
        let destroy = || {
            let _current = self.context.devices[self.index].enter()?;
            let (cuda, mut state) = (cuda()?, self.state.lock());
            // According to the driver's documentation, a graph that is still running is freed when it is done.
            let exec = state.exec.map_or(Ok(()), |exec| cuda.cuGraphExecDestroy(exec.get()));
            let destroyed = exec.and(cuda.cuGraphDestroy(state.graph.get()));
            state.host_memory.clear();
            destroyed
        };
        let _ = destroy();
    }
}

impl NodeBuilder<'_> {
    fn add(
        &self,
        after: &[CUgraphNode],
        call: impl FnOnce(*mut CUgraphNode, *const CUgraphNode, usize) -> Result<()>,
    ) -> Result<CUgraphNode> {
        let mut node = std::ptr::null_mut();
        call(&mut node, after.as_ptr(), after.len())?;
        Ok(node)
    }

    /// Keeps host memory registered for the node if it is registered, now or later.
    fn keep_registered(&self, start: usize, size: usize) {
        if start != 0 {
            self.host_memory.borrow_mut().push(RecordedMemory::new(start, size));
        }
    }

    /// Creates an empty node.
    pub(super) fn empty(&self) -> Result<CUgraphNode> {
        let cuda = cuda()?;
        self.add(self.after, |node, after, count| cuda.cuGraphAddEmptyNode(node, self.graph, after, count))
    }

    /// Creates a node for a box copy.
    pub(super) fn copy(&self, copy: &BoxCopy) -> Result<CUgraphNode> {
        let (cuda, descriptor) = (cuda()?, copy.descriptor()?);
        let bytes = |pitch: usize, rows: usize| {
            let rows = rows
                .saturating_mul(descriptor.Depth.saturating_sub(1))
                .saturating_add(descriptor.Height.saturating_sub(1));
            rows.saturating_mul(pitch).saturating_add(descriptor.WidthInBytes)
        };
        self.keep_registered(descriptor.srcHost.addr(), bytes(descriptor.srcPitch, descriptor.srcHeight));
        self.keep_registered(descriptor.dstHost.addr(), bytes(descriptor.dstPitch, descriptor.dstHeight));
        self.add(self.after, |node, after, count| {
            cuda.cuGraphAddMemcpyNode(
                node,
                self.graph,
                after,
                count,
                &descriptor,
                self.device_context.raw.get(),
            )
        })
    }

    /// Creates a fill: a node for each memset, and one after them if there are several.
    pub(super) fn fill(&self, start: CUdeviceptr, pattern: &[u8], size: usize) -> Result<CUgraphNode> {
        if size == 0 {
            return self.empty();
        }
        let cuda = cuda()?;
        self.keep_registered(start as usize, size);
        let mut nodes = Vec::new();
        for memset in fill::memsets(start, pattern, size)? {
            let parameters = CUDA_MEMSET_NODE_PARAMS {
                dst: memset.start,
                pitch: memset.pitch,
                value: memset.value,
                elementSize: memset.element as u32,
                width: memset.width,
                height: memset.height,
            };
            nodes.push(self.add(self.after, |node, after, count| {
                cuda.cuGraphAddMemsetNode(
                    node,
                    self.graph,
                    after,
                    count,
                    &parameters,
                    self.device_context.raw.get(),
                )
            })?);
        }
        match nodes[..] {
            [node] => Ok(node),
            _ => self
                .add(&nodes, |node, after, count| cuda.cuGraphAddEmptyNode(node, self.graph, after, count)),
        }
    }

    /// Creates a launch. The driver captures the current arguments.
    pub(super) fn kernel(&self, parameters: &CUDA_KERNEL_NODE_PARAMS_v2) -> Result<CUgraphNode> {
        let cuda = cuda()?;
        self.add(self.after, |node, after, count| {
            cuda.cuGraphAddKernelNode_v2(node, self.graph, after, count, parameters)
        })
    }
}
