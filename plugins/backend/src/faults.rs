//! Errors that more than one backend detects. Each has one code and one message.
//!
//! The messages use plain words because parameter names differ between interfaces. A front's views add the names of its
//! own parameters.

use std::ffi::CStr;
use std::fmt;

use crate::Error;
use crate::types::*;

/// Errors for objects that do not belong together.
impl Error {
    /// Creates the error for a copy between images whose formats are not equal: `ErrorCode::IMAGE_FORMAT_MISMATCH`.
    #[cold]
    pub fn different_image_formats() -> Self {
        let text = "the source image and the destination image have different formats";
        Self::new(ErrorCode::IMAGE_FORMAT_MISMATCH, text)
    }

    /// Creates the error for an object that is used with an object of another context: `ErrorCode::INVALID_CONTEXT`.
    #[cold]
    pub fn other_context(object: &str, than: &str) -> Self {
        Self::new(ErrorCode::INVALID_CONTEXT, format!("{object} belongs to another context than {than}"))
    }

    /// Creates the error for a wait list with an event that belongs to another context than the command's queue, if the
    /// driver's interface does not allow it: `ErrorCode::INVALID_CONTEXT`. A wait on the host takes events of any
    /// contexts.
    #[cold]
    pub fn event_of_another_context() -> Self {
        let text =
            "an event to wait for belongs to another context than the queue; wait for it on the host first";
        Self::new(ErrorCode::INVALID_CONTEXT, text)
    }

    /// Creates the error for a device that does not belong to the context: `ErrorCode::INVALID_DEVICE`.
    #[cold]
    pub fn device_of_another_context() -> Self {
        Self::new(ErrorCode::INVALID_DEVICE, "the device is not one of the context's devices")
    }

    /// Creates the error for a device that the program does not support: `ErrorCode::INVALID_DEVICE`.
    #[cold]
    pub fn device_of_another_program() -> Self {
        Self::new(ErrorCode::INVALID_DEVICE, "the device is not one of the program's devices")
    }

    /// Creates the error for a native handle of 0, with the code for the kind of object that is needed.
    #[cold]
    pub fn no_native_handle(code: ErrorCode, needed: &str) -> Self {
        Self::new(code, format!("the native handle is null; needed: {needed}"))
    }
}

/// Errors for memory.
impl Error {
    /// Creates the error for a range that exceeds its object of `total` bytes: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn outside(object: impl fmt::Display, offset: usize, size: usize, total: usize) -> Self {
        Self::invalid_value(format!(
            "{object}: an offset of {offset} and a size of {size} exceed its {total} bytes"
        ))
    }

    /// Creates the error for a command on 0 bytes: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn empty_command(command: &str) -> Self {
        Self::invalid_value(format!("the size of {command} is 0"))
    }

    /// Creates the error for an allocation of 0 bytes: `ErrorCode::INVALID_BUFFER_SIZE`.
    #[cold]
    pub fn empty_allocation() -> Self {
        Self::new(ErrorCode::INVALID_BUFFER_SIZE, "the size of the allocation is 0")
    }

    /// Creates the error for a sub-buffer of 0 bytes: `ErrorCode::INVALID_BUFFER_SIZE`.
    #[cold]
    pub fn empty_sub_buffer() -> Self {
        Self::new(ErrorCode::INVALID_BUFFER_SIZE, "the size of the sub-buffer is 0")
    }

    /// Creates the error for rows that are empty or too large for any memory: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn impossible_rows(width: usize, height: usize) -> Self {
        Self::invalid_value(format!(
            "a width of {width} bytes by a height of {height} is empty or exceeds the address space"
        ))
    }

    /// Creates the error for an image passed in place of a buffer: `ErrorCode::INVALID_MEM_OBJECT`.
    #[cold]
    pub fn image_for_buffer() -> Self {
        Self::new(ErrorCode::INVALID_MEM_OBJECT, "the memory object is an image; a buffer is needed")
    }

    /// Creates the error for a buffer passed in place of an image: `ErrorCode::INVALID_MEM_OBJECT`.
    #[cold]
    pub fn buffer_for_image() -> Self {
        Self::new(ErrorCode::INVALID_MEM_OBJECT, "the memory object is a buffer; an image is needed")
    }

    /// Creates the error for a copy whose ranges overlap in one buffer: `ErrorCode::MEM_COPY_OVERLAP`.
    #[cold]
    pub fn overlapping_copy() -> Self {
        Self::new(ErrorCode::MEM_COPY_OVERLAP, "the source and the destination overlap in the buffer")
    }

    /// Creates the error for map flags that are unknown, or missing if one is required: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn bad_map_flags(flags: MapFlags) -> Self {
        Self::invalid_value(format!("map flags {flags:#x} are unknown or none"))
    }

    /// Creates the error for an unmap of an address at which nothing of the buffer is mapped:
    /// `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn not_mapped(address: usize) -> Self {
        Self::invalid_value(format!("nothing of the memory object is mapped at {address:#x}"))
    }
}

/// Errors for programs, kernels and their arguments.
impl Error {
    /// Creates the error for a program that is not built: `ErrorCode::INVALID_PROGRAM_EXECUTABLE`.
    #[cold]
    pub fn not_built() -> Self {
        Self::new(ErrorCode::INVALID_PROGRAM_EXECUTABLE, "the program is not built")
    }

    /// Creates the error for a compiler driver option that has no equivalent in the backend's compiler:
    /// `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn unknown_frontend_option(option: &CStr) -> Self {
        Self::invalid_value(format!("no driver option stands for {option:?}"))
    }

    /// Creates the error for an argument index that the kernel does not have: `ErrorCode::INVALID_ARG_INDEX`.
    #[cold]
    pub fn no_such_argument(index: usize, count: usize) -> Self {
        let text = format!("argument {index}: the kernel has {count} arguments");
        Self::new(ErrorCode::INVALID_ARG_INDEX, text)
    }

    /// Creates the error for an argument index that no kernel can have: `ErrorCode::INVALID_ARG_INDEX`.
    #[cold]
    pub fn too_many_arguments(index: usize) -> Self {
        Self::new(ErrorCode::INVALID_ARG_INDEX, format!("argument {index}: no kernel has as many"))
    }

    /// Creates the error for a value whose size differs from that of the argument: `ErrorCode::INVALID_ARG_SIZE`.
    #[cold]
    pub fn argument_size(index: usize, size: usize, expected: usize) -> Self {
        let text = format!("argument {index} has {expected} bytes; the value has {size} bytes");
        Self::new(ErrorCode::INVALID_ARG_SIZE, text)
    }

    /// Creates the error for an execution property of a kernel that the backend does not know:
    /// `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn unknown_exec_info(name: KernelExecInfo) -> Self {
        Self::invalid_value(format!("no execution property has the name {name:#x}"))
    }

    /// Creates the error for an unknown cache preference: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn unknown_cache_config() -> Self {
        Self::invalid_value("unknown value of the cache configuration")
    }
}

/// Errors for queries and numbers of the interface.
impl Error {
    /// Creates the error for a query about a `kind` of object with a number that the backend does not know:
    /// `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn unknown_query(kind: &str, name: impl fmt::LowerHex) -> Self {
        Self::invalid_value(format!("no {kind} query has the name {name:#x}"))
    }

    /// Creates the error for a query that applies only to on-device queues, which no backend has:
    /// `ErrorCode::INVALID_QUEUE`.
    #[cold]
    pub fn query_of_device_queue() -> Self {
        let text = "this query is for queues on the device; this queue is on the host";
        Self::new(ErrorCode::INVALID_QUEUE, text)
    }

    /// Creates the error for a peer attribute that the backend does not know: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn unknown_peer_attribute(attribute: PeerAttribute) -> Self {
        Self::invalid_value(format!("unknown attribute {attribute:#x} of a device and its peer"))
    }

    /// Creates the error for a status that no callback can be registered for: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn bad_callback_status(status: EventStatus) -> Self {
        Self::invalid_value(format!(
            "callback for status {status} of an event; complete, running and submitted are possible"
        ))
    }

    /// Creates the error for a status that a user event cannot be set to: `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn bad_event_status(status: EventStatus) -> Self {
        Self::invalid_value(format!("status {status} is neither complete nor a failure"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The codes are those that the interfaces document, and runtimes and programs look at.
    #[test]
    fn an_error_has_its_code_and_names_what_is_wrong() {
        let code = ErrorCode::INVALID_SAMPLER;
        let cases = [
            (
                Error::other_context("mem", "queue"),
                ErrorCode::INVALID_CONTEXT,
                "mem belongs to another context than queue",
            ),
            (Error::event_of_another_context(), ErrorCode::INVALID_CONTEXT, "an event to wait for"),
            (Error::device_of_another_context(), ErrorCode::INVALID_DEVICE, "the context's devices"),
            (Error::device_of_another_program(), ErrorCode::INVALID_DEVICE, "the program's devices"),
            (Error::no_native_handle(code, "a sampler"), code, "needed: a sampler"),
            (Error::outside("row", 7, 8, 9), ErrorCode::INVALID_VALUE, "an offset of 7 and a size of 8"),
            (Error::empty_command("a copy"), ErrorCode::INVALID_VALUE, "the size of a copy is 0"),
            (Error::empty_allocation(), ErrorCode::INVALID_BUFFER_SIZE, "allocation is 0"),
            (Error::empty_sub_buffer(), ErrorCode::INVALID_BUFFER_SIZE, "sub-buffer is 0"),
            (Error::impossible_rows(7, 8), ErrorCode::INVALID_VALUE, "7 bytes by a height of 8"),
            (Error::image_for_buffer(), ErrorCode::INVALID_MEM_OBJECT, "a buffer is needed"),
            (Error::buffer_for_image(), ErrorCode::INVALID_MEM_OBJECT, "an image is needed"),
            (Error::overlapping_copy(), ErrorCode::MEM_COPY_OVERLAP, "overlap"),
            (Error::bad_map_flags(MapFlags::empty()), ErrorCode::INVALID_VALUE, "map flags 0x0"),
            (Error::not_mapped(0x10), ErrorCode::INVALID_VALUE, "mapped at 0x10"),
            (Error::not_built(), ErrorCode::INVALID_PROGRAM_EXECUTABLE, "not built"),
            (Error::unknown_frontend_option(c"-O9"), ErrorCode::INVALID_VALUE, "\"-O9\""),
            (Error::no_such_argument(7, 3), ErrorCode::INVALID_ARG_INDEX, "argument 7: the kernel has 3"),
            (Error::too_many_arguments(7), ErrorCode::INVALID_ARG_INDEX, "argument 7"),
            (Error::argument_size(7, 8, 4), ErrorCode::INVALID_ARG_SIZE, "has 4 bytes; the value has 8"),
            (Error::unknown_exec_info(KernelExecInfo(9)), ErrorCode::INVALID_VALUE, "0x9"),
            (Error::unknown_cache_config(), ErrorCode::INVALID_VALUE, "cache"),
            (Error::unknown_query("event", 9), ErrorCode::INVALID_VALUE, "no event query has the name 0x9"),
            (Error::query_of_device_queue(), ErrorCode::INVALID_QUEUE, "queues on the device"),
            (Error::unknown_peer_attribute(PeerAttribute(9)), ErrorCode::INVALID_VALUE, "attribute 0x9"),
            (Error::bad_callback_status(EventStatus(9)), ErrorCode::INVALID_VALUE, "status 9"),
            (Error::bad_event_status(EventStatus(9)), ErrorCode::INVALID_VALUE, "status 9"),
        ];
        for (error, code, part) in cases {
            let text = error.to_string();
            assert_eq!(error.code(), code, "{text}");
            assert!(text.contains(part), "{text:?} lacks {part:?}");
        }
    }
}
