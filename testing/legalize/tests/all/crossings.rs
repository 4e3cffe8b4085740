//! Work-items that go to different places behind a barrier.

use sycl_pi_image::spirv::{Module, Op};

use crate::common::{count, kernel, made, of, program};
use crate::joins::{BARRIER, Blocks, JOINED, check_nothing, conditional};

/// They meet in block 4, and part in block 5, through which the way past the barrier leads too.
#[test]
fn ways_to_different_places_meet_first() {
    let module = made(&program("parted"), &JOINED);
    let blocks = Blocks::of(&module);
    assert_eq!(blocks.waits(), [4]);
    let next: Vec<Vec<usize>> = (0..8).map(|at| blocks.next(at)).collect();
    let expected: [&[usize]; 8] = [&[1, 7], &[2, 5], &[3, 4], &[4], &[5], &[7, 6], &[7], &[]];
    assert_eq!(next, expected);
    // No compiler can lead the way past the barrier around block 5.
    let volatile = |opcode, at: usize| of(&module, opcode).iter().any(|words| words.get(at) == Some(&1));
    assert!(volatile(Op::Store, 2) && volatile(Op::Load, 3));
}

/// Those that return, too. Behind the outer conditional block, all of them meet once more.
#[test]
fn a_return_is_a_way_to_the_end_of_the_function() {
    let module = made(&program("returned"), &JOINED);
    assert_eq!(count(&module, Op::Return), 1);
    let blocks = Blocks::of(&module);
    assert_eq!(blocks.waits(), [4, 7]);
    let next: Vec<Vec<usize>> = (0..11).map(|at| blocks.next(at)).collect();
    let expected: [&[usize]; 11] =
        [&[1, 8], &[2, 5], &[3, 4], &[4], &[5], &[7, 6], &[7], &[8], &[10, 9], &[10], &[]];
    assert_eq!(next, expected);
}

/// Conditional blocks behind a barrier, one of which leads to `end` with a value of its own.
fn with_values(to_end: &str, at_join: &str, at_end: &str) -> Module {
    let code = conditional(&format!(
        "{BARRIER}
         OpBranchConditional %c %then %join
         %then = OpLabel
         %more = OpIAdd %uint %x %u_7
         {to_end}"
    ));
    let code = code.replace("%join = OpLabel", &format!("%join = OpLabel\n{at_join}"));
    made(&kernel("", &code.replace("%end = OpLabel", &format!("%end = OpLabel\n{at_end}"))), &JOINED)
}

#[test]
fn values_are_chosen_on_the_way_to_each_place() {
    let module = with_values(
        "OpBranch %end",
        "%first = OpPhi %uint %u_0 %some %x %wait",
        "%second = OpPhi %uint %u_1 %entry %more %then %u_3 %join",
    );
    let labels: Vec<u32> = of(&module, Op::Label).iter().map(|words| words[0]).collect();
    let [entry, some, wait, then, meet, cross, join, _] = labels[..] else { panic!("{labels:?}") };
    let of_block = |label: u32| {
        let mut at = 0;
        let mut found = Vec::new();
        for inst in module.instructions() {
            match inst.opcode {
                Op::Label => at = inst.operand(0),
                Op::Phi if at == label => found.push(inst.operands.to_vec()),
                _ => {}
            }
        }
        found
    };
    let null = of(&module, Op::ConstantNull)[0][1];
    let add = of(&module, Op::IAdd)[0][1];
    let x = of(&module, Op::UConvert)[0][1];
    let constant =
        |value: u32| of(&module, Op::Constant).into_iter().find(|words| words[2] == value).unwrap()[1];
    // Where the ways meet: the place, the value for the first place, and that for the second one.
    let [place, first, second] = of_block(meet).try_into().unwrap();
    let value = |id: u32| of(&module, Op::Constant).into_iter().find(|words| words[1] == id).unwrap()[2];
    let way = |phi: &[u32], from: u32| {
        let at = phi.chunks(2).skip(1).position(|pair| pair[1] == from).unwrap();
        phi[2 + 2 * at]
    };
    assert_eq!([way(&place, wait), way(&place, then)].map(value), [0, 1]);
    assert_eq!([way(&first, wait), way(&first, then)], [x, null]);
    assert_eq!([way(&second, wait), way(&second, then)], [null, add]);
    // Where they part: the values of those that come past the barrier, and of those that have met.
    let [place_here, first_here, second_here] = of_block(cross).try_into().unwrap();
    assert_eq!(value(way(&place_here, some)), 0);
    assert_eq!(way(&place_here, meet), place[1]);
    assert_eq!([way(&first_here, some), way(&first_here, meet)], [constant(0), first[1]]);
    assert_eq!([way(&second_here, some), way(&second_here, meet)], [null, second[1]]);
    // The first place has no choice any more, and the second one has this one in place of the old way.
    assert!(of_block(join).is_empty());
    let [at_end] = of_block(*labels.last().unwrap()).try_into().unwrap();
    assert_eq!(way(&at_end, cross), second_here[1]);
    assert_eq!(at_end.len(), 2 + 3 * 2);
    assert!([entry, cross, join].iter().all(|label| at_end[2..].chunks(2).any(|pair| pair[1] == *label)));
}

/// Both ways of one block part there, so each of them passes a block of its own.
#[test]
fn two_ways_of_one_block_are_told_apart() {
    let code = conditional(&format!("{BARRIER}\nOpBranchConditional %c %end %join"));
    let module = made(&kernel("", &code), &JOINED);
    let blocks = Blocks::of(&module);
    let [meet] = blocks.waits().try_into().unwrap();
    let before: Vec<usize> = (0..meet).filter(|&at| blocks.next(at).contains(&meet)).collect();
    assert_eq!(before, [3, 4]);
    assert_eq!(blocks.next(2), [4, 3]);
}

#[test]
fn more_than_two_places_are_told_apart_by_a_number() {
    let code = conditional(&format!(
        "{BARRIER}
         OpBranchConditional %c %then %join
         %then = OpLabel
         OpBranchConditional %inner %end %last"
    ));
    let code = code.replace(
        "OpBranchConditional %outer %some %end",
        "OpBranchConditional %outer %second %last
         %second = OpLabel
         OpBranchConditional %outer %some %end",
    );
    let code = format!("{code}\nOpStore %out %u_1 Aligned 4\nOpBranch %last\n%last = OpLabel");
    let module = made(&kernel("", &code), &JOINED);
    let [switch] = of(&module, Op::Switch).try_into().unwrap();
    // The number, the place before the others, and two cases.
    assert_eq!((switch.len(), switch[2], switch[4]), (6, 1, 2));
}

/// A place for those that come back to the start of a loop would be before its start.
#[test]
fn ways_back_to_the_start_of_a_loop_stay() {
    check_nothing(&format!(
        "%c = OpULessThan %bool %x %u_7
         %zero = OpLoad %uint %in Aligned 4
         OpBranch %head
         %head = OpLabel
         %i = OpPhi %uint %u_0 %entry %i_next %body %i_next %wait %i_next %next
         %i_next = OpIAdd %uint %i %u_1
         %more = OpULessThan %bool %i %u_7
         OpBranchConditional %more %body %end
         %body = OpLabel
         %is_first = OpIEqual %bool %i %u_0
         OpBranchConditional %is_first %test %head
         %test = OpLabel
         OpBranchConditional %is_first %wait %next
         %wait = OpLabel
         {BARRIER}
         OpBranchConditional %c %next %head
         %next = OpLabel
         OpStore %out %u_7 Aligned 4
         OpBranch %head
         %end = OpLabel"
    ));
}

/// The value that a function returns is chosen at its end.
#[test]
fn a_function_returns_its_value_at_its_end() {
    let code = "%result = OpFunctionCall %uint %waits %x
         OpReturn
         OpFunctionEnd
         %waits = OpFunction %uint None %kind
         %number = OpFunctionParameter %uint
         %entry.w = OpLabel
         %outer = OpLoad %bool %flag
         OpBranchConditional %outer %wait %rest
         %wait = OpLabel
         OpControlBarrier %group %group %seq_cst
         %small = OpULessThan %bool %number %u_7
         OpBranchConditional %small %early %rest
         %early = OpLabel
         OpReturnValue %u_7
         %rest = OpLabel
         OpReturnValue %number
         OpFunctionEnd";
    let declarations = "%kind = OpTypeFunction %uint %uint
                        %p_bool = OpTypePointer Workgroup %bool
                        %flag = OpVariable %p_bool Workgroup";
    let module = made(&kernel(declarations, code), &JOINED);
    let [returned] = of(&module, Op::ReturnValue).try_into().unwrap();
    let phi = of(&module, Op::Phi).into_iter().find(|words| words[1] == returned[0]).unwrap();
    assert_eq!(phi.len(), 2 + 2 * 2);
    assert_eq!(Blocks::of(&module).waits().len(), 1);
}
