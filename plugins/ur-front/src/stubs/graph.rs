//! Graphs captured from queues.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use sycl_pi_backend::Counted;

use super::prelude::*;
use crate::capture::graph::{DestructionCallback, ExecutableGraph, Graph};
use crate::capture::{begin, check_graphs, end, participation};
use crate::handle::Reference;

#[entry]
pub unsafe extern "C" fn urQueueBeginGraphCaptureExp<B: Backend>(hQueue: ur_queue_handle_t) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    begin::<B>(unsafe { object(hQueue, "hQueue")? }, None)
}

#[entry]
pub unsafe extern "C" fn urQueueBeginCaptureIntoGraphExp<B: Backend>(
    hQueue: ur_queue_handle_t, hGraph: ur_exp_graph_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` and `hGraph` are null or live handles.
    let (queue, graph) = unsafe { (object(hQueue, "hQueue")?, counted(hGraph, "hGraph")?) };
    begin::<B>(queue, Some(graph))
}

#[entry]
pub unsafe extern "C" fn urQueueEndGraphCaptureExp<B: Backend>(
    hQueue: ur_queue_handle_t, phGraph: *mut ur_exp_graph_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    // SAFETY: `phGraph` is null or writable.
    unsafe { put(phGraph, "phGraph", || end::<B>(queue)) }
}

#[entry]
pub unsafe extern "C" fn urQueueIsGraphCaptureEnabledExp<B: Backend>(
    hQueue: ur_queue_handle_t, pResult: *mut u8,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    // SAFETY: `pResult` is null or writable.
    unsafe { put(pResult, "pResult", || Ok(participation::<B>(queue).is_some().into())) }
}

#[entry]
pub unsafe extern "C" fn urQueueGetGraphExp<B: Backend>(
    hQueue: ur_queue_handle_t, phGraph: *mut ur_exp_graph_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    // SAFETY: `phGraph` is null or writable.
    unsafe {
        put(phGraph, "phGraph", || {
            let part = participation::<B>(queue).ok_or_else(|| {
                error(UR_RESULT_ERROR_INVALID_OPERATION, "hQueue: the queue is not being captured")
            })?;
            Ok(part.capture.graph())
        })
    }
}

#[entry]
pub unsafe extern "C" fn urEnqueueGraphExp<B: Backend>(
    hQueue: ur_queue_handle_t, hGraph: ur_exp_executable_graph_handle_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    let (queue, graph) =
        // SAFETY: `hQueue` and `hGraph` are null or live handles.
        unsafe { (object(hQueue, "hQueue")?, counted::<ExecutableGraph<B>>(hGraph, "hGraph")?) };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            graph.enqueue(queue, dependencies)
        })?
    };
    if !phEvent.is_null() {
        // SAFETY: `*phEvent` is null or a live handle.
        unsafe { object::<B::Event>(*phEvent, "the graph's event")? }.kept().store(true, Ordering::Relaxed);
    }
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urGraphCreateExp<B: Backend>(
    hContext: ur_context_handle_t, phGraph: *mut ur_exp_graph_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    check_graphs::<B>(B::context_first_device(context)?)?;
    // SAFETY: `phGraph` is null or writable.
    unsafe {
        put(phGraph, "phGraph", || {
            let graph = Graph::<B>::new(Some(context.share()));
            Ok(Counted::create_with_front_word(origin(context).word, graph).into_raw())
        })
    }
}

#[entry]
pub unsafe extern "C" fn urGraphInstantiateGraphExp<B: Backend>(
    hGraph: ur_exp_graph_handle_t, phExecGraph: *mut ur_exp_executable_graph_handle_t,
) -> Result<()> {
    // SAFETY: `hGraph` is null or a live handle.
    let graph = unsafe { counted::<Graph<B>>(hGraph, "hGraph")? };
    // SAFETY: `phExecGraph` is null or writable.
    unsafe {
        put(phExecGraph, "phExecGraph", || {
            let executable = ExecutableGraph::<B>::from_graph(graph)?;
            Ok(Counted::create_with_front_word(graph.front_word(), executable).into_raw())
        })
    }
}

#[entry]
pub unsafe extern "C" fn urGraphDestroyExp<B: Backend>(hGraph: ur_exp_graph_handle_t) -> Result<()> {
    // SAFETY: `hGraph` is null or a live handle.
    unsafe { counted::<Graph<B>>(hGraph, "hGraph")?.release() };
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urGraphExecutableGraphDestroyExp<B: Backend>(
    hExecutableGraph: ur_exp_executable_graph_handle_t,
) -> Result<()> {
    // SAFETY: `hExecutableGraph` is null or a live handle.
    unsafe { counted::<ExecutableGraph<B>>(hExecutableGraph, "hExecutableGraph")?.release() };
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urGraphIsEmptyExp<B: Backend>(
    hGraph: ur_exp_graph_handle_t, pResult: *mut u8,
) -> Result<()> {
    // SAFETY: `hGraph` is null or a live handle.
    let graph = unsafe { counted::<Graph<B>>(hGraph, "hGraph")? };
    // SAFETY: `pResult` is null or writable.
    unsafe { put(pResult, "pResult", || Ok(graph.capture().is_empty().into())) }
}

#[entry]
pub unsafe extern "C" fn urGraphGetIdExp<B: Backend>(
    hGraph: ur_exp_graph_handle_t, pGraphId: *mut u64,
) -> Result<()> {
    // SAFETY: `hGraph` is null or a live handle.
    let graph = unsafe { counted::<Graph<B>>(hGraph, "hGraph")? };
    // SAFETY: `pGraphId` is null or writable.
    unsafe { put(pGraphId, "pGraphId", || Ok(graph.id)) }
}

#[entry]
pub unsafe extern "C" fn urGraphSetDestructionCallbackExp<B: Backend>(
    hGraph: ur_exp_graph_handle_t, pfnCallback: ur_exp_graph_destruction_callback_t, pUserData: *mut c_void,
) -> Result<()> {
    // SAFETY: `hGraph` is null or a live handle.
    let graph = unsafe { counted::<Graph<B>>(hGraph, "hGraph")? };
    let function = pfnCallback.ok_or_else(|| null_pointer("pfnCallback"))?;
    graph.call_at_destruction(DestructionCallback { function, user_data: pUserData });
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urGraphDumpContentsExp<B: Backend>(
    hGraph: ur_exp_graph_handle_t, filePath: *const c_char,
) -> Result<()> {
    // SAFETY: `hGraph` is null or a live handle.
    let graph = unsafe { counted::<Graph<B>>(hGraph, "hGraph")? };
    // SAFETY: `filePath` is null or what its type says.
    let path = unsafe { c_str(filePath, "filePath")? }.to_string_lossy();
    let written = std::fs::write(&*path, graph.capture().dot(graph.id));
    written.map_err(|failure| Error::new(ErrorCode::UNKNOWN, format!("filePath {path}: {failure}")))
}

#[entry]
pub unsafe extern "C" fn urGraphGetNativeHandleExp<B: Backend>(
    hGraph: ur_exp_graph_handle_t, phNativeGraph: *mut ur_native_handle_t,
) -> Result<()> {
    // SAFETY: `hGraph` is null or a live handle.
    let graph = unsafe { counted::<Graph<B>>(hGraph, "hGraph")? };
    // SAFETY: `phNativeGraph` is null or writable.
    unsafe { put(phNativeGraph, "phNativeGraph", || native::<B>(graph.capture().buffer(), false)) }
}

#[entry]
pub unsafe extern "C" fn urGraphExecutableGraphGetNativeHandleExp<B: Backend>(
    hExecutableGraph: ur_exp_executable_graph_handle_t, phNativeExecutableGraph: *mut ur_native_handle_t,
) -> Result<()> {
    // SAFETY: `hExecutableGraph` is null or a live handle.
    let graph = unsafe { counted::<ExecutableGraph<B>>(hExecutableGraph, "hExecutableGraph")? };
    // SAFETY: `phNativeExecutableGraph` is null or writable.
    unsafe {
        put(phNativeExecutableGraph, "phNativeExecutableGraph", || native::<B>(graph.buffer.clone(), true))
    }
}

/// Returns the driver's object behind a command buffer.
fn native<B: Backend>(
    buffer: Option<Arc<Reference<B::CommandBuffer>>>, runs: bool,
) -> Result<ur_native_handle_t> {
    let no_command = || Error::unsupported("the driver has no object for a graph without commands");
    let native = B::command_buffer_native_handle(&**buffer.ok_or_else(no_command)?, runs)?;
    Ok(native as ur_native_handle_t)
}
