//! Interfaces, intrinsics, casts, initial values.

use sycl_pi_image::spirv::{CLOp, Casts, Module, Needs, Op, StorageClass, legalize};

use crate::common::{count, made, of, program};

/// Returns the ids that the only entry point lists. Its name is `k`, which is one word.
fn interface(module: &Module) -> Vec<u32> {
    let [entry] = of(module, Op::EntryPoint).try_into().unwrap();
    entry[3..].to_vec()
}

#[test]
fn an_entry_point_lists_the_variables_that_it_reaches() {
    let needs = Needs { whole_interfaces: true, ..Needs::default() };
    let after = made(&program("variables"), &needs);
    let variables = of(&after, Op::Variable);
    let named = |class: StorageClass| {
        variables.iter().find(|words| words[2] == class as u32).map(|words| words[1]).unwrap()
    };
    let mut listed = interface(&after);
    listed.sort_unstable();
    let mut wanted = vec![named(StorageClass::Input), named(StorageClass::CrossWorkgroup)];
    wanted.sort_unstable();
    assert_eq!(listed, wanted);
}

/// Through a call and the initial value of another variable.
#[test]
fn an_entry_point_lists_what_it_reaches_through_others() {
    let declarations = "%p_p_uint = OpTypePointer CrossWorkgroup %p_uint
                        %inner = OpVariable %p_uint CrossWorkgroup %u_7
                        %outer = OpVariable %p_p_uint CrossWorkgroup %inner
                        %unused = OpVariable %p_uint CrossWorkgroup %u_1
                        %helper.type = OpTypeFunction %void";
    let code = "%called = OpFunctionCall %void %helper
                OpReturn
                OpFunctionEnd
                %helper = OpFunction %void None %helper.type
                %helper.entry = OpLabel
                %address = OpLoad %p_uint %outer Aligned 8
                OpReturn
                OpFunctionEnd
                %other = OpFunction %void None %helper.type
                %other.entry = OpLabel
                OpStore %unused %u_7
                OpReturn
                OpFunctionEnd";
    let module = testing_legalize::kernel(declarations, "%p_uint %in", code).unwrap();
    let after = made(&module, &Needs { whole_interfaces: true, ..Needs::default() });
    let ids: Vec<u32> = of(&after, Op::Variable).into_iter().map(|words| words[1]).collect();
    let [id, inner, outer, _] = ids.try_into().unwrap();
    assert_eq!(interface(&after), [id, inner, outer]);
}

/// A module of SPIR-V 1.0 lists built-ins only.
#[test]
fn before_1_4_only_built_ins_are_listed() {
    let mut module = program("variables");
    module[4..8].copy_from_slice(&0x0001_0000_u32.to_le_bytes());
    let needs = Needs { whole_interfaces: true, ..Needs::default() };
    let after = made(&module, &needs);
    assert_eq!(interface(&after).len(), 1);
}

#[test]
fn a_saturating_intrinsic_becomes_an_instruction_and_its_import_goes() {
    let needs = Needs { saturating_instructions: true, ..Needs::default() };
    let after = made(&program("saturate"), &needs);
    assert_eq!((count(&after, Op::FunctionCall), count(&after, Op::Function)), (0, 1));
    let [call] = of(&after, Op::ExtInst).try_into().unwrap();
    assert_eq!((call[3], call.len()), (CLOp::u_sub_sat as u32, 6));
    assert!(after.imported_names().next().is_none());
}

#[test]
fn each_saturating_intrinsic_has_its_instruction() {
    for (name, instruction) in [
        ("llvm.sadd.sat.i32", CLOp::s_add_sat),
        ("llvm.uadd.sat.v4i32", CLOp::u_add_sat),
        ("llvm.ssub.sat.i32", CLOp::s_sub_sat),
        ("llvm.usub.sat.i8", CLOp::u_sub_sat),
    ] {
        let declarations = format!(
            "OpDecorate %f LinkageAttributes \"{name}\" Import\nOpName %f \"{name}\"
             %f.type = OpTypeFunction %uint %uint %uint"
        );
        let code = "%result = OpFunctionCall %uint %f %x %u_7
                    OpReturn
                    OpFunctionEnd
                    %f = OpFunction %uint None %f.type
                    %f.a = OpFunctionParameter %uint
                    %f.b = OpFunctionParameter %uint
                    OpFunctionEnd";
        let module = testing_legalize::kernel(&declarations, "%p_uint %in", code).unwrap();
        let needs = Needs {
            saturating_instructions: true,
            no_hints: true,
            whole_interfaces: true,
            ..Needs::default()
        };
        let after = made(&module, &needs);
        let [call] = of(&after, Op::ExtInst).try_into().unwrap();
        assert_eq!(call[3], instruction as u32, "{name}");
    }
}

/// A module may define a function of this name itself.
#[test]
fn a_function_of_the_name_of_an_intrinsic_that_is_no_import_stays() {
    let declarations = "OpDecorate %difference LinkageAttributes \"llvm.usub.sat.i32\" Export
                        %difference.type = OpTypeFunction %uint %uint %uint";
    let code = "%result = OpFunctionCall %uint %difference %x %u_7
                OpReturn
                OpFunctionEnd
                %difference = OpFunction %uint None %difference.type
                %difference.a = OpFunctionParameter %uint
                %difference.b = OpFunctionParameter %uint
                %difference.entry = OpLabel
                OpReturnValue %difference.b
                OpFunctionEnd";
    let module = testing_legalize::kernel(declarations, "%p_uint %in", code).unwrap();
    let needs = Needs { saturating_instructions: true, ..Needs::default() };
    let after = made(&module, &needs);
    assert_eq!((count(&after, Op::FunctionCall), count(&after, Op::Function)), (1, 2));
}

#[test]
fn an_explicit_cast_becomes_a_plain_one() {
    let needs = Needs { casts: Casts::Unchecked, ..Needs::default() };
    let after = made(&program("casts"), &needs);
    assert_eq!(count(&after, Op::GenericCastToPtrExplicit), 0);
    assert_eq!(of(&after, Op::GenericCastToPtr)[0].len(), 3);
}

#[test]
fn a_variable_in_global_memory_is_refused_by_name() {
    let module = testing_legalize::kernel(
        "%counter = OpVariable %p_uint CrossWorkgroup\nOpName %counter \"counter\"",
        "%p_uint %in",
        "OpStore %counter %u_1",
    );
    let needs = Needs { no_global_variables: true, ..Needs::default() };
    let error = legalize(&module.unwrap(), &needs).unwrap_err().to_string();
    assert_eq!(
        error,
        "kernel k is refused: it uses variable counter in global memory (device_global), and this driver has no such \
         variables: pass a buffer or USM instead"
    );
}

/// DPC++ declares built-ins in global memory.
#[test]
fn built_ins_and_unused_variables_are_not_refused() {
    let declarations = "%unused = OpVariable %p_uint CrossWorkgroup %u_7
                        %p_uint3 = OpTypePointer CrossWorkgroup %v3ulong
                        %global_id = OpVariable %p_uint3 CrossWorkgroup
                        OpDecorate %global_id BuiltIn GlobalInvocationId";
    let module =
        testing_legalize::kernel(declarations, "%p_uint %in", "%g = OpLoad %v3ulong %global_id Aligned 32");
    let after = made(&module.unwrap(), &Needs { no_global_variables: true, ..Needs::default() });
    assert_eq!(of(&after, Op::Variable).iter().filter(|words| words.len() > 3).count(), 0);
}
