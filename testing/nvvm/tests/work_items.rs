//! Ids and sizes of work-items, on the processor.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use sycl_pi_nvvm::Options;
use testing_nvvm::{Arg, HostGpu, Launch, kernel};

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

#[test]
#[ignore = "needs clang-14"]
fn a_kernel_writes_its_local_ids() {
    let module = kernel(
        "",
        "%p_uint %out",
        "%at = OpPtrAccessChain %p_uint %out %l
         %twice = OpIMul %uint %x %u_2
         OpStore %at %twice Aligned 4",
    )
    .unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let out = gpu.run(Launch::group(40), &[Arg::Buffer(vec![0; 160])]).unwrap();
    assert_eq!(words(&out[0]), (0..40).map(|id| id * 2).collect::<Vec<_>>());
}
