//! Commands of the backend in `fake`.

use std::ffi::c_void;
use std::sync::Mutex;

use sycl_pi_backend::api::*;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{
    Counted, Dependencies, Fill, LaunchProperties, NdRange, New, Rect, Result, SyncPointDependencies,
    native_command_behind_barrier,
};

use crate::fake::{CommandBuffer, Event, Fake, address, drop_unwanted, note};

/// Returns a command with all its arguments.
pub(crate) fn text_of(command: &Command<'_, Fake>) -> String {
    let boxes = |rect: &Rect<'_>| {
        let Rect { first_origin, second_origin, region, .. } = rect;
        let pitches =
            [rect.first_row_pitch, rect.first_slice_pitch, rect.second_row_pitch, rect.second_slice_pitch];
        format!("{region:?} from {first_origin:?} to {second_origin:?} pitches {pitches:?}")
    };
    let filled = |fill: &Fill<'_>| format!("{:?} in {}x{}", fill.pattern(), fill.width(), fill.height());
    match command {
        Command::KernelLaunch { range, .. } => {
            let NdRange { offset, global, local } = range;
            format!("launch {offset:?} {global:?} {local:?}")
        }
        Command::UsmMemcpy { dst, src, size } => format!("copy {size} {} {}", src.addr(), dst.addr()),
        Command::UsmFill { ptr, fill } => format!("fill {} {}", ptr.addr(), filled(fill)),
        Command::UsmPrefetch { ptr, size, flags } => {
            format!("prefetch {size} {} {}", ptr.addr(), flags.bits())
        }
        Command::UsmAdvise { ptr, length, advice } => {
            format!("advise {length} {} {}", ptr.addr(), advice.bits())
        }
        Command::BufferCopy { src, dst, src_offset, dst_offset, size } => {
            format!("copy {size} of {} {src_offset} to {} {dst_offset}", src.0, dst.0)
        }
        Command::BufferCopyRect { src, dst, rect } => format!("copy {} {} {}", src.0, dst.0, boxes(rect)),
        Command::BufferRead { buffer, offset, size, dst } => {
            format!("read {size} of {} {offset} to {}", buffer.0, dst.addr())
        }
        Command::BufferReadRect { buffer, rect, dst } => {
            format!("read {} {} {}", buffer.0, boxes(rect), dst.addr())
        }
        Command::BufferWrite { buffer, offset, size, src } => {
            format!("write {size} of {} {offset} from {}", buffer.0, src.addr())
        }
        Command::BufferWriteRect { buffer, rect, src } => {
            format!("write {} {} {}", buffer.0, boxes(rect), src.addr())
        }
        Command::BufferFill { buffer, offset, fill } => {
            format!("fill {} {offset} {}", buffer.0, filled(fill))
        }
    }
}

/// Notes a command of a queue.
fn run(command: &Command<'_, Fake>, blocking: bool) -> Result<()> {
    note(text_of(command) + if blocking { " blocking" } else { "" })
}

impl EnqueueApi for Fake {
    fn enqueue_kernel_launch(
        _: &Self::Queue, kernel: &Self::Kernel, range: NdRange<'_>, _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(text_of(&Command::KernelLaunch { kernel, range }))
    }

    fn enqueue_cooperative_kernel_launch(
        _: &Self::Queue, _: &Self::Kernel, range: NdRange<'_>, _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("launch together {:?}", range.global))
    }

    fn enqueue_timestamp(
        _: &Self::Queue, blocking: bool, dependencies: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("timestamp blocking {blocking}"))?;
        drop_unwanted(dependencies.event.put(Counted::create(Event::new())));
        Ok(())
    }

    fn enqueue_native_kernel(
        _: &Self::Queue, function: unsafe extern "C" fn(*mut c_void), args: &mut [u8], _: &[&Self::Mem],
        _: &[*const c_void], _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note("host task".into())?;
        // SAFETY: the front's function with its arguments, called once.
        unsafe { function(args.as_mut_ptr().cast()) };
        Ok(())
    }

    fn enqueue_kernel_launch_with_properties(
        _: &Self::Queue, _: &Self::Kernel, _: NdRange<'_>, properties: &LaunchProperties,
        _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("{properties:?}"))
    }

    fn enqueue_events_wait(_: &Self::Queue, dependencies: Dependencies<'_, Self::Event>) -> Result<()> {
        note(format!("wait for {}", dependencies.waits.len()))?;
        drop_unwanted(dependencies.event.put(Counted::create(Event::new())));
        Ok(())
    }

    fn enqueue_events_wait_with_barrier(
        _: &Self::Queue, dependencies: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("barrier after {}", dependencies.waits.len()))?;
        drop_unwanted(dependencies.event.put(Counted::create(Event::new())));
        Ok(())
    }

    fn enqueue_native_command(
        queue: &Self::Queue, run: &mut dyn FnMut(), dependencies: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        native_command_behind_barrier::<Self>(queue, run, dependencies)
    }

    fn enqueue_mem_buffer_read(
        _: &Self::Queue, buffer: &Self::Mem, blocking: bool, offset: usize, size: usize, dst: *mut c_void,
        _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        run(&Command::BufferRead { buffer, offset, size, dst }, blocking)
    }

    fn enqueue_mem_buffer_read_rect(
        _: &Self::Queue, buffer: &Self::Mem, blocking: bool, rect: Rect<'_>, dst: *mut c_void,
        _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        run(&Command::BufferReadRect { buffer, rect, dst }, blocking)
    }

    fn enqueue_mem_buffer_write(
        _: &Self::Queue, buffer: &Self::Mem, blocking: bool, offset: usize, size: usize, src: *const c_void,
        _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        run(&Command::BufferWrite { buffer, offset, size, src }, blocking)
    }

    fn enqueue_mem_buffer_write_rect(
        _: &Self::Queue, buffer: &Self::Mem, blocking: bool, rect: Rect<'_>, src: *const c_void,
        _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        run(&Command::BufferWriteRect { buffer, rect, src }, blocking)
    }

    fn enqueue_mem_buffer_copy(
        _: &Self::Queue, src: &Self::Mem, dst: &Self::Mem, src_offset: usize, dst_offset: usize, size: usize,
        _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        run(&Command::BufferCopy { src, dst, src_offset, dst_offset, size }, false)
    }

    fn enqueue_mem_buffer_copy_rect(
        _: &Self::Queue, src: &Self::Mem, dst: &Self::Mem, rect: Rect<'_>, _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        run(&Command::BufferCopyRect { src, dst, rect }, false)
    }

    fn enqueue_mem_buffer_fill(
        _: &Self::Queue, buffer: &Self::Mem, offset: usize, fill: Fill<'_>, _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        run(&Command::BufferFill { buffer, offset, fill }, false)
    }

    fn enqueue_mem_buffer_map(
        _: &Self::Queue, _: &Self::Mem, blocking: bool, flags: MapFlags, offset: usize, size: usize,
        _: Dependencies<'_, Self::Event>,
    ) -> Result<*mut c_void> {
        note(format!("map {flags:?} {offset} {size} blocking {blocking}"))?;
        Ok(address(offset))
    }
}

impl CommandBufferApi for Fake {
    fn command_buffer_create(_: &Self::Context, _: &Self::Device) -> Result<New<Self::CommandBuffer>> {
        Ok(Counted::create(CommandBuffer(Mutex::new(7))))
    }

    fn command_buffer_record(
        buffer: &Self::CommandBuffer, command: Command<'_, Self>, dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        note(format!("record {} after {:?}", text_of(&command), dependencies.waits))?;
        let mut next = buffer.0.lock().unwrap();
        dependencies.put(*next);
        *next += 1;
        Ok(())
    }

    fn command_buffer_finalize(_: &Self::CommandBuffer) -> Result<()> {
        note("finalize".into())
    }

    fn command_buffer_native_handle(_: &Self::CommandBuffer, runs: bool) -> Result<NativeHandle> {
        note(format!("native, runs {runs}"))?;
        Ok(0x70)
    }

    fn enqueue_command_buffer(
        _: &Self::CommandBuffer, _: &Self::Queue, dependencies: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("run after {}", dependencies.waits.len()))?;
        drop_unwanted(dependencies.event.put(Counted::create(Event::new())));
        Ok(())
    }

    fn command_buffer_update(_: &Self::CommandBuffer, updates: &[LaunchUpdate<'_, Self>]) -> Result<()> {
        updates.iter().try_for_each(|update| {
            let args: Vec<_> = update.args.iter().map(|(index, arg)| format!("{index} {arg:?}")).collect();
            let global = update.range.map(|range| range.global);
            note(format!("{} {:?} {args:?} {global:?}", update.point, update.kernel.is_some()))
        })
    }
}

impl EnqueueImageApi for Fake {
    fn enqueue_mem_image_read(
        _: &Self::Queue, _: &Self::Mem, blocking: bool, origin: &[usize; 3], region: &[usize; 3],
        pitches: (usize, usize), ptr: *mut c_void, _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        let to = ptr.addr();
        note(format!("read {region:?} from {origin:?} pitches {pitches:?} to {to} blocking {blocking}"))
    }

    fn enqueue_mem_image_write(
        _: &Self::Queue, _: &Self::Mem, blocking: bool, origin: &[usize; 3], region: &[usize; 3],
        pitches: (usize, usize), ptr: *const c_void, _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        let from = ptr.addr();
        note(format!("write {region:?} to {origin:?} pitches {pitches:?} from {from} blocking {blocking}"))
    }

    fn enqueue_mem_image_copy(
        _: &Self::Queue, src: &Self::Mem, dst: &Self::Mem, from: &[usize; 3], to: &[usize; 3],
        region: &[usize; 3], _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("copy {region:?} of {} {from:?} to {} {to:?}", src.0, dst.0))
    }
}
