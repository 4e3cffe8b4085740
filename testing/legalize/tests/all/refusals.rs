//! Modules of several kernels, of which a driver cannot have one.

use sycl_pi_image::spirv::{Decoration, Needs, Op, SubGroups, legalize};

use crate::common::{NONE, count, of};

const NO_VARIABLES: Needs = Needs { no_global_variables: true, ..NONE };

/// Assembles kernel `k`, which does nothing, and kernel `other`, which calls `helper` with this code.
fn two(declarations: &str, code: &str) -> Vec<u8> {
    let declarations =
        format!("OpEntryPoint Kernel %other \"other\"\n{declarations}\n%nothing = OpTypeFunction %void");
    let code = format!(
        "OpReturn
         OpFunctionEnd
         %other = OpFunction %void None %nothing
         %other.entry = OpLabel
         %called = OpFunctionCall %void %helper
         OpReturn
         OpFunctionEnd
         %helper = OpFunction %void None %nothing
         %helper.entry = OpLabel
         {code}
         OpReturn
         OpFunctionEnd"
    );
    testing_legalize::kernel(&declarations, "%p_uint %in, %p_uint %out", &code).unwrap()
}

/// Checks that `other` is refused for this reason, and that `k` stays.
fn check(module: &[u8], needs: &Needs, reason: &str) {
    let made = legalize(module, needs).unwrap();
    let refused: Vec<String> = made.refused.iter().map(ToString::to_string).collect();
    assert_eq!(refused, [format!("kernel other is refused: {reason}")]);
    let module = sycl_pi_image::spirv::Module::parse(&made.module).unwrap();
    let [entry] = of(&module, Op::EntryPoint).try_into().unwrap();
    assert_eq!((entry[2], count(&module, Op::Function)), (u32::from(b'k'), 1));
}

#[test]
fn a_kernel_that_reaches_a_variable_is_refused_and_the_other_stays() {
    let declarations = "%counter = OpVariable %p_uint CrossWorkgroup\nOpName %counter \"counter\"";
    let reason = "it uses variable counter in global memory (device_global), and this driver has no such variables: \
                  pass a buffer or USM instead";
    check(&two(declarations, "OpStore %counter %u_1"), &NO_VARIABLES, reason);
}

#[test]
fn a_kernel_that_requires_sub_groups_of_a_size_is_refused_and_the_other_stays() {
    let module = two("OpCapability SubgroupDispatch\nOpExecutionMode %other SubgroupSizeMode 8", "");
    let needs = Needs { sub_groups: SubGroups::One, ..NONE };
    let reason =
        "it requires sub-groups of 8 work-items, and on this driver each work-item is a sub-group of its own";
    check(&module, &needs, reason);
}

/// The kernel reaches it through a function.
#[test]
fn a_kernel_that_reaches_an_unknown_operation_is_refused_and_the_other_stays() {
    let declarations = "%lane = OpVariable %p_in_uint Input
                        OpDecorate %lane BuiltIn SubgroupLocalInvocationId";
    let module = two(declarations, "%address = OpConvertPtrToU %ulong %lane");
    let needs = Needs { sub_groups: SubGroups::One, ..NONE };
    let reason =
        "OpConvertPtrToU uses a built-in variable of sub-groups, which is only loaded on this driver";
    check(&module, &needs, reason);
}

#[test]
fn a_fault_in_a_function_that_nothing_calls_refuses_no_kernel() {
    let module = testing_legalize::kernel(
        "%lane = OpVariable %p_in_uint Input
         OpDecorate %lane BuiltIn SubgroupLocalInvocationId
         %nothing = OpTypeFunction %void",
        "%p_uint %in",
        "OpReturn
         OpFunctionEnd
         %unused = OpFunction %void None %nothing
         %unused.entry = OpLabel
         %address = OpConvertPtrToU %ulong %lane
         OpReturn
         OpFunctionEnd",
    )
    .unwrap();
    let made = legalize(&module, &Needs { sub_groups: SubGroups::One, ..NONE }).unwrap();
    assert_eq!(made.refused, []);
}

/// A kernel of another module may call the function.
#[test]
fn an_exported_function_that_reaches_a_variable_is_refused() {
    let library = |entry: &str, kernel: &str| {
        let text = format!(
            "OpCapability Addresses
             OpCapability Linkage
             OpCapability Kernel
             OpMemoryModel Physical64 OpenCL
             {entry}
             OpDecorate %next LinkageAttributes \"next\" Export
             %void = OpTypeVoid
             %uint = OpTypeInt 32 0
             %p_uint = OpTypePointer CrossWorkgroup %uint
             %u_7 = OpConstant %uint 7
             %counter = OpVariable %p_uint CrossWorkgroup %u_7
             OpName %counter \"counter\"
             %next.type = OpTypeFunction %uint
             %next = OpFunction %uint None %next.type
             %next.entry = OpLabel
             %value = OpLoad %uint %counter Aligned 4
             OpReturnValue %value
             OpFunctionEnd
             {kernel}"
        );
        testing_nvvm::assemble(&text).unwrap()
    };
    let text = "function next is refused: it uses variable counter in global memory (device_global), and this driver \
                has no such variables: pass a buffer or USM instead";
    assert_eq!(legalize(&library("", ""), &NO_VARIABLES).unwrap_err().to_string(), text);
    let kernel = "%nothing = OpTypeFunction %void
                  %k = OpFunction %void None %nothing
                  %k.entry = OpLabel
                  OpReturn
                  OpFunctionEnd";
    let module = library("OpEntryPoint Kernel %k \"k\"", kernel);
    let made = legalize(&module, &NO_VARIABLES).unwrap();
    assert_eq!(made.refused.iter().map(ToString::to_string).collect::<Vec<String>>(), [text]);
}

/// The function does without the variable, so it stays for other modules.
#[test]
fn an_exported_function_beside_a_refused_kernel_stays() {
    let declarations = "%counter = OpVariable %p_uint CrossWorkgroup
                        OpDecorate %twice LinkageAttributes \"twice\" Export
                        %twice.type = OpTypeFunction %uint %uint";
    let code = "OpStore %counter %u_1
                OpReturn
                OpFunctionEnd
                %twice = OpFunction %uint None %twice.type
                %twice.n = OpFunctionParameter %uint
                %twice.entry = OpLabel
                %sum = OpIAdd %uint %twice.n %twice.n
                OpReturnValue %sum
                OpFunctionEnd";
    let module = testing_legalize::kernel(declarations, "%p_uint %in", code).unwrap();
    let made = legalize(&module, &NO_VARIABLES).unwrap();
    assert_eq!(made.refused.iter().map(|refusal| refusal.name.as_str()).collect::<Vec<&str>>(), ["k"]);
    let module = sycl_pi_image::spirv::Module::parse(&made.module).unwrap();
    let counts = [Op::EntryPoint, Op::Function, Op::IAdd, Op::Variable].map(|opcode| count(&module, opcode));
    assert_eq!(counts, [0, 1, 1, 0]);
    let linkage = Decoration::LinkageAttributes as u32;
    let [exported] = of(&module, Op::Decorate)
        .into_iter()
        .filter(|words| words[1] == linkage)
        .collect::<Vec<_>>()
        .try_into()
        .unwrap();
    // Export.
    assert_eq!(exported.last(), Some(&0));
}
