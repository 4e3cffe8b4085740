//! Graphs that are captured from queues.

use super::prelude::*;

absent! {
    urQueueBeginGraphCaptureExp(hQueue: ur_queue_handle_t);
    urQueueBeginCaptureIntoGraphExp(hQueue: ur_queue_handle_t, hGraph: ur_exp_graph_handle_t);
    urQueueEndGraphCaptureExp(hQueue: ur_queue_handle_t, phGraph: *mut ur_exp_graph_handle_t);
    urQueueIsGraphCaptureEnabledExp(hQueue: ur_queue_handle_t, pResult: *mut u8);
    urQueueGetGraphExp(hQueue: ur_queue_handle_t, phGraph: *mut ur_exp_graph_handle_t);
    urEnqueueGraphExp(hQueue: ur_queue_handle_t, hGraph: ur_exp_executable_graph_handle_t, numEventsInWaitList: u32,
        phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
    urGraphCreateExp(hContext: ur_context_handle_t, phGraph: *mut ur_exp_graph_handle_t);
    urGraphInstantiateGraphExp(hGraph: ur_exp_graph_handle_t, phExecGraph: *mut ur_exp_executable_graph_handle_t);
    urGraphDestroyExp(hGraph: ur_exp_graph_handle_t);
    urGraphExecutableGraphDestroyExp(hExecutableGraph: ur_exp_executable_graph_handle_t);
    urGraphIsEmptyExp(hGraph: ur_exp_graph_handle_t, pResult: *mut u8);
    urGraphGetIdExp(hGraph: ur_exp_graph_handle_t, pGraphId: *mut u64);
    urGraphSetDestructionCallbackExp(hGraph: ur_exp_graph_handle_t, pfnCallback: ur_exp_graph_destruction_callback_t,
        pUserData: *mut c_void);
    urGraphDumpContentsExp(hGraph: ur_exp_graph_handle_t, filePath: *const c_char);
    urGraphGetNativeHandleExp(hGraph: ur_exp_graph_handle_t, phNativeGraph: *mut ur_native_handle_t);
    urGraphExecutableGraphGetNativeHandleExp(hExecutableGraph: ur_exp_executable_graph_handle_t,
        phNativeExecutableGraph: *mut ur_native_handle_t);
}
