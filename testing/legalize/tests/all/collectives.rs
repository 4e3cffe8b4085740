//! Work-group collectives through local memory.

use sycl_pi_image::spirv::{
    BuiltIn, CLOp, Capability, Collectives, Decoration, Module, Needs, Op, StorageClass, legalize,
};

use crate::common::{count, kernel, made, of, program};

fn lacking(collectives: Collectives) -> Needs {
    Needs { collectives, no_hints: true, whole_interfaces: true, most_items: 256, ..Needs::default() }
}

#[test]
fn products_alone_are_replaced_where_only_they_lack() {
    let needs = lacking(Collectives::WithoutProducts);
    assert_eq!(count(&made(&program("products"), &needs), Op::GroupIMulKHR), 0);
    let sums = made(&program("sums"), &needs);
    assert_eq!((count(&sums, Op::GroupIAdd), count(&sums, Op::GroupBroadcast)), (1, 1));
}

/// PoCL 6.0 aborts if the first kernel of a module does not use a variable without a name.
#[test]
fn the_array_in_local_memory_has_a_name() {
    let after = made(&program("sums"), &lacking(Collectives::ThroughLocalMemory));
    let is_local = |words: &&Vec<u32>| words[2] == StorageClass::Workgroup as u32;
    let array = of(&after, Op::Variable).iter().find(is_local).unwrap()[1];
    assert!(of(&after, Op::Name).iter().any(|words| words[0] == array && words.len() > 2));
}

#[test]
fn there_is_one_function_for_equal_collectives_and_one_array_for_all() {
    let code = "%a = OpGroupIAdd %uint %group Reduce %x
                %b = OpGroupIAdd %uint %group Reduce %a
                %c = OpGroupSMax %ulong %group InclusiveScan %l
                %d = OpGroupAll %bool %group %true";
    let after = made(&kernel("OpCapability Groups", code), &lacking(Collectives::ThroughLocalMemory));
    // The kernel, a sum of words, a maximum of 64-bit numbers, an `and` of words.
    assert_eq!(count(&after, Op::Function), 4);
    assert_eq!(count(&after, Op::FunctionCall), 4);
    let local: Vec<Vec<u32>> = of(&after, Op::Variable)
        .into_iter()
        .filter(|words| words[2] == StorageClass::Workgroup as u32)
        .collect();
    assert_eq!(local.len(), 1);
}

#[test]
fn local_memory_has_room_for_the_largest_work_group() {
    let after = made(&program("sums"), &lacking(Collectives::ThroughLocalMemory));
    let lengths: Vec<u32> = of(&after, Op::TypeArray).iter().map(|array| array[2]).collect();
    let length = of(&after, Op::Constant).into_iter().find(|words| lengths.contains(&words[1])).unwrap();
    assert_eq!(length[2], 256);
}

#[test]
fn a_vector_is_combined_component_by_component() {
    let code = "%v = OpCompositeConstruct %v2float %f %f
                %sum = OpGroupFAdd %v2float %group Reduce %v";
    let module = kernel("OpCapability Groups\n%f = OpConstant %float 2", code);
    let after = made(&module, &lacking(Collectives::ThroughLocalMemory));
    assert_eq!((count(&after, Op::FunctionCall), count(&after, Op::GroupFAdd)), (2, 0));
}

/// Collectives of sub-groups are not of a work-group.
#[test]
fn other_scopes_stay() {
    let module = kernel("OpCapability Groups", "%sum = OpGroupIAdd %uint %subgroup Reduce %x");
    let after = made(&module, &lacking(Collectives::ThroughLocalMemory));
    assert_eq!(count(&after, Op::GroupIAdd), 1);
    assert_eq!(Module::parse(&module).unwrap().bound(), after.bound());
}

/// A validator accepts them, and no compiler writes them.
#[test]
fn an_operation_of_a_value_of_another_type_is_refused() {
    for operation in [
        "OpGroupIAdd %ulong %group Reduce %x",
        "OpGroupBroadcast %ulong %group %x %l",
        "OpGroupAll %bool %group %x",
    ] {
        let module = kernel("OpCapability Groups", &format!("%result = {operation}"));
        let error = legalize(&module, &lacking(Collectives::ThroughLocalMemory)).unwrap_err().to_string();
        let text = "kernel k is refused: the value of a group's operation has another type than its result";
        assert_eq!(error, text, "{operation}");
    }
}

/// Of two values, of which one is no number, `fmin` and `fmax` return the other. A comparison and a choice do not.
#[test]
fn the_least_and_the_greatest_number_are_those_of_fmin_and_fmax() {
    let after = made(&program("least"), &lacking(Collectives::ThroughLocalMemory));
    let mut called: Vec<u32> = of(&after, Op::ExtInst).iter().map(|words| words[3]).collect();
    called.sort_unstable();
    assert_eq!(called, [CLOp::fmax as u32, CLOp::fmin as u32]);
    assert_eq!(count(&after, Op::ExtInstImport), 1);
}

#[test]
fn a_collective_whose_scope_is_specialized_is_refused() {
    let declarations = "OpCapability Groups\n%scope = OpSpecConstant %uint 2\nOpDecorate %scope SpecId 0";
    let module = kernel(declarations, "%sum = OpGroupIAdd %uint %scope Reduce %x");
    let error = legalize(&module, &lacking(Collectives::ThroughLocalMemory)).unwrap_err().to_string();
    assert!(error.contains("OpGroupIAdd has a scope that is not a constant of the module"), "{error}");
    // PoCL has this one.
    assert_eq!(count(&made(&module, &lacking(Collectives::WithoutProducts)), Op::GroupIAdd), 1);
}

#[test]
fn declarations_go_with_the_last_operation_that_needs_them() {
    let declared = |code: &str, needs: &Needs| {
        let declarations = "OpCapability Groups
                            OpCapability GroupUniformArithmeticKHR
                            OpExtension \"SPV_KHR_uniform_group_instructions\"";
        let after = made(&kernel(declarations, code), needs);
        let has = |capability: Capability| {
            of(&after, Op::Capability).iter().any(|words| words[0] == capability as u32)
        };
        (
            has(Capability::Groups),
            has(Capability::GroupUniformArithmeticKHR),
            count(&after, Op::Extension) == 1,
        )
    };
    let product = |scope: &str| format!("%product{scope} = OpGroupIMulKHR %uint %{scope} Reduce %x\n");
    let sum = |scope: &str| format!("%sum{scope} = OpGroupIAdd %uint %{scope} Reduce %x\n");
    let all = lacking(Collectives::ThroughLocalMemory);
    let products = lacking(Collectives::WithoutProducts);
    assert_eq!(declared(&(product("group") + &sum("group")), &all), (false, false, false));
    assert_eq!(declared(&(product("group") + &sum("subgroup")), &all), (true, false, false));
    assert_eq!(declared(&(product("subgroup") + &sum("group")), &all), (true, true, true));
    assert_eq!(declared(&(product("group") + &sum("group")), &products), (true, false, false));
    let copy = "%event = OpGroupAsyncCopy %uint %group %out %in %l %l %x";
    assert_eq!(declared(copy, &Needs { no_hints: false, ..all }), (true, false, false));
}

/// Slots have 64 bits, sizes 32, and fmin needs OpenCL's set of instructions. The module has declared none of these.
#[test]
fn a_module_of_32_bits_gets_the_declarations_that_it_lacks() {
    let text = "OpCapability Addresses
                OpCapability Kernel
                OpCapability Groups
                OpMemoryModel Physical32 OpenCL
                OpEntryPoint Kernel %k \"k\" %index
                OpDecorate %index BuiltIn LocalInvocationIndex
                %void = OpTypeVoid
                %uint = OpTypeInt 32 0
                %float = OpTypeFloat 32
                %p_uint = OpTypePointer Input %uint
                %group = OpConstant %uint 2
                %one = OpConstant %float 1
                %index = OpVariable %p_uint Input
                %k.type = OpTypeFunction %void
                %k = OpFunction %void None %k.type
                %entry = OpLabel
                %least = OpGroupFMin %float %group Reduce %one
                OpReturn
                OpFunctionEnd";
    let module = testing_nvvm::assemble(text).unwrap();
    let after = made(&module, &lacking(Collectives::ThroughLocalMemory));
    let wide = of(&after, Op::Capability).iter().filter(|words| words[0] == Capability::Int64 as u32).count();
    assert_eq!((wide, count(&after, Op::ExtInstImport)), (1, 1));
    let built_ins: Vec<u32> = of(&after, Op::Decorate)
        .into_iter()
        .filter(|words| words[1] == Decoration::BuiltIn as u32)
        .map(|words| words[2])
        .collect();
    assert_eq!(built_ins, [BuiltIn::LocalInvocationIndex as u32, BuiltIn::WorkgroupSize as u32]);
    let [size] = of(&after, Op::TypeVector).try_into().unwrap();
    let uint = of(&after, Op::TypeInt).into_iter().find(|kind| kind[1] == 32).unwrap();
    assert_eq!(size[1..], [uint[0], 3]);
}
