//! Graphs: lists of work, in an order in which every node follows its dependencies: the order of recording, or any
//! other.

use std::ffi::c_uint;
use std::sync::{Arc, Mutex};

use cudarc::driver::sys::*;

use crate::{INVALID_HANDLE, INVALID_VALUE, entries, faults, late, lock, memory, module, put, stream};

type Node = Arc<Mutex<dyn FnMut() + Send>>;

#[derive(Default)]
struct Graph {
    nodes: Vec<Node>,
    /// For each node, the nodes that it depends on.
    after: Vec<Vec<usize>>,
    /// Registered host memory of nodes. NVIDIA's driver crashes if it is unregistered before a launch.
    registered: Vec<usize>,
}

impl Graph {
    fn check_registrations(&self) -> Result<(), crate::Code> {
        let all = self.registered.iter().all(|&start| memory::registered_at(start) == Some(start));
        if all { Ok(()) } else { Err(REGISTRATION_LOST) }
    }
}

/// `CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED`, instead of a crash.
const REGISTRATION_LOST: crate::Code = 713;

/// Records the registered memory that a new node uses.
unsafe fn note(graph: CUgraph, addresses: &[usize]) -> Result<(), crate::Code> {
    // SAFETY: a live graph, or null.
    let graph = unsafe { graph.cast::<Graph>().as_mut() }.ok_or(INVALID_HANDLE)?;
    graph.registered.extend(addresses.iter().filter_map(|&address| memory::registered_at(address)));
    Ok(())
}

unsafe fn add(
    graph: CUgraph,
    node: *mut CUgraphNode,
    after: *const CUgraphNode,
    count: usize,
    work: impl FnMut() + Send + 'static,
) -> Result<(), crate::Code> {
    // SAFETY: a live graph, a list of `count` nodes.
    unsafe {
        let graph = graph.cast::<Graph>().as_mut().ok_or(INVALID_HANDLE)?;
        let mut earlier = Vec::with_capacity(count);
        for index in 0..count {
            // A node is its number, counted from 1.
            let number = (*after.add(index)).addr();
            if !(1..=graph.nodes.len()).contains(&number) {
                return Err(INVALID_VALUE);
            }
            earlier.push(number - 1);
        }
        graph.after.push(earlier);
        graph.nodes.push(Arc::new(Mutex::new(work)));
        put(node, std::ptr::without_provenance_mut(graph.nodes.len()))
    }
}

entries! {
    cuGraphCreate(graph: *mut CUgraph, _flags: c_uint) {
        faults::live(1);
        put(graph, Box::into_raw(Box::new(Graph::default())).cast())
    };
    cuGraphDestroy(graph: CUgraph) {
        drop(Box::from_raw(graph.cast::<Graph>()));
        faults::live(-1);
        Ok(())
    };
    cuGraphAddKernelNode_v2(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize,
        parameters: *const CUDA_KERNEL_NODE_PARAMS_v2) {
        let p = &*parameters;
        let groups = [p.gridDimX, p.gridDimY, p.gridDimZ];
        let size = [p.blockDimX, p.blockDimY, p.blockDimZ];
        add(graph, node, after, count,
            module::launch(p.func, groups, size, p.sharedMemBytes as usize, p.kernelParams)?)
    };
    cuGraphAddMemcpyNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize,
        copy: *const CUDA_MEMCPY3D, _context: CUcontext) {
        let work = memory::copy_3d(&*copy)?;
        note(graph, &[(*copy).srcHost.addr(), (*copy).dstHost.addr()])?;
        add(graph, node, after, count, work)
    };
    cuGraphAddMemsetNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize,
        parameters: *const CUDA_MEMSET_NODE_PARAMS, _context: CUcontext) {
        let p = &*parameters;
        let work = memory::fill(p.dst, p.pitch, p.value, p.elementSize as usize, p.width, p.height)?;
        note(graph, &[p.dst as usize])?;
        add(graph, node, after, count, work)
    };
    cuGraphAddEmptyNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize)
        add(graph, node, after, count, || {});
    cuGraphInstantiateWithFlags(exec: *mut CUgraphExec, graph: CUgraph, _flags: u64) {
        let graph = graph.cast::<Graph>().as_ref().ok_or(INVALID_HANDLE)?;
        graph.check_registrations()?;
        faults::live(1);
        let exec_graph =
            Graph { nodes: graph.nodes.clone(), after: graph.after.clone(), registered: graph.registered.clone() };
        put(exec, Box::into_raw(Box::new(exec_graph)).cast())
    };
    cuGraphExecKernelNodeSetParams_v2(exec: CUgraphExec, node: CUgraphNode, parameters: *const CUDA_KERNEL_NODE_PARAMS_v2) {
        let p = &*parameters;
        let groups = [p.gridDimX, p.gridDimY, p.gridDimZ];
        let size = [p.blockDimX, p.blockDimY, p.blockDimZ];
        let work = module::launch(p.func, groups, size, p.sharedMemBytes as usize, p.kernelParams)?;
        let nodes = &mut exec.cast::<Graph>().as_mut().ok_or(INVALID_HANDLE)?.nodes;
        let place = node.addr().checked_sub(1).and_then(|index| nodes.get_mut(index)).ok_or(INVALID_HANDLE)?;
        *place = Arc::new(Mutex::new(work));
        Ok(())
    };
    cuGraphExecDestroy(exec: CUgraphExec) {
        drop(Box::from_raw(exec.cast::<Graph>()));
        faults::live(-1);
        Ok(())
    };
    cuGraphLaunch(exec: CUgraphExec, stream: CUstream) {
        let graph = exec.cast::<Graph>().as_ref().ok_or(INVALID_HANDLE)?;
        graph.check_registrations()?;
        let (nodes, order) = (graph.nodes.clone(), late::order(&graph.after));
        stream::push(stream, Box::new(move || order.into_iter().for_each(|node| lock(&nodes[node])())))
    };
}
