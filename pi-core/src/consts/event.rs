//! Constants of the event entry points, as of PI 15.47 (values: golden/enums.json).

use crate::types::*;

// _pi_event_info
/// `_pi_event_info`.
pub const PI_EVENT_INFO_COMMAND_QUEUE: pi_event_info = 0x11d0;
/// `_pi_event_info`.
pub const PI_EVENT_INFO_CONTEXT: pi_event_info = 0x11d4;
/// `_pi_event_info`.
pub const PI_EVENT_INFO_COMMAND_TYPE: pi_event_info = 0x11d1;
/// `_pi_event_info`.
pub const PI_EVENT_INFO_COMMAND_EXECUTION_STATUS: pi_event_info = 0x11d3;
/// `_pi_event_info`.
pub const PI_EVENT_INFO_REFERENCE_COUNT: pi_event_info = 0x11d2;

// _pi_event_status
/// `_pi_event_status`.
pub const PI_EVENT_COMPLETE: pi_event_status = 0;
/// `_pi_event_status`.
pub const PI_EVENT_RUNNING: pi_event_status = 1;
/// `_pi_event_status`.
pub const PI_EVENT_SUBMITTED: pi_event_status = 2;
/// `_pi_event_status`.
pub const PI_EVENT_QUEUED: pi_event_status = 3;

// _pi_command_type
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_NDRANGE_KERNEL: pi_command_type = 0x11f0;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_MEM_BUFFER_READ: pi_command_type = 0x11f3;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_MEM_BUFFER_WRITE: pi_command_type = 0x11f4;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_MEM_BUFFER_COPY: pi_command_type = 0x11f5;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_MEM_BUFFER_MAP: pi_command_type = 0x11fb;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_MEM_BUFFER_UNMAP: pi_command_type = 0x11fd;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_MEM_BUFFER_READ_RECT: pi_command_type = 0x1201;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_MEM_BUFFER_WRITE_RECT: pi_command_type = 0x1202;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_MEM_BUFFER_COPY_RECT: pi_command_type = 0x1203;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_USER: pi_command_type = 0x1204;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_MEM_BUFFER_FILL: pi_command_type = 0x1207;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_IMAGE_READ: pi_command_type = 0x11f6;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_IMAGE_WRITE: pi_command_type = 0x11f7;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_IMAGE_COPY: pi_command_type = 0x11f8;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_NATIVE_KERNEL: pi_command_type = 0x11f2;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_COPY_BUFFER_TO_IMAGE: pi_command_type = 0x11fa;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_COPY_IMAGE_TO_BUFFER: pi_command_type = 0x11f9;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_MAP_IMAGE: pi_command_type = 0x11fc;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_MARKER: pi_command_type = 0x11fe;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_ACQUIRE_GL_OBJECTS: pi_command_type = 0x11ff;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_RELEASE_GL_OBJECTS: pi_command_type = 0x1200;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_BARRIER: pi_command_type = 0x1205;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_MIGRATE_MEM_OBJECTS: pi_command_type = 0x1206;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_FILL_IMAGE: pi_command_type = 0x1208;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_SVM_FREE: pi_command_type = 0x1209;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_SVM_MEMCPY: pi_command_type = 0x120a;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_SVM_MEMFILL: pi_command_type = 0x120b;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_SVM_MAP: pi_command_type = 0x120c;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_SVM_UNMAP: pi_command_type = 0x120d;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_EXT_COMMAND_BUFFER: pi_command_type = 0x12a8;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_DEVICE_GLOBAL_VARIABLE_READ: pi_command_type = 0x418e;
/// `_pi_command_type`.
pub const PI_COMMAND_TYPE_DEVICE_GLOBAL_VARIABLE_WRITE: pi_command_type = 0x418f;

// _pi_profiling_info
/// `_pi_profiling_info`.
pub const PI_PROFILING_INFO_COMMAND_QUEUED: pi_profiling_info = 0x1280;
/// `_pi_profiling_info`.
pub const PI_PROFILING_INFO_COMMAND_SUBMIT: pi_profiling_info = 0x1281;
/// `_pi_profiling_info`.
pub const PI_PROFILING_INFO_COMMAND_START: pi_profiling_info = 0x1282;
/// `_pi_profiling_info`.
pub const PI_PROFILING_INFO_COMMAND_END: pi_profiling_info = 0x1283;
