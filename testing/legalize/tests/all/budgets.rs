//! The time for large modules is proportional to their size.

use std::time::{Duration, Instant};

use sycl_pi_image::spirv::legalize;

use crate::common::everything;

/// More than the largest module here takes in a debug build on a busy machine. If each instruction were compared with
/// each other one, it would take several times as long.
const LIMIT: Duration = Duration::from_secs(15);

fn check(declarations: &str, code: &str) {
    let module = testing_legalize::kernel(declarations, "%p_uint %in", code).unwrap();
    let start = Instant::now();
    legalize(&module, &everything()).unwrap();
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
}

#[test]
fn many_operations_of_groups_take_no_longer_each() {
    let operations = |number: u32| {
        format!(
            "%number{number} = OpLoad %uint %number Aligned 4
             %first{number} = OpGroupBroadcast %uint %group %x %l\n"
        )
    };
    let names =
        |number: u32| format!("OpName %first{number} \"first\"\nOpDecorate %first{number} NoSignedWrap\n");
    let declarations: String = (0..12_000).map(names).collect();
    let declarations = format!(
        "OpCapability Groups
         OpCapability SubgroupDispatch
         %number = OpVariable %p_in_uint Input
         OpDecorate %number BuiltIn SubgroupId
         {declarations}"
    );
    check(&declarations, &(0..12_000).map(operations).collect::<String>());
}

#[test]
fn many_kernels_with_variables_take_no_longer_each() {
    let declarations = |number: u32| {
        format!(
            "OpEntryPoint Kernel %k{number} \"k{number}\"
             %own{number} = OpVariable %p_local Workgroup\n"
        )
    };
    let kernels = |number: u32| {
        format!(
            "%k{number} = OpFunction %void None %nothing
             %k{number}.entry = OpLabel
             OpStore %own{number} %u_1
             OpReturn
             OpFunctionEnd\n"
        )
    };
    let declarations: String = (0..8_000).map(declarations).collect();
    let types = "%nothing = OpTypeFunction %void\n%p_local = OpTypePointer Workgroup %uint\n";
    let code: String = (0..8_000).map(kernels).collect();
    check(&format!("{types}{declarations}"), &format!("OpReturn\nOpFunctionEnd\n{code}"));
}
