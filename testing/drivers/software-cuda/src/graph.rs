//! Graphs: lists of work, in an order that keeps every node behind those it waits for.

use std::ffi::c_uint;
use std::sync::{Arc, Mutex};

use cudarc::driver::sys::*;

use crate::{INVALID_HANDLE, INVALID_VALUE, entries, faults, lock, memory, module, put, stream};

type Node = Arc<Mutex<dyn FnMut() + Send>>;

#[derive(Default)]
struct Graph {
    nodes: Vec<Node>,
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
        for index in 0..count {
            // A node is its number, from 1 on.
            if !(1..=graph.nodes.len()).contains(&(*after.add(index)).addr()) {
                return Err(INVALID_VALUE);
            }
        }
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
        copy: *const CUDA_MEMCPY3D, _context: CUcontext)
        add(graph, node, after, count, memory::copy_3d(&*copy)?);
    cuGraphAddMemsetNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize,
        parameters: *const CUDA_MEMSET_NODE_PARAMS, _context: CUcontext) {
        let p = &*parameters;
        let work = memory::fill(p.dst, p.pitch, p.value, p.elementSize as usize, p.width, p.height)?;
        add(graph, node, after, count, work)
    };
    cuGraphAddEmptyNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize)
        add(graph, node, after, count, || {});
    cuGraphInstantiateWithFlags(exec: *mut CUgraphExec, graph: CUgraph, _flags: u64) {
        let graph = graph.cast::<Graph>().as_ref().ok_or(INVALID_HANDLE)?;
        faults::live(1);
        put(exec, Box::into_raw(Box::new(Graph { nodes: graph.nodes.clone() })).cast())
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
        let nodes = exec.cast::<Graph>().as_ref().ok_or(INVALID_HANDLE)?.nodes.clone();
        stream::push(stream, Box::new(move || nodes.iter().for_each(|node| lock(node)())))
    };
}
