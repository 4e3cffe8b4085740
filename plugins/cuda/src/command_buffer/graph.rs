//! A CUDA graph that grows node by node, and is made runnable once.

use parking_lot::Mutex;
use sycl_pi_backend::recording::{not_finalized, other_context, other_device};
use sycl_pi_backend::{Counted, Dependencies, SyncPointDependencies, Recording, Result, Shared};
use sycl_pi_backend::types::*;

use crate::context::{Context, Place};
use crate::copy::BoxCopy;
use crate::device::Device;
use crate::event::Event;
use crate::fill;
use crate::kernel::Kernel;
use crate::mem::Mem;
use crate::queue::Queue;
use crate::submit::{Lane, submit};
use crate::sys::{
    CUDA_KERNEL_NODE_PARAMS_v2, CUDA_MEMSET_NODE_PARAMS, CUdeviceptr, CUgraph, CUgraphExec, CUgraphNode, Raw,
    cuda,
};

/// Behind `*mut RawCommandBuffer`.
pub struct Recorder {
    pub(super) context: Shared<Context>,
    /// The device's place in the context.
    pub(super) index: usize,
    state: Mutex<State>,
}

struct State {
    graph: Raw<CUgraph>,
    /// Set by `piextCommandBufferFinalize`.
    exec: Option<Raw<CUgraphExec>>,
    nodes: Recording<Raw<CUgraphNode>>,
    /// What the nodes work on or with.
    kept: Vec<Kept>,
}

/// Kept until the command buffer goes.
pub(super) enum Kept {
    Mem(#[allow(dead_code, reason = "held, not read")] Shared<Mem>),
    Kernel(#[allow(dead_code, reason = "held, not read")] Shared<Kernel>),
}

/// What nodes are added with.
pub(super) struct Adder<'a> {
    graph: CUgraph,
    after: &'a [CUgraphNode],
    pub(super) place: &'a Place,
}

impl Recorder {
    /// An empty one.
    pub(super) fn new(context: &Counted<Context>, device: &Counted<Device>) -> Result<Self> {
        let index = context.index_of(device)?;
        let _current = context.places[index].enter()?;
        let mut graph = std::ptr::null_mut();
        cuda()?.cuGraphCreate(&mut graph, 0)?;
        let state =
            State { graph: Raw::new(graph), exec: None, nodes: Recording::default(), kept: Vec::new() };
        Ok(Self { context: context.share(), index, state: Mutex::new(state) })
    }

    /// Refuses an object of another context.
    pub(super) fn check_context(&self, context: &Shared<Context>, what: &str) -> Result<()> {
        if std::ptr::eq(&**context, &*self.context) {
            return Ok(());
        }
        Err(other_context(what))
    }

    /// Adds the node that `add` makes, and keeps what it gives.
    pub(super) fn record(
        &self,
        dependencies: SyncPointDependencies<'_>,
        add: impl FnOnce(&Adder<'_>) -> Result<(CUgraphNode, Vec<Kept>)>,
    ) -> Result<()> {
        let State { graph, nodes, kept, .. } = &mut *self.state.lock();
        nodes.add(dependencies, |waits| {
            let mut after = Vec::with_capacity(waits.len());
            for node in waits {
                // The driver refuses the same one twice.
                if !after.contains(&node.get()) {
                    after.push(node.get());
                }
            }
            let place = &self.context.places[self.index];
            let _current = place.enter()?;
            let (node, new) = add(&Adder { graph: graph.get(), after: &after, place })?;
            kept.extend(new);
            Ok(Raw::new(node))
        })
    }

    /// Ends recording.
    pub(super) fn finalize(&self) -> Result<()> {
        let State { graph, exec, nodes, .. } = &mut *self.state.lock();
        nodes.finalize(|_| {
            let _current = self.context.places[self.index].enter()?;
            let mut made = std::ptr::null_mut();
            cuda()?.cuGraphInstantiateWithFlags(&mut made, graph.get(), 0)?;
            *exec = Some(Raw::new(made));
            Ok(())
        })
    }

    /// Runs the graph on a queue. Runs of one graph follow each other, by the driver's own doing.
    pub(super) fn enqueue(&self, queue: &Counted<Queue>, dependencies: Dependencies<'_, Counted<Event>>) -> Result<()> {
        self.check_context(&queue.context, "queue")?;
        if queue.index != self.index {
            return Err(other_device());
        }
        let exec = self.state.lock().exec.ok_or_else(not_finalized)?;
        submit(queue, Lane::Compute, CommandType::EXT_COMMAND_BUFFER, dependencies, false, |stream| {
            cuda()?.cuGraphLaunch(exec.get(), stream)
        })
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        let destroy = || {
            let _current = self.context.places[self.index].enter()?;
            let (cuda, state) = (cuda()?, self.state.lock());
            // A graph that still runs is freed when it is done, says the driver.
            let exec = state.exec.map_or(Ok(()), |exec| cuda.cuGraphExecDestroy(exec.get()));
            exec.and(cuda.cuGraphDestroy(state.graph.get()))
        };
        let _ = destroy();
    }
}

impl Adder<'_> {
    fn add(
        &self,
        after: &[CUgraphNode],
        call: impl FnOnce(*mut CUgraphNode, *const CUgraphNode, usize) -> Result<()>,
    ) -> Result<CUgraphNode> {
        let mut node = std::ptr::null_mut();
        call(&mut node, after.as_ptr(), after.len())?;
        Ok(node)
    }

    /// Nothing, behind what the command waits for.
    pub(super) fn nothing(&self) -> Result<CUgraphNode> {
        let cuda = cuda()?;
        self.add(self.after, |node, after, count| cuda.cuGraphAddEmptyNode(node, self.graph, after, count))
    }

    /// A copy of a box.
    pub(super) fn copy(&self, copy: &BoxCopy) -> Result<CUgraphNode> {
        let (cuda, descriptor) = (cuda()?, copy.descriptor()?);
        self.add(self.after, |node, after, count| {
            cuda.cuGraphAddMemcpyNode(node, self.graph, after, count, &descriptor, self.place.raw.get())
        })
    }

    /// A fill: a node for each part of the pattern, and one behind them where there are several.
    pub(super) fn fill(&self, start: CUdeviceptr, pattern: &[u8], size: usize) -> Result<CUgraphNode> {
        if size == 0 {
            return self.nothing();
        }
        let cuda = cuda()?;
        let mut nodes = Vec::new();
        for part in fill::parts(start, pattern, size)? {
            let parameters = CUDA_MEMSET_NODE_PARAMS {
                dst: part.start,
                pitch: part.pitch,
                value: part.value,
                elementSize: part.element as u32,
                width: part.width,
                height: part.height,
            };
            nodes.push(self.add(self.after, |node, after, count| {
                cuda.cuGraphAddMemsetNode(node, self.graph, after, count, &parameters, self.place.raw.get())
            })?);
        }
        match nodes[..] {
            [node] => Ok(node),
            _ => self
                .add(&nodes, |node, after, count| cuda.cuGraphAddEmptyNode(node, self.graph, after, count)),
        }
    }

    /// A launch; the driver takes the arguments as they are now.
    pub(super) fn kernel(&self, mut parameters: CUDA_KERNEL_NODE_PARAMS_v2) -> Result<CUgraphNode> {
        let cuda = cuda()?;
        parameters.extra = std::ptr::null_mut();
        self.add(self.after, |node, after, count| {
            cuda.cuGraphAddKernelNode_v2(node, self.graph, after, count, &parameters)
        })
    }
}
