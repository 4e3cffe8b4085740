//! The arguments that `printf` passes to CUDA's `vprintf`, and a failed `assert` to its `__assertfail`.

use sycl_pi_nvvm::{Options, translate};
use testing_nvvm::kernel;

/// Assembles a kernel that prints with this format. Its arguments are ids: `%x` is a `uint`, `%l` a `ulong`, `%v4`,
/// `%l3` and `%f2` are vectors, and `%out` is a pointer.
fn printing(text: &str, arguments: &str) -> Vec<u8> {
    printing_from(0, text, arguments)
}

/// Assembles such a kernel with the address of a later letter as the format.
fn printing_from(start: usize, text: &str, arguments: &str) -> Vec<u8> {
    let letters: Vec<u8> = text.bytes().chain([0]).collect();
    let names: Vec<String> = (0..letters.len()).map(|at| format!("%letter{at}")).collect();
    let mut declarations =
        format!("%length = OpConstant %uint {}\n%text = OpTypeArray %uchar %length\n", letters.len());
    for (name, letter) in names.iter().zip(&letters) {
        declarations += &format!("{name} = OpConstant %uchar {letter}\n");
    }
    declarations += &format!(
        "%value = OpConstantComposite %text {}
         %c_text = OpTypePointer UniformConstant %text
         %c_uchar = OpTypePointer UniformConstant %uchar
         %format = OpVariable %c_text UniformConstant %value
         %half.one = OpConstant %float 1.5
         %v4 = OpConstantComposite %v4uint %u_1 %u_2 %u_3 %u_4
         %f2 = OpConstantComposite %v2float %half.one %half.one
         %l3 = OpConstantComposite %v3ulong %l_0 %l_1 %l_2",
        names.join(" ")
    );
    let code = format!(
        "%at = OpInBoundsAccessChain %c_uchar %format %u_{start}\n%r = OpExtInst %uint %cl printf %at {arguments}"
    );
    kernel(&declarations, "%p_uint %out", &code).unwrap()
}

/// Returns the format that `vprintf` gets, read from the variable in the module.
fn text(module: &[u8]) -> String {
    let translation = translate(&[module], &Options::default()).unwrap();
    assert_eq!(translation.kernels[0].refused, None);
    let line = translation.ir.lines().find(|line| line.starts_with("@__spirv_text_0")).unwrap();
    let letters = line.split("c\"").nth(1).unwrap().split('"').next().unwrap();
    let bytes = letters.split('\\').skip(1).map(|digits| u8::from_str_radix(digits, 16).unwrap());
    String::from_utf8(bytes.collect()).unwrap().trim_end_matches('\0').to_owned()
}

#[test]
fn lengths_are_those_that_vprintf_knows() {
    let cases = [
        ("%zu|%d%%", "%l %x", "%llu|%d%%"),
        ("%zd %jd %td %ld", "%l %l %l %l", "%lld %lld %lld %lld"),
        ("%-5.3hhd|%hx", "%x %x", "%-5.3d|%x"),
        ("%d without a length", "%l", "%lld without a length"),
        ("%*.2lf %s", "%x %half.one %l", "%*.2f %s"),
        ("%#x % d %+05i", "%x %x %x", "%#x % d %+05i"),
        ("%p", "%out", "%p"),
        // The text ends with the first NUL.
        ("ab%d\0 and more", "%x", "ab%d"),
    ];
    for (given, arguments, expected) in cases {
        assert_eq!(text(&printing(given, arguments)), expected, "{given}");
    }
}

/// `vprintf` gets the caller's address, and no text that is made from the whole constant.
#[test]
fn a_format_that_starts_inside_a_constant_is_passed_as_it_is() {
    assert_eq!(text(&printing_from(0, "ab%d", "%x")), "ab%d");
    let translation = translate(&[&printing_from(2, "ab%d", "%x")], &Options::default()).unwrap();
    assert_eq!(translation.kernels[0].refused, None);
    assert!(!translation.ir.contains("@__spirv_text_"));
}

#[test]
fn a_vector_is_printed_as_numbers_with_commas() {
    assert_eq!(text(&printing("V %v4d|%5.1v2hlf", "%v4 %f2")), "V %d,%d,%d,%d|%5.1f,%5.1f");
    assert_eq!(text(&printing("%v4hhx", "%v4")), "%x,%x,%x,%x");
    assert_eq!(text(&printing("%v3ld", "%l3")), "%lld,%lld,%lld");
}

#[test]
fn an_integer_is_cut_to_the_bits_that_are_printed() {
    for (format, extensions) in [
        ("%hhd %hu", ["sext i8 ", "zext i16 "]),
        ("%hhu %hd", ["zext i8 ", "sext i16 "]),
        ("%hhx %hi", ["zext i8 ", "sext i16 "]),
        ("%hhi %ho", ["sext i8 ", "zext i16 "]),
    ] {
        let ir = translate(&[&printing(format, "%x %x")], &Options::default()).unwrap().ir;
        for instruction in ["trunc i32 %v", extensions[0], extensions[1]] {
            assert!(ir.contains(instruction), "{format}: {instruction}: {ir}");
        }
    }
}

/// A format that OpenCL C does not support, and one with too few arguments, are passed on unchanged.
#[test]
fn other_texts_are_left_alone() {
    for (given, arguments) in [("%y", "%x"), ("%d %d", "%x")] {
        let ir = translate(&[&printing(given, arguments)], &Options::default()).unwrap().ir;
        assert!(!ir.contains("@__spirv_text_"), "{given}");
    }
}

#[test]
fn a_vector_where_the_text_has_a_number_is_refused() {
    let translation = translate(&[&printing("%d", "%v4")], &Options::default()).unwrap();
    let refused = translation.kernels[0].refused.clone().unwrap();
    assert!(refused.contains("printf prints a vector with %v and its width"), "{refused}");
}

/// DPC++ 2026.2 brings no library that defines the function. That of releases until 2025 only records the failure.
#[test]
fn a_failed_assert_is_that_of_cuda_with_its_text_its_file_its_line_and_its_function() {
    for (linkage, body) in [("Import", ""), ("Export", "%start = OpLabel\nOpReturn\n")] {
        fails_as_in_cuda(linkage, body);
    }
}

fn fails_as_in_cuda(linkage: &str, body: &str) {
    let declarations = "
        %g_uchar = OpTypePointer Generic %uchar
        %of_assert = OpTypeFunction %void %g_uchar %g_uchar %uint %g_uchar %ulong %ulong %ulong %ulong %ulong %ulong
        %seven = OpConstant %uint 7
        %zero = OpConstant %ulong 0
        OpDecorate %fail LinkageAttributes \"__devicelib_assert_fail\" ";
    let code = "
        %text = OpPtrCastToGeneric %g_uchar %a
        %file = OpPtrCastToGeneric %g_uchar %b
        %function = OpPtrCastToGeneric %g_uchar %c
        %r = OpFunctionCall %void %fail %text %file %seven %function %zero %zero %zero %zero %zero %zero
        OpReturn
        OpFunctionEnd
        %fail = OpFunction %void None %of_assert
        %p0 = OpFunctionParameter %g_uchar
        %p1 = OpFunctionParameter %g_uchar
        %p2 = OpFunctionParameter %uint
        %p3 = OpFunctionParameter %g_uchar
        %p4 = OpFunctionParameter %ulong
        %p5 = OpFunctionParameter %ulong
        %p6 = OpFunctionParameter %ulong
        %p7 = OpFunctionParameter %ulong
        %p8 = OpFunctionParameter %ulong
        %p9 = OpFunctionParameter %ulong
        ";
    let (declarations, code) = (declarations.to_owned() + linkage, format!("{code}{body}OpFunctionEnd"));
    let module = kernel(&declarations, "%p_uchar %a, %p_uchar %b, %p_uchar %c", &code).unwrap();
    let translation = translate(&[&module], &Options::default()).unwrap();
    assert_eq!(translation.kernels[0].refused, None);
    let line = translation.ir.lines().find(|line| line.contains("call void @__assertfail(")).unwrap();
    let (_, given) = line.split_once('(').unwrap();
    let given: Vec<&str> = given.trim_end_matches(')').split(", ").collect();
    assert_eq!((given[2], given[4]), ("i32 7", "i64 1"), "{line}");
    // The texts are the kernel's parameters, in their order, behind casts.
    let parameter = |text: &str| {
        let mut name = text.trim_start_matches("i8* ");
        let made = |name: &str| {
            let start = format!("{name} = ");
            translation.ir.lines().find_map(|line| line.trim_start().strip_prefix(&start))
        };
        while let Some(cast) = made(name).filter(|made| made.contains("cast ")) {
            name = cast.split(' ').find(|word| word.starts_with('%')).unwrap();
        }
        name.trim_start_matches(|first: char| !first.is_ascii_digit()).parse::<u32>().unwrap()
    };
    let [text, file, function] = [0, 1, 3].map(|at| parameter(given[at]));
    assert_eq!([file, function], [text + 1, text + 2]);
}
