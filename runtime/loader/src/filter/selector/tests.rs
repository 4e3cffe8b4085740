use super::*;

fn device(backend: &'static str, kind: DeviceType, number: u32) -> DeviceId<'static> {
    DeviceId { backend, kind, number }
}

const GPU: DeviceType = DeviceType::Gpu;
const CPU: DeviceType = DeviceType::Cpu;

fn verdict(selector: &str, id: DeviceId<'_>) -> Verdict {
    Selector::parse(selector).unwrap().verdict(id)
}

fn problem(selector: &str) -> String {
    Selector::parse(selector).unwrap_err().problem
}

#[test]
fn accepts_by_backend_type_and_number() {
    let cases: [(&str, DeviceId<'_>, bool); 16] = [
        ("*:*", device("cuda", GPU, 3), true),
        ("opencl:*", device("opencl", CPU, 0), true),
        ("opencl:*", device("level_zero", GPU, 0), false),
        ("opencl:gpu", device("opencl", CPU, 0), false),
        ("OpenCL:GPU", device("opencl", GPU, 1), true),
        ("*:gpu", device("level_zero", GPU, 0), true),
        ("level_zero:0", device("level_zero", GPU, 0), true),
        ("level_zero:0", device("level_zero", GPU, 1), false),
        ("level_zero:0,2", device("level_zero", GPU, 2), true),
        ("opencl:gpu;cuda:*", device("cuda", GPU, 0), true),
        ("opencl:fpga", device("opencl", DeviceType::Accelerator, 0), true),
        ("opencl:acc", device("opencl", DeviceType::Accelerator, 0), true),
        ("opencl:cpu;", device("opencl", CPU, 0), true),
        ("opencl:cpu,", device("opencl", CPU, 0), true),
        (" opencl:cpu ; cuda:* ", device("cuda", GPU, 0), true),
        ("*:1", device("opencl", CPU, 1), true),
    ];
    for (selector, id, accepted) in cases {
        let expected = if accepted { Verdict::Accepted } else { Verdict::NotNamed };
        assert_eq!(verdict(selector, id), expected, "{selector} {id:?}");
    }
}

#[test]
fn discards() {
    let discarded = |selector: &str, id| verdict(selector, id) == Verdict::Discarded("!*:gpu".into());
    assert!(discarded("!*:gpu", device("cuda", GPU, 0)));
    assert!(discarded("opencl:*;!*:gpu", device("opencl", GPU, 0)));
    assert_eq!(verdict("!*:gpu", device("opencl", CPU, 0)), Verdict::Accepted);
    assert_eq!(verdict("opencl:*;!*:gpu", device("cuda", GPU, 0)), Verdict::NotNamed);
    assert_eq!(verdict("*:*;!opencl:1", device("opencl", CPU, 0)), Verdict::Accepted);
    assert_eq!(verdict("*:*;!opencl:*.*", device("opencl", CPU, 0)), Verdict::Accepted);
}

#[test]
fn sub_devices_stand_in_the_place_of_their_device() {
    let only = |pattern: &str| Verdict::OnlySubDevices(pattern.into());
    assert_eq!(verdict("opencl:0.*", device("opencl", CPU, 0)), only("0.*"));
    assert_eq!(verdict("opencl:0.1.2", device("opencl", CPU, 0)), only("0.1.2"));
    assert_eq!(verdict("opencl:*.*.*", device("opencl", CPU, 5)), only("*.*.*"));
    assert_eq!(verdict("opencl:0.1", device("opencl", CPU, 1)), Verdict::NotNamed);
    assert_eq!(verdict("opencl:0.1,0", device("opencl", CPU, 0)), Verdict::Accepted);
    assert_eq!(verdict("opencl:0.1;*:cpu", device("opencl", CPU, 0)), Verdict::Accepted);
}

#[test]
fn errors_say_what_was_meant() {
    let cases = [
        ("opencl", "write \"opencl:*\""),
        ("gpu", "write \"*:gpu\""),
        ("0", "write \"*:0\""),
        ("gpu:*", "is a device type, no backend; write \"*:gpu\""),
        ("opncl:*", "did you mean \"opencl\"?"),
        ("l0:gpu", "did you mean \"level_zero\"?"),
        ("vulkan:*", "there is no backend \"vulkan\""),
        (":gpu", "the backend is missing; write \"*:gpu\""),
        ("opencl:", "no device is named; write \"opencl:*\""),
        ("opencl:gpu:0", "more than one colon"),
        ("opencl:gpu.0", "by number or *, not by type"),
        ("opencl:*.0", "after a * only another *"),
        ("opencl:0.*.1", "after a * only another *"),
        ("opencl:0.1.2.3", "at most two"),
        ("opencl:0.x", "is not a sub-device"),
        ("opencl:0.", "is not a sub-device"),
        ("opencl:-1", "is not a device"),
        ("opencl:accelerator", "write \"acc\""),
        ("opencl:host", "release 2023.0 removed the host device"),
        ("!opencl:gpu;opencl:cpu", "must come after"),
        (";", "there is no term"),
    ];
    for (selector, part) in cases {
        let problem = problem(selector);
        assert!(problem.contains(part), "{selector}: {problem}");
    }
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn never_panics(text in ".{0,60}") {
            let _ = Selector::parse(&text);
        }

        #[test]
        fn never_panics_near_the_grammar(text in "[!*:;,.a-g0-9openclg]{0,30}") {
            let _ = Selector::parse(&text);
        }

        #[test]
        fn a_number_names_one_device(number in 0u32..1000, other in 0u32..1000) {
            let seen = verdict(&format!("opencl:{number}"), device("opencl", CPU, other));
            prop_assert_eq!(seen == Verdict::Accepted, number == other);
        }

        #[test]
        fn a_term_and_its_negation_leave_nothing(number in 0u32..4, wild in any::<bool>()) {
            let devices = if wild { "*".to_owned() } else { number.to_string() };
            let selector = format!("opencl:{devices};!opencl:{devices}");
            for seen in (0..4).map(|n| verdict(&selector, device("opencl", GPU, n))) {
                prop_assert_ne!(seen, Verdict::Accepted);
            }
        }
    }
}
