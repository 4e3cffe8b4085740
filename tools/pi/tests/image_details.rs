//! What `pi image` shows of images, draws, compares and tells, part by part.
#![allow(clippy::unwrap_used, clippy::panic)]

mod install_support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::json;
use sycl_pi_cache::StoreKey;
use sycl_pi_cache::store::{KeyParts, Notes};
use sycl_pi_image::{Property, PropertySet, Value};
use tempfile::TempDir;

/// A folder in which `pi image` runs.
struct Bench(TempDir);

impl Bench {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Copies test images.
    fn with(files: &[&str]) -> Self {
        let bench = Self::new();
        for file in files {
            fs::copy(test_images().join(file), bench.path(file)).unwrap();
        }
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    fn output(&self, words: &[&str]) -> Output {
        let mut pi = Command::new(env!("CARGO_BIN_EXE_pi"));
        pi.arg("image").args(words).current_dir(self.0.path()).output().unwrap()
    }

    /// Returns what a command prints that succeeds.
    fn told(&self, words: &[&str]) -> String {
        let output = self.output(words);
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, words: &[&str]) -> serde_json::Value {
        serde_json::from_str(&self.told(&[words, &["--json"]].concat())).unwrap()
    }

    /// Returns the error of a command that fails.
    fn refused(&self, words: &[&str]) -> String {
        let output = self.output(words);
        assert_eq!(output.status.code(), Some(1), "{words:?}: {}", String::from_utf8_lossy(&output.stdout));
        String::from_utf8(output.stderr).unwrap()
    }
}

fn test_images() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/image/tests/images")
}

fn image(name: &str) -> String {
    test_images().join(name).to_str().unwrap().to_owned()
}

#[track_caller]
fn check_lines(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.lines().any(|known| known.trim_end() == *line), "{line:?}: {text}");
    }
}

#[test]
fn each_part_of_an_image_has_its_line() {
    let bench = Bench::new();
    let show = |name: &str| bench.told(&["show", &image(name)]);
    let mix = show("mix.spv");
    let from = format!("  properties from  {}", image("mix.props.json"));
    check_lines(
        &mix,
        &[
            // Without those that every kernel has: Addresses, Linkage, Kernel.
            "  capabilities     Float64 Int64 Int8 ExpectAssumeKHR 6146",
            "  target           spir64",
            &from,
            "  kernel           _ZTS3Mix",
            "                     0: global pointer global double*, 8 bytes",
            "                     and 1 removed by the compiler",
            "                     LocalSize 4 1 1",
            "                     fp64",
            "  imports          _Z2fci",
            "  says             optLevel 2",
        ],
    );
    check_lines(&show("dl_c.spv"), &["  exports          _Z2fci"]);
    let scope = "  device global    _Z6Scoped (Scoped): 16 bytes, image scope";
    check_lines(&show("dg_scope.spv"), &[scope]);
    check_lines(&show("misc_static_local.spv"), &["                     work-group memory: static"]);
    check_lines(&show("misc_virtual.0.spv"), &["  says             has virtual functions of _ZTSv"]);
    check_lines(&show("misc_virtual.1.spv"), &["  says             uses virtual functions of _ZTSv"]);
    let name = "  says             ns::plain is kernel _ZN16__sycl_kernel_ns5plainEPi";
    check_lines(&show("registered.spv"), &[name]);
    // The bytes between a structure's members are no constants.
    let padded = show("spec_padded.spv");
    assert!(padded.contains("SHold: 32 bytes, ids 3 5 6, default"), "{padded}");
    // An aspect set that is empty requires nothing.
    assert!(!show("dl_a.spv").contains("requires"));
}

#[test]
fn properties_alone_are_shown_too() {
    let bench = Bench::new();
    let set = |name: &'static str, properties: Vec<Property<'static>>| {
        let mut set = PropertySet::new(name);
        set.properties = properties;
        set
    };
    // Numbers of 32 bits, the fastest dimension first.
    let sizes: Vec<u8> = [2_u32, 4, 8].iter().flat_map(|size| size.to_le_bytes()).collect();
    let sizes = Property::new("reqd_work_group_size", Value::byte_array(&sizes));
    let number = |name: &'static str, number| vec![Property::new(name, Value::Uint32(number))];
    let sets = [
        set("SYCL/device requirements", vec![Property::new("aspects", Value::byte_array(&[])), sizes]),
        set("SYCL/implicit local arg", number("K", 3)),
        set("SYCL/kernel names", number("K", 1)),
        set("SYCL/other", number("x", 1)),
    ];
    bench.write("a.prop", sycl_pi_image::text::write_prop("a.prop", &sets).unwrap());
    let shown = bench.told(&["show", "a.prop"]);
    let lines = [
        "a.prop: properties only",
        "  requires         work-group size 8 x 4 x 2",
        "  kernel           K",
        "                     work-group memory: argument 3",
        "  says             property set SYCL/other",
    ];
    check_lines(&shown, &lines);
    assert!(!shown.contains("aspects"), "{shown}");
}

/// A call of a function that the image lacks is red, an address that is taken is dashed, and names are quoted.
#[test]
fn the_graph_has_what_is_missing_and_what_is_called_by_address() {
    let bench = Bench::with(&["dl_a.spv"]);
    bench.write("q\"uote.spv", fs::read(image("dl_a.spv")).unwrap());
    let graph = bench.told(&["show", "--dot", "q\"uote.spv"]);
    check_lines(&graph, &["    label=\"q\\\"uote.spv\";", "  \"0 _Z2fbi\" [color=red];"]);
    let edges: Vec<&str> = graph.lines().filter(|line| line.contains("->")).collect();
    // The entry point calls the function of its own name, which is the same node.
    assert_eq!(edges, ["    \"0 _ZTS3DlA\" -> \"0 _Z2fbi\";"]);
    let both = bench.told(&["show", "--dot", "dl_a.spv", &image("dl_b.spv")]);
    assert!(!both.contains("\"0 _Z2fbi\" [color=red]"), "{both}");
    let application = test_images().join("../../../../runtime/runtime/tests/images/pointer_application.spv");
    let taken = bench.told(&["show", "--dot", application.to_str().unwrap()]);
    let dashed = taken
        .lines()
        .filter(|line| line.starts_with("    \"0 calls_back\" -> ") && line.ends_with("[style=dashed];"));
    assert_eq!(dashed.count(), 1, "{taken}");
}

#[test]
fn a_dot_that_fails_leaves_no_picture() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::with(&["dl_a.spv"]);
    fs::create_dir(bench.path("bin")).unwrap();
    let draw = |folder: &str, script: &str| {
        bench.write("bin/dot", format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(bench.path("bin/dot"), fs::Permissions::from_mode(0o755)).unwrap();
        let mut pi = Command::new(env!("CARGO_BIN_EXE_pi"));
        pi.args(["image", "show", "dl_a.spv", "--svg", "a.svg"]).current_dir(bench.0.path());
        let output = pi.env("PATH", folder).output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    let folder = format!("{}:/usr/bin:/bin", bench.path("bin").display());
    let (done, told) = draw(&folder, "cat > /dev/null; echo half; echo no font >&2; exit 1");
    assert!(!done && told.contains("dot: no font") && !bench.path("a.svg").exists(), "{told}");
    // Nothing of the current folder is run.
    let (done, told) = draw("bin", "cat > /dev/null; echo drawn");
    assert!(!done && told.contains("graphviz"), "{told}");
    assert!(draw(&folder, "cat > /dev/null; echo drawn").0);
    assert_eq!(fs::read_to_string(bench.path("a.svg")).unwrap(), "drawn\n");
}

/// The JSON file holds the entries, which a `.prop` file lacks. An image's name is that of its code.
#[test]
fn the_compilers_json_comes_before_a_property_file() {
    let bench = Bench::with(&["mix.spv", "mix.props.json"]);
    bench.write("mix.prop", "[SYCL/other]\nx=1|1\n");
    let shown = bench.json(&["show", "mix.spv"]);
    assert_eq!(
        (&shown[0]["image"], &shown[0]["properties_from"]),
        (&json!("mix.spv"), &json!("mix.props.json"))
    );
    assert_eq!(shown[0]["other"], json!(["optLevel 2"]));
    // The JSON file alone leads to its code, which is an input then.
    assert_eq!(bench.json(&["show", "mix.props.json"])[0]["bytes"], shown[0]["bytes"]);
    let refused = bench.refused(&["wrap", "mix.props.json", "-o", "mix.spv"]);
    assert!(refused.contains("the command reads this file"), "{refused}");
}

/// A cell without a name leaves the properties of the code. A file of that name in the current folder comes first.
#[test]
fn a_table_names_its_files() {
    let bench = Bench::with(&["dl_c.spv"]);
    fs::create_dir(bench.path("sub")).unwrap();
    bench.write("sub/dl_c.spv", fs::read(image("dl_b.spv")).unwrap());
    bench.write("sub/p.prop", "[SYCL/other]\nx=1|1\n");
    bench.write("sub/a.table", "[Code|Properties]\ndl_c.spv|\ndl_c.spv|p.prop\n");
    let shown = bench.json(&["show", "sub/a.table"]);
    let exports = |at: usize| shown[at]["exports"].clone();
    assert_eq!((exports(0), exports(1)), (json!(["_Z2fci"]), json!([])));
    assert_eq!(shown[0]["properties_from"], "the code");
    assert_eq!(shown[1]["properties_from"], "sub/p.prop");
}

/// An item of the cache has the options of its program, and a wrapped image has those that are given.
#[test]
fn options_and_targets_go_with_images() {
    let bench = Bench::new();
    let root = bench.path("cache");
    let store = sycl_pi_cache::Store::open(&sycl_pi_cache::Config::default().with_root(Some(root.clone())));
    let key = StoreKey::new(&KeyParts {
        images: vec![fs::read(image("dl_c.spv")).unwrap()],
        compile_options: "-compile".into(),
        link_options: "-link".into(),
        ..KeyParts::default()
    });
    store.save(&key, &Notes::default(), b"binary");
    store.shut_down();
    let item = key.folder(&root).join("0.src");
    let item = item.to_str().unwrap();
    check_lines(&bench.told(&["show", item]), &["  options          -compile"]);
    let wrapped = |words: &[&str]| {
        bench.told(&[&["wrap", item, "-o", "a.o"], words].concat());
        let object = fs::read(bench.path("a.o")).unwrap();
        let found = sycl_pi_image::unwrap::unwrap("a.o", &object).unwrap();
        let image = &found.images[0];
        [&image.target, &image.compile_options, &image.link_options].map(|text| text.clone().into_owned())
    };
    assert_eq!(wrapped(&[]), ["spir64", "-compile", "-link"]);
    let given = wrapped(&["--target", "spir64_gen", "--compile-options", "-other"]);
    assert_eq!(given, ["spir64_gen", "-other", "-link"]);
}

#[test]
fn what_is_extracted_is_named_by_its_library_and_its_kind() {
    let bench = Bench::new();
    let words = fs::read(image("dl_c.spv")).unwrap();
    let turned: Vec<u8> = words.chunks(4).flat_map(|word| word.iter().rev().copied()).collect();
    for (name, code, ending) in
        [("spv", &words[..], "spv"), ("big", &turned, "spv"), ("bc", b"BC\xc0\xde....", "bc")]
    {
        bench.write("one.bin", code);
        let mut parts = sycl_pi_image::ImageParts::new(name, "spir64", code.to_vec());
        parts.entries.push("f".into());
        let library = format!("lib{name}.so.4.1");
        bench.write(&library, sycl_pi_image::wrap::wrap(&[parts]).unwrap());
        let made = bench.json(&["extract", &library, "-o", "out"]);
        assert_eq!(made["images"], json!([format!("out/lib{name}_0.{ending}")]));
        assert_eq!(made["table"], format!("out/lib{name}.table"));
    }
}

/// Its array has a length of 8 bits and 4 bytes.
#[test]
fn a_malformed_image_is_not_extracted() {
    let bench = Bench::with(&["dl_c.spv"]);
    bench.write("dl_c.prop", "[SYCL/specialization constants]\nS=2|IAAAAAAAAAABAgME\n");
    let refused = bench.refused(&["extract", "dl_c.spv", "-o", "out"]);
    assert!(
        refused.contains("\"S\"") && fs::read_dir(bench.path("out")).unwrap().next().is_none(),
        "{refused}"
    );
}

#[test]
fn damaged_images_of_a_library_are_counted() {
    let bench = Bench::new();
    let whole = |name| sycl_pi_image::ImageParts::new(name, "spir64", vec![3, 2, 0x23, 7]);
    // A compressed image that ends early.
    let cut = |name| {
        sycl_pi_image::ImageParts::new(name, "spir64", vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, 8, 0x41, 0, 0])
    };
    let version = sycl_pi_image::wrap::ImageVersion::WithoutManifest;
    bench.write("a.o", sycl_pi_image::wrap::wrap_as(&[whole("a"), cut("b"), cut("c")], version).unwrap());
    let refused = bench.refused(&["show", "a.o"]);
    assert!(
        refused.contains("a.o image 1: ") && refused.contains("(2 of 3 images are damaged)"),
        "{refused}"
    );
}

/// Line information names the two source files of these kernels.
#[test]
fn a_split_is_by_source_unless_another_is_asked_for() {
    let (bench, whole) = (Bench::new(), image("multi_off.spv"));
    let count = |mode: &[&str]| {
        let words = [&["split", &whole, "-o", "a.table"], mode].concat();
        bench.json(&words)["images"].as_array().unwrap().len()
    };
    let by_mode = ["off", "per_source", "auto", "per_kernel"].map(|mode| count(&["--mode", mode]));
    assert_eq!(count(&[]), by_mode[1]);
    assert_eq!((by_mode[1], by_mode[3]), (by_mode[2], 6));
}

/// A function that is exported on request is an entry of its own. With dependencies, kernels import it, unless they
/// are to have all that they need.
#[test]
fn functions_are_exported_and_imported_as_requested() {
    let bench = Bench::new();
    let link = ["link", &image("dl_a.spv"), &image("dl_b.spv"), &image("dl_c.spv"), "-o", "whole.spv"];
    bench.told(&link);
    let split = |more: &[&str]| {
        bench.told(&[&["split", "whole.spv", "--mode", "per_kernel", "-o", "a.table"], more].concat());
        let shown = bench.json(&["show", "a.table"]);
        let images = shown.as_array().unwrap().clone();
        let kernel = images.iter().find(|image| !image["kernels"].as_array().unwrap().is_empty()).unwrap();
        let exported = images.iter().any(|image| image["exports"].to_string().contains("_Z2fbi"));
        (exported, kernel["imports"].clone())
    };
    assert_eq!(split(&["--export", "_Z2fbi"]), (true, json!([])));
    let shared = ["--export", "_Z2fbi", "--dependencies"];
    assert_eq!(split(&shared), (true, json!(["_Z2fbi"])));
    let alone = [&shared[..], &["--self-contained-kernels"]].concat();
    assert_eq!(split(&alone), (true, json!([])));
}

/// One image has a variable that both kernels use. The other imports it.
#[test]
fn a_variable_of_two_pieces_is_exported_by_one() {
    let bench = Bench::new();
    let basic = image("dg_basic.spv");
    bench.told(&["split", &basic, "--mode", "per_kernel", "--dependencies", "-o", "a.table"]);
    let shown = bench.json(&["show", "a.table"]);
    let of = |at: usize| (shown[at]["exports"].clone(), shown[at]["imports"].clone());
    assert_eq!((of(0), of(1)), ((json!(["Counter"]), json!([])), (json!([]), json!(["Counter"]))));
}

/// "fixed_target" stands for everything that the code needs.
#[test]
fn an_image_for_fixed_targets_requires_nothing_else() {
    let bench = Bench::new();
    bench.told(&["split", &image("feat_fp64.spv"), "--fixed-target", "gpu", "-o", "a.table"]);
    assert_eq!(bench.json(&["show", "a.table"])[0]["requirements"], json!(["only devices with gpu"]));
}

/// Only the set of requirements is read. A row without properties has no requirements.
#[test]
fn the_filter_reads_requirements_and_writes_to_neither_input() {
    let bench = Bench::new();
    bench.write("a.prop", "[SYCL/specialization constants]\nS=2|IAAAAAAAAAABAgME\n");
    bench.write("in.table", "[Code|Properties]\n1.spv|a.prop\n2.spv|\n");
    bench.write("c.yaml", "cpu:\n  aspects: [cpu]\n  sub-group-sizes: [8]\n");
    let filter = ["filter", "-target=cpu", "-device-config-file=c.yaml", "in.table"];
    assert_eq!(bench.told(&filter), "[Code|Properties]\n1.spv|a.prop\n2.spv|\n");
    for output in ["-o", "--out", "-output"] {
        bench.told(&[&filter[..], &[output, "out.table"]].concat());
        fs::remove_file(bench.path("out.table")).unwrap();
    }
    for input in ["in.table", "c.yaml", "a.prop"] {
        let refused = bench.refused(&[&filter[..], &["-o", input]].concat());
        assert!(refused.contains("the command reads this file"), "{refused}");
    }
    let second = bench.refused(&[&filter[..], &["more.table"]].concat());
    assert!(second.contains("more.table is the second"), "{second}");
}

#[test]
fn a_link_tells_new_numbers_missing_functions_and_warnings() {
    let bench = Bench::new();
    let told = bench.told(&["link", &image("spec_multi_a.spv"), &image("spec_multi_b.spv"), "-o", "a.spv"]);
    // `SCommon` is 1 of the first and 0 of the second.
    let second = image("spec_multi_b.spv");
    check_lines(
        &told,
        &[
            "a.spv: _ZTS5SpecA _ZTS5SpecB",
            &format!("constant 0 of {second} is constant 1 here"),
            &format!("constant 1 of {second} is constant 2 here"),
        ],
    );
    let told = bench.told(&["link", &image("dl_a.spv"), "--allow-missing", "-o", "b.spv"]);
    check_lines(&told, &["still imports _Z2fbi"]);
}

#[test]
fn each_kind_of_value_is_written_as_its_constant() {
    let bench = Bench::with(&["spec_scalar.spv"]);
    bench.write("named.spv", fs::read(image("spec_scalar.spv")).unwrap());
    let made = |words: &[&str]| {
        let report = bench.json(&[&["specialize", "spec_scalar.spv", "-o", "a.spv"], words].concat());
        (report["fixed"].clone(), report["left"].clone(), fs::read(bench.path("a.spv")).unwrap())
    };
    // The same value in several notations.
    assert_eq!(made(&["0=0x10"]), made(&["0=16"]));
    assert_eq!(made(&["3=false"]), made(&["3=0"]));
    assert_eq!(made(&["4=-1"]).2, made(&["4=255"]).2);
    assert_ne!(made(&["4=-1"]).2, made(&["4=0"]).2);
    assert_eq!(made(&["4=-128"]).0, 1);
    for (word, why) in [
        ("4=256", "256 does not fit 8 bits"),
        ("4=-129", "-129 does not fit 8 bits"),
        ("4=x", "the constant is of type"),
        ("9=1", "there is no specialization constant 9"),
    ] {
        let refused = bench.refused(&["specialize", "spec_scalar.spv", word, "-o", "b.spv"]);
        assert!(refused.contains(why), "{word}: {refused}");
    }
    let twice = bench.refused(&["specialize", "spec_scalar.spv", "0=1", "0=2", "-o", "b.spv"]);
    assert!(twice.contains("constant 0 has two values"), "{twice}");
    let (fixed, left, _) = made(&["0=1", "--all"]);
    assert_eq!((fixed, left), (json!(7), json!(0)));
    assert_eq!(bench.json(&["show", "a.spv"])[0]["constants"], json!([]));
    // Without a property file before there is none after.
    assert!(!bench.path("a.prop").exists() && !bench.path("b.spv").exists());
}

#[test]
fn a_structures_constants_are_set_one_by_one() {
    let bench = Bench::new();
    let words = |word: &'static str| ["specialize", "spec_padded.spv", word, "-o", "a.spv"];
    fs::copy(image("spec_padded.spv"), bench.path("spec_padded.spv")).unwrap();
    fs::copy(image("spec_padded.props.json"), bench.path("spec_padded.props.json")).unwrap();
    let refused = bench.refused(&words("uid0123456789abcdef____ZL5SHold=1"));
    assert!(refused.contains("set its scalars by their ids, [3, 5, 6]"), "{refused}");
}

#[test]
fn a_comparison_is_of_a_folder_or_a_file() {
    let bench = Bench::with(&["dl_b.spv", "dl_b.props.json", "dl_a.spv", "dl_a.props.json"]);
    let all = bench.json(&["compare", "."]);
    assert_eq!((all[0]["image"].as_str(), all[1]["image"].as_str()), (Some("dl_a"), Some("dl_b")));
    assert_eq!(bench.json(&["compare", "dl_a.spv"])[0]["sets"], all[0]["sets"]);
    let equal = all.as_array().unwrap().iter().flat_map(|image| image["sets"].as_object().unwrap().values());
    let (sets, equal) =
        equal.fold((0, 0), |(sets, same), word| (sets + 1, same + usize::from(word == "equal")));
    let told = bench.told(&["compare", "."]);
    assert!(told.starts_with(&format!("2 images, {sets} property sets, {equal} equal\n")), "{told}");
    let one = bench.told(&["compare", &image("feat_has.0.spv")]);
    assert!(
        one.starts_with("1 images, 5 property sets, 4 equal\n") && one.contains(": 4 of 5 sets equal\n"),
        "{one}"
    );
    fs::create_dir(bench.path("empty")).unwrap();
    assert!(bench.refused(&["compare", "empty"]).contains("has no NAME.props.json"));
}

#[test]
fn the_configuration_has_the_devices_that_are_meant() {
    let bench = Bench::new();
    let plugin = bench.path(install_support::NAME);
    install_support::compile(&plugin, &[install_support::EVERY_VERSION, "DEVICES"]);
    let told = |words: &[&str], selector: Option<&str>| {
        let mut pi = Command::new(env!("CARGO_BIN_EXE_pi"));
        pi.args(["image", "config", "--from-device", "--plugin"]).arg(&plugin).args(words);
        pi.env_remove("ONEAPI_DEVICE_SELECTOR").envs(selector.map(|text| ("ONEAPI_DEVICE_SELECTOR", text)));
        let output = pi.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(text).unwrap())
    };
    let keys = |text: &str| -> Vec<String> {
        let keys = text.lines().filter(|line| !line.starts_with([' ', '#']));
        keys.map(|line| line.trim_end_matches(':').to_owned()).collect()
    };
    let names = ["opencl_cpu_0_fake_device", "opencl_cpu_1_fake_device"];
    assert_eq!(keys(&told(&[], None).1), names);
    assert_eq!(keys(&told(&["--device", "cpu:1"], None).1), names[1..]);
    assert_eq!(keys(&told(&["--device", "Fake"], None).1), names);
    assert_eq!(keys(&told(&["--device", "cpu:1", "--name", "mine"], None).1), ["mine"]);
    // A hidden device is meant only if it is named.
    assert_eq!(keys(&told(&[], Some("opencl:1")).1), names[1..]);
    assert_eq!(keys(&told(&["--device", "cpu:0"], Some("opencl:1")).1), names[..1]);
    for (words, selector, why) in [
        (&["--name", "mine"][..], None, "2 devices match"),
        (&["--device", "gpu"], None, "no device is named gpu; the devices are [opencl:cpu:0] Fake device, "),
        (&[], Some("cuda:*"), "every device is hidden by the environment"),
    ] {
        let (done, text) = told(words, selector);
        assert!(!done && text.contains(why), "{text}");
    }
}

#[test]
fn a_legalized_module_is_told_to_be_changed_or_not() {
    let bench = Bench::with(&["dl_c.spv", "misc_local.spv"]);
    let words = |name: &'static str| ["legalize", name, "--for", "pocl-7.1", "-o", "out.spv"];
    let told = bench.told(&words("dl_c.spv"));
    assert_eq!(told, "out.spv for pocl-7.1: it takes this module as it is\n");
    assert_eq!(bench.json(&words("dl_c.spv"))["changed"], false);
    assert_eq!(fs::read(bench.path("out.spv")).unwrap(), fs::read(image("dl_c.spv")).unwrap());
    for output in ["dl_c.spv", "out.json"] {
        bench.refused(&["legalize", "dl_c.spv", "--for", "pocl-7.1", "-o", output]);
    }
    assert!(bench.refused(&["legalize", "dl_c.spv", "--for", "pocl", "-o", "out.spv"]).contains("pocl-6.0"));
}

/// A device takes no file beside it.
#[test]
fn an_emulated_image_without_a_place_has_no_property_file() {
    let bench = Bench::with(&["spec_one.spv"]);
    let beside = bench.json(&["emulate", "spec_one.spv", "-o", "out.spv"]);
    assert_eq!((&beside["properties"], bench.path("out.prop").exists()), (&json!("out.prop"), true));
    std::os::unix::fs::symlink("/dev/null", bench.path("null")).unwrap();
    let alone = bench.json(&["emulate", "spec_one.spv", "-o", "null"]);
    assert_eq!((&alone["properties"], bench.path("null.prop").exists()), (&serde_json::Value::Null, false));
    let told = bench.told(&["emulate", "spec_one.spv", "-o", "null"]);
    assert!(told.ends_with("null: no constant remains\n"), "{told}");
}
