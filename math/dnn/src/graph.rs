//! Graphs. No partition is compiled for an engine of ours, so there is nothing to run.
#![expect(unsafe_code, reason = "C functions")]

use std::ffi::c_void;

use crate::engine::Engine;
use crate::forward::functions;
use crate::status::UNIMPLEMENTED;

functions! {
    /// Refuses to compile a partition for an engine of ours.
    fn dnnl_graph_partition_compile(
        partition: *mut c_void, compiled: *mut c_void, inputs: usize, input: *mut c_void, outputs: usize,
        output: *mut c_void, engine: *mut c_void,
    ) of engine: Engine = {
        let _ = (engine, partition, compiled, inputs, input, outputs, output);
        Err(UNIMPLEMENTED)
    };
    /// Refuses a tensor of an engine of ours.
    fn dnnl_graph_tensor_create(tensor: *mut c_void, logical: *const c_void, engine: *mut c_void, data: *mut c_void)
        of engine: Engine = { let _ = (engine, tensor, logical, data); Err(UNIMPLEMENTED) };
}
