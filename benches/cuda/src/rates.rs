//! Measures the rates of large copies, alternately by the driver alone and by the plugin.

use std::time::Instant;

use testing_cuda::{Fixture, fixture, ok};

use crate::driver::{Driver, Handle, Own};
use crate::measure::median;

const MIB: usize = 1 << 20;

/// Measures only these, in a separate context.
pub(crate) fn of_plugin(driver: &Driver) -> Vec<String> {
    let fixture = Fixture::new();
    let mut native = 0;
    ok!(piextContextGetNativeHandle(fixture.context, &mut native));
    let own = Own::new(driver, std::ptr::with_exposed_provenance_mut(native));
    run(&fixture, driver, own.stream)
}

/// Prints the rates and returns each as JSON.
pub(crate) fn run(fixture: &Fixture, driver: &Driver, stream: Handle) -> Vec<String> {
    let sizes: &[usize] = if fixture::is_software() { &[MIB] } else { &[MIB, 16 * MIB, 64 * MIB, 256 * MIB] };
    let mut json = Vec::new();
    for &size in sizes {
        let device = fixture.device_memory(size);
        let pinned = fixture.host_memory(size);
        let mut ordinary = vec![1_u8; size];
        let ordinary = ordinary.as_mut_ptr().cast();
        for (name, to, from) in [
            ("pinned memory to the device", device.start, pinned.start),
            ("the device to pinned memory", pinned.start, device.start),
            ("ordinary memory to the device", device.start, ordinary),
            ("the device to ordinary memory", ordinary, device.start),
        ] {
            let (to_number, from_number) = (to.expose_provenance() as u64, from.expose_provenance() as u64);
            let rate = |copy: &mut dyn FnMut()| {
                let start = Instant::now();
                copy();
                size as f64 / start.elapsed().as_nanos() as f64
            };
            let (mut of_driver, mut of_plugin) = (Vec::new(), Vec::new());
            for _ in 0..11 {
                of_driver.push(rate(&mut || {
                    cu!(driver.cuMemcpyAsync(to_number, from_number, size, stream));
                    cu!(driver.cuStreamSynchronize(stream));
                }));
                of_plugin.push(rate(&mut || fixture.copy(to, from, size)));
            }
            let (of_driver, of_plugin) = (median(&mut of_driver), median(&mut of_plugin));
            let mib = size / MIB;
            println!("{mib} MiB from {name}: driver {of_driver:.2} GB/s, plugin {of_plugin:.2} GB/s");
            json.push(format!(
                "{{\"case\":\"{mib} MiB from {name}\",\"driver\":{of_driver:.3},\"plugin\":{of_plugin:.3}}}"
            ));
        }
    }
    json
}
