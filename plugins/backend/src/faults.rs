//! Faults that more than one backend finds in a call: one code and one text for each.
//!
//! Texts use plain words, because a parameter has another name in each interface. The views of a front name its own parameters.

use std::ffi::CStr;
use std::fmt;

use crate::Error;
use crate::types::*;

/// Objects that do not belong together.
impl Error {
    /// An object of another context than the one that it is used with: `ErrorCode::INVALID_CONTEXT`.
    #[cold]
    pub fn other_context(object: &str, than: &str) -> Self {
        Self::new(ErrorCode::INVALID_CONTEXT, format!("{object} is of another context than {than}"))
    }

    /// The refusal of a command whose wait list has an event of another context than its queue's. OpenCL has that rule, and every
    /// backend keeps it. A wait on the host takes events of any contexts.
    #[cold]
    pub fn event_of_another_context() -> Self {
        let text = "an event to wait for is of another context than the queue; wait for it on the host first";
        Self::new(ErrorCode::INVALID_CONTEXT, text)
    }

    /// A device that the context does not have: `ErrorCode::INVALID_DEVICE`.
    #[cold]
    pub fn device_of_another_context() -> Self {
        Self::new(ErrorCode::INVALID_DEVICE, "the device is not one of the context's devices")
    }

    /// A device that the program is not for: `ErrorCode::INVALID_DEVICE`.
    #[cold]
    pub fn device_of_another_program() -> Self {
        Self::new(ErrorCode::INVALID_DEVICE, "the device is not one of the program's devices")
    }

    /// A native handle of 0, with the code for the kind of object that is needed.
    #[cold]
    pub fn no_native_handle(code: ErrorCode, needed: &str) -> Self {
        Self::new(code, format!("the native handle is null; needed: {needed}"))
    }
}

/// Memory.
impl Error {
    /// A range that leaves its object of `total` bytes: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn outside(object: impl fmt::Display, offset: usize, size: usize, total: usize) -> Self {
        Self::invalid_value(format!(
            "{object}: {size} bytes from byte {offset} on are not in its {total} bytes"
        ))
    }

    /// A command on 0 bytes: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn empty_command(command: &str) -> Self {
        Self::invalid_value(format!("the size of {command} is 0"))
    }

    /// A request for 0 bytes of memory: `ErrorCode::INVALID_BUFFER_SIZE`.
    #[cold]
    pub fn empty_allocation() -> Self {
        Self::new(ErrorCode::INVALID_BUFFER_SIZE, "the size of the allocation is 0")
    }

    /// A sub-buffer of 0 bytes: `ErrorCode::INVALID_BUFFER_SIZE`.
    #[cold]
    pub fn empty_sub_buffer() -> Self {
        Self::new(ErrorCode::INVALID_BUFFER_SIZE, "the size of the sub-buffer is 0")
    }

    /// Rows that are no memory, or more than there can be: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn impossible_rows(width: usize, height: usize) -> Self {
        Self::invalid_value(format!("a width of {width} bytes by a height of {height} is no memory"))
    }

    /// An image where a buffer is needed: `ErrorCode::INVALID_MEM_OBJECT`.
    #[cold]
    pub fn image_for_buffer() -> Self {
        Self::new(ErrorCode::INVALID_MEM_OBJECT, "the memory object is an image; a buffer is needed")
    }

    /// A buffer where an image is needed: `ErrorCode::INVALID_MEM_OBJECT`.
    #[cold]
    pub fn buffer_for_image() -> Self {
        Self::new(ErrorCode::INVALID_MEM_OBJECT, "the memory object is a buffer; an image is needed")
    }

    /// A copy inside one buffer onto itself: `ErrorCode::MEM_COPY_OVERLAP`.
    #[cold]
    pub fn overlapping_copy() -> Self {
        Self::new(ErrorCode::MEM_COPY_OVERLAP, "the source and the destination overlap in the buffer")
    }

    /// Flags of a map that are unknown, or none where one is needed: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn bad_map_flags(flags: MapFlags) -> Self {
        Self::invalid_value(format!("map flags {flags:#x} are unknown or none"))
    }

    /// The unmap of an address at which nothing of the buffer is mapped: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn not_mapped(address: usize) -> Self {
        Self::invalid_value(format!("nothing of the memory object is mapped at {address:#x}"))
    }
}

/// Programs, kernels and their arguments.
impl Error {
    /// A program that is not built: `ErrorCode::INVALID_PROGRAM_EXECUTABLE`.
    #[cold]
    pub fn not_built() -> Self {
        Self::new(ErrorCode::INVALID_PROGRAM_EXECUTABLE, "the program is not built")
    }

    /// An option of the compiler driver that no option of the backend's compiler stands for: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn unknown_frontend_option(option: &CStr) -> Self {
        Self::invalid_value(format!("no driver option stands for {option:?}"))
    }

    /// An argument that the kernel does not have: `ErrorCode::INVALID_ARG_INDEX`.
    #[cold]
    pub fn no_such_argument(index: usize, count: usize) -> Self {
        let text = format!("argument {index}: the kernel has {count} arguments");
        Self::new(ErrorCode::INVALID_ARG_INDEX, text)
    }

    /// An argument that no kernel has: `ErrorCode::INVALID_ARG_INDEX`.
    #[cold]
    pub fn too_many_arguments(index: usize) -> Self {
        Self::new(ErrorCode::INVALID_ARG_INDEX, format!("argument {index}: no kernel has as many"))
    }

    /// A value of another size than the argument's: `ErrorCode::INVALID_ARG_SIZE`.
    #[cold]
    pub fn argument_size(index: usize, size: usize, expected: usize) -> Self {
        let text = format!("argument {index} has {expected} bytes; the value has {size} bytes");
        Self::new(ErrorCode::INVALID_ARG_SIZE, text)
    }

    /// A property of a kernel's execution that the backend does not know: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn unknown_exec_info(name: KernelExecInfo) -> Self {
        Self::invalid_value(format!("no execution property has the name {name:#x}"))
    }

    /// An unknown preference for the caches: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn unknown_cache_config() -> Self {
        Self::invalid_value("unknown value of the cache configuration")
    }
}

/// Queries and numbers of the interface.
impl Error {
    /// A query about a `kind` of object by a number that the backend does not know: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn unknown_query(kind: &str, name: impl fmt::LowerHex) -> Self {
        Self::invalid_value(format!("no {kind} query has the name {name:#x}"))
    }

    /// A query that only queues on a device answer, which no backend has: `ErrorCode::INVALID_QUEUE`.
    #[cold]
    pub fn query_of_device_queue() -> Self {
        let text = "this query is for queues on the device; this queue is on the host";
        Self::new(ErrorCode::INVALID_QUEUE, text)
    }

    /// A query between two devices that the backend does not know: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn unknown_peer_attribute(attribute: PeerAttribute) -> Self {
        Self::invalid_value(format!("unknown attribute {attribute:#x} of a device and its peer"))
    }

    /// A status that no callback can wait for: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn bad_callback_status(status: EventStatus) -> Self {
        Self::invalid_value(format!(
            "callback for status {status} of an event; complete, running and submitted are possible"
        ))
    }

    /// A status that a user event cannot be set to: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn bad_event_status(status: EventStatus) -> Self {
        Self::invalid_value(format!("status {status} is neither complete nor a failure"))
    }
}
