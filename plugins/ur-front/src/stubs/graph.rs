//! Graphs captured from queues.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use sycl_pi_backend::Counted;

use super::prelude::*;
use crate::capture::graph::{DestructionCallback, ExecutableGraph, Graph};
use crate::capture::{begin, check_graphs, end, participation};
use crate::handle::Reference;
use crate::own_queue::first_device;

stubs! {
    urQueueBeginGraphCaptureExp(hQueue: ur_queue_handle_t) begin::<B>(object(hQueue, "hQueue")?, None);

    urQueueBeginCaptureIntoGraphExp(hQueue: ur_queue_handle_t, hGraph: ur_exp_graph_handle_t) {
        let (queue, graph) = (object(hQueue, "hQueue")?, counted(hGraph, "hGraph")?);
        begin::<B>(queue, Some(graph))
    };

    urQueueEndGraphCaptureExp(hQueue: ur_queue_handle_t, phGraph: *mut ur_exp_graph_handle_t) {
        let queue = object(hQueue, "hQueue")?;
        put(phGraph, "phGraph", || end::<B>(queue))
    };

    urQueueIsGraphCaptureEnabledExp(hQueue: ur_queue_handle_t, pResult: *mut u8) {
        let queue = object(hQueue, "hQueue")?;
        put(pResult, "pResult", || Ok(participation::<B>(queue).is_some().into()))
    };

    urQueueGetGraphExp(hQueue: ur_queue_handle_t, phGraph: *mut ur_exp_graph_handle_t) {
        let queue = object(hQueue, "hQueue")?;
        put(phGraph, "phGraph", || {
            let part = participation::<B>(queue)
                .ok_or_else(|| error(UR_RESULT_ERROR_INVALID_OPERATION, "hQueue: the queue does not capture"))?;
            Ok(part.capture.graph())
        })
    };

    urEnqueueGraphExp(hQueue: ur_queue_handle_t, hGraph: ur_exp_executable_graph_handle_t, numEventsInWaitList: u32,
        phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, graph) = (object(hQueue, "hQueue")?, counted::<ExecutableGraph<B>>(hGraph, "hGraph")?);
        enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            |dependencies| graph.enqueue(queue, dependencies))?;
        if !phEvent.is_null() {
            object::<B::Event>(*phEvent, "the graph's event")?.kept().store(true, Ordering::Relaxed);
        }
        Ok(())
    };

    urGraphCreateExp(hContext: ur_context_handle_t, phGraph: *mut ur_exp_graph_handle_t) {
        let context = object::<B::Context>(hContext, "hContext")?;
        check_graphs::<B>(first_device::<B>(context)?)?;
        put(phGraph, "phGraph", || {
            let graph = Graph::<B>::new(Some(context.share()));
            Ok(Counted::create_with_front_word(origin(context).word, graph).into_raw())
        })
    };

    urGraphInstantiateGraphExp(hGraph: ur_exp_graph_handle_t, phExecGraph: *mut ur_exp_executable_graph_handle_t) {
        let graph = counted::<Graph<B>>(hGraph, "hGraph")?;
        put(phExecGraph, "phExecGraph", || {
            let executable = ExecutableGraph::<B>::from_graph(graph)?;
            Ok(Counted::create_with_front_word(graph.front_word(), executable).into_raw())
        })
    };

    urGraphDestroyExp(hGraph: ur_exp_graph_handle_t) {
        counted::<Graph<B>>(hGraph, "hGraph")?.release();
        Ok(())
    };

    urGraphExecutableGraphDestroyExp(hExecutableGraph: ur_exp_executable_graph_handle_t) {
        counted::<ExecutableGraph<B>>(hExecutableGraph, "hExecutableGraph")?.release();
        Ok(())
    };

    urGraphIsEmptyExp(hGraph: ur_exp_graph_handle_t, pResult: *mut u8) {
        let graph = counted::<Graph<B>>(hGraph, "hGraph")?;
        put(pResult, "pResult", || Ok(graph.capture().is_empty().into()))
    };

    urGraphGetIdExp(hGraph: ur_exp_graph_handle_t, pGraphId: *mut u64) {
        let graph = counted::<Graph<B>>(hGraph, "hGraph")?;
        put(pGraphId, "pGraphId", || Ok(graph.id))
    };

    urGraphSetDestructionCallbackExp(hGraph: ur_exp_graph_handle_t, pfnCallback: ur_exp_graph_destruction_callback_t,
        pUserData: *mut c_void) {
        let graph = counted::<Graph<B>>(hGraph, "hGraph")?;
        let function = pfnCallback.ok_or_else(|| null_pointer("pfnCallback"))?;
        graph.call_at_destruction(DestructionCallback { function, user_data: pUserData });
        Ok(())
    };

    urGraphDumpContentsExp(hGraph: ur_exp_graph_handle_t, filePath: *const c_char) {
        let graph = counted::<Graph<B>>(hGraph, "hGraph")?;
        let path = c_str(filePath, "filePath")?.to_string_lossy();
        let written = std::fs::write(&*path, graph.capture().dot(graph.id));
        written.map_err(|failure| Error::new(ErrorCode::UNKNOWN, format!("filePath {path}: {failure}")))
    };

    urGraphGetNativeHandleExp(hGraph: ur_exp_graph_handle_t, phNativeGraph: *mut ur_native_handle_t) {
        let graph = counted::<Graph<B>>(hGraph, "hGraph")?;
        put(phNativeGraph, "phNativeGraph", || native::<B>(graph.capture().buffer(), false))
    };

    urGraphExecutableGraphGetNativeHandleExp(hExecutableGraph: ur_exp_executable_graph_handle_t,
        phNativeExecutableGraph: *mut ur_native_handle_t) {
        let graph = counted::<ExecutableGraph<B>>(hExecutableGraph, "hExecutableGraph")?;
        put(phNativeExecutableGraph, "phNativeExecutableGraph", || native::<B>(graph.buffer.clone(), true))
    };
}

/// Returns the driver's object behind a command buffer.
fn native<B: Backend>(
    buffer: Option<Arc<Reference<B::CommandBuffer>>>,
    runs: bool,
) -> Result<ur_native_handle_t> {
    let no_command = || Error::unsupported("the driver has no object for a graph without commands");
    let native = B::command_buffer_native_handle(&**buffer.ok_or_else(no_command)?, runs)?;
    Ok(native as ur_native_handle_t)
}
