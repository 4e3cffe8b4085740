//! `pi image` on the test images.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn image(name: &str) -> String {
    root().join("lib/image/tests/images").join(name).to_str().unwrap().to_owned()
}

fn run(words: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_pi")).arg("image").args(words).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn json(words: &[&str]) -> Value {
    let (code, text, errors) = run(&[&["--json"], words].concat());
    assert_eq!(code, 0, "{errors}");
    serde_json::from_str(&text).unwrap()
}

/// The page in the documentation is what the tool writes.
#[test]
fn the_page_is_up_to_date() {
    let (code, page, _) =
        run(&["compare", root().join("lib/image/tests/images").to_str().unwrap(), "--markdown"]);
    assert_eq!(code, 0);
    let kept = std::fs::read_to_string(root().join("lib/image/tests/images/derived.md")).unwrap();
    assert!(
        kept == page,
        "run: pi image compare lib/image/tests/images --markdown > lib/image/tests/images/derived.md"
    );
}

#[test]
fn shows_images() {
    let shown = json(&["show", &image("mix.spv"), &image("dl_c.spv")]);
    assert_eq!(shown[0]["kernels"][0]["name"], "_ZTS3Mix");
    assert_eq!(shown[0]["requirements"][0], "aspects fp64");
    assert_eq!(shown[0]["globals"][0]["name"], "MixCount");
    assert_eq!(shown[0]["constants"][0]["default_hex"], "0000000000001040");
    assert_eq!(shown[0]["imports"][0], shown[1]["exports"][0]);

    let (_, dot, _) = run(&["show", "--dot", &image("dl_a.spv"), &image("dl_b.spv")]);
    assert!(
        dot.starts_with("digraph images {") && dot.contains("\"0 _Z2fbi\" -> \"1 _Z2fbi\" [style=bold];"),
        "{dot}"
    );

    let (code, _, error) = run(&["show", file!()]);
    assert_eq!((code, error.contains("this is not SPIR-V")), (1, !error.contains("cannot read")));
}

#[test]
fn splits_filters_and_links() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let table = path("m.table");
    let split = json(&["split", &image("multi_off.spv"), "--mode", "per_kernel", "-o", &table]);
    assert_eq!(split["images"].as_array().unwrap().len(), 6);
    let shown = json(&["show", &table]);
    assert_eq!(shown.as_array().unwrap().len(), 6);

    let kept = path("kept.table");
    let filtered = json(&["filter", "-target=intel_gpu_12_0_0", &table, "-o", &kept]);
    assert_eq!(filtered["rows"].as_array().unwrap().len(), 4);
    assert_eq!(filtered["dropped"][0]["reason"], "needs fp64");
    let (code, _, error) = run(&["filter", "-target=nothing", &table]);
    assert!(code == 1 && error.contains("has no target nothing"), "{error}");

    let whole = path("whole.spv");
    let linked = json(&["link", &path("m_0.spv"), &path("m_5.spv"), "-o", &whole]);
    assert_eq!(linked["entries"].as_array().unwrap().len(), 2);
    let (code, _, error) = run(&["link", &image("dl_a.spv"), "-o", &path("never.spv")]);
    assert!(code == 1 && error.contains("is defined nowhere") && !Path::new(&path("never.spv")).exists());

    let object = json(&["wrap", &table, &image("dl_c.spv"), "-o", &path("images.o")]);
    assert_eq!(object["images"].as_array().unwrap().len(), 7);
    assert!(std::fs::read(path("images.o")).unwrap().starts_with(b"\x7fELF"));

    // Its array has a length of 8 bits and 4 bytes.
    std::fs::copy(image("dl_c.spv"), path("bad.spv")).unwrap();
    std::fs::write(path("bad.prop"), "[SYCL/specialization constants]\nS=2|IAAAAAAAAAABAgME\n").unwrap();
    std::fs::write(path("bad.table"), "[Code|Properties]\nbad.spv|bad.prop\n").unwrap();
    let (code, _, error) = run(&["wrap", &path("bad.table"), "-o", &path("bad.o")]);
    assert!(code == 1 && error.contains("\"S\"") && !Path::new(&path("bad.o")).exists(), "{error}");

    let fixed = path("fixed.spv");
    let report = json(&["specialize", &image("spec_scalar.spv"), "0=-1", "2=2.5", "3=true", "-o", &fixed]);
    assert_eq!((&report["fixed"], &report["left"]), (&Value::from(3), &Value::from(4)));
    let (code, _, error) = run(&["specialize", &image("spec_scalar.spv"), "4=300", "-o", &fixed]);
    assert!(code == 1 && error.contains("300 does not fit 8 bits"), "{error}");
    // By the name that `show` prints.
    let shown = json(&["show", &image("spec_scalar.spv")]);
    let constants = shown[0]["constants"].as_array().unwrap();
    let second = constants.iter().find(|constant| constant["ids"] == serde_json::json!([2])).unwrap();
    let (by_id, by_name) = (path("by_id.spv"), path("by_name.spv"));
    json(&["specialize", &image("spec_scalar.spv"), "2=2.5", "-o", &by_id]);
    let word = format!("{}=2.5", second["name"].as_str().unwrap());
    json(&["specialize", &image("spec_scalar.spv"), &word, "-o", &by_name]);
    assert_eq!(std::fs::read(by_id).unwrap(), std::fs::read(by_name).unwrap());
}

/// Copies an image's code, with the property file that the tool derives from it and these additional aspects and
/// fixed targets.
fn with_declared(folder: &Path, name: &str, aspects: &[u32], fixed_targets: &[u32]) -> String {
    use sycl_pi_image::property::Properties;
    let table = folder.join(format!("{name}.table"));
    let split = ["split", &image(&format!("{name}.spv")), "--mode", "off", "-o", table.to_str().unwrap()];
    let made = json(&split);
    assert_eq!(made["images"].as_array().unwrap().len(), 1, "one image has one property file");
    let code = made["images"][0]["code"].as_str().unwrap().to_owned();
    let path = Path::new(&code).with_extension("prop");
    let sets = sycl_pi_image::text::read_prop("a", &std::fs::read_to_string(&path).unwrap()).unwrap();
    let mut parts = sycl_pi_image::ImageParts::default();
    parts.property_sets = sets;
    let mut properties = Properties::decode(&parts).unwrap();
    properties.requirements.aspects.get_or_insert_default().extend(aspects);
    if !fixed_targets.is_empty() {
        properties.requirements.fixed_targets = Some(fixed_targets.to_vec());
    }
    std::fs::write(&path, sycl_pi_image::text::write_prop("a", &properties.encode()).unwrap()).unwrap();
    code
}

/// Aspects that are only declared do not occur in the code, but every piece needs them all the same.
#[test]
fn pieces_keep_what_the_property_file_declares() {
    let folder = tempfile::tempdir().unwrap();
    // 36 is ext_intel_free_memory. For fixed targets the design has a "fixed_target" property and nothing else.
    let wanted: [(&[u32], &str); 2] =
        [(&[], "aspects fp64, ext_intel_free_memory"), (&[1], "only devices with cpu")];
    for (fixed_targets, first) in wanted {
        let code = with_declared(folder.path(), "feat_fp64", &[36], fixed_targets);
        let table = folder.path().join("pieces.table");
        json(&["split", &code, "--mode", "per_kernel", "-o", table.to_str().unwrap()]);
        let shown = json(&["show", table.to_str().unwrap()]);
        assert!(!shown.as_array().unwrap().is_empty());
        for piece in shown.as_array().unwrap() {
            assert_eq!(piece["requirements"][0], first);
        }
    }
}

/// Fixed targets have all aspects, so that entries share an image as requested.
#[test]
fn images_for_fixed_targets_are_not_split_by_aspects() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("m.table");
    let words = |more: &[&str]| -> usize {
        let multi = image("multi_off.spv");
        let split = [&["split", &multi, "--mode", "off", "-o", table.to_str().unwrap()], more].concat();
        json(&split)["images"].as_array().unwrap().len()
    };
    assert_eq!(words(&[]), 2);
    assert_eq!(words(&["--fixed-target", "gpu", "--fixed-target", "fp64"]), 1);
    let shown = json(&["show", table.to_str().unwrap()]);
    let needs: Vec<&str> =
        shown[0]["requirements"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(needs.contains(&"only devices with gpu, fp64"), "{needs:?}");
}

/// "the set of aspects is the union", "the intersection of fixed targets, even if it is empty", and the design's warning.
#[test]
fn linked_modules_join_their_requirements() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.spv");
    let link = |targets: [&[u32]; 3]| {
        let [a, b, c] = [("dl_a", 36), ("dl_b", 40), ("dl_c", 36)]
            .into_iter()
            .zip(targets)
            .map(|((name, aspect), targets)| with_declared(folder.path(), name, &[aspect], targets))
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        let report = json(&["link", &a, &b, &c, "-o", whole.to_str().unwrap()]);
        let (_, _, told) = run(&["link", &a, &b, &c, "-o", whole.to_str().unwrap()]);
        for warning in report["warnings"].as_array().unwrap() {
            assert!(told.contains(warning.as_str().unwrap()), "{told}");
        }
        let shown = json(&["show", whole.to_str().unwrap()]);
        (report["warnings"].clone(), shown[0]["requirements"].clone())
    };
    let (warnings, needs) = link([&[1, 2], &[2, 4], &[2]]);
    assert_eq!(needs, serde_json::json!(["only devices with gpu"]));
    let text = warnings[0].as_str().unwrap();
    let design = "compiled with a different `-fsycl-fixed-targets` switch than its calling kernel.";
    assert!(text.starts_with("warning: function '_Z2fbi' ") && text.ends_with(design), "{text}");
    assert_eq!(link([&[1], &[2], &[]]).1, serde_json::json!(["only devices with "]));
    assert_eq!(
        link([&[], &[], &[]]),
        (serde_json::json!([]), serde_json::json!(["aspects ext_intel_free_memory, emulated"]))
    );
}

/// The remaining constants keep their names and defaults. The others are removed from the properties too.
#[test]
fn specialized_modules_keep_their_property_file() {
    let folder = tempfile::tempdir().unwrap();
    let fixed = folder.path().join("fixed.spv");
    let before = json(&["show", &image("spec_scalar.spv")])[0]["constants"].clone();
    json(&["specialize", &image("spec_scalar.spv"), "0=-1", "2=2.5", "-o", fixed.to_str().unwrap()]);
    let after = json(&["show", fixed.to_str().unwrap()]);
    let left = |ids: &Value| ![&serde_json::json!([0]), &serde_json::json!([2])].contains(&ids);
    let wanted: Vec<&Value> = before.as_array().unwrap().iter().filter(|one| left(&one["ids"])).collect();
    assert_eq!(after[0]["constants"].as_array().unwrap().iter().collect::<Vec<_>>(), wanted);
    assert_eq!(wanted.len(), before.as_array().unwrap().len() - 2);
}

/// The images of a library remain the same if they are extracted, wrapped and extracted again.
#[test]
fn extracts_images() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let first = path("first.o");
    json(&["wrap", &image("mix.spv"), &image("dl_c.spv"), "--without-manifest", "-o", &first]);
    let made = json(&["extract", &first, "-o", &path("out/deep")]);
    assert_eq!(made["table"], path("out/deep/first.table"));
    assert_eq!(made["images"][1], path("out/deep/first_1.spv"));
    let (mut shown, mut of_library) =
        (json(&["show", &path("out/deep/first.table")]), json(&["show", &first]));
    for document in [&mut shown, &mut of_library] {
        for image in document.as_array_mut().unwrap() {
            image["image"] = Value::Null;
            image["properties_from"] = Value::Null;
        }
    }
    assert_eq!(shown, of_library);
    assert_eq!(shown[0]["requirements"][0], "aspects fp64");
    assert_eq!(std::fs::read_to_string(path("out/deep/first_0.sym")).unwrap(), "_ZTS3Mix\n");
    let (code, _, error) = run(&["extract", file!(), "-o", &path("never")]);
    assert!(code == 1 && !Path::new(&path("never")).exists(), "{error}");
}

#[test]
fn the_aspect_filter_ends_as_pi_does() {
    let folder = tempfile::tempdir().unwrap();
    let [filter, pi] = ["sycl-aspect-filter", "pi"].map(|name| folder.path().join(name));
    std::fs::copy(env!("CARGO_BIN_EXE_sycl-aspect-filter"), &filter).unwrap();
    let ends = |script: &str| {
        std::fs::write(&pi, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&pi, std::fs::Permissions::from_mode(0o755)).unwrap();
        Command::new(&filter).args(["a", "b c"]).status().unwrap().code()
    };
    assert_eq!([ends("exit 0"), ends("exit 3"), ends("kill -9 $$")], [Some(0), Some(3), Some(1)]);
    assert_eq!(ends("test \"$*\" = 'image filter a b c' && test $# = 4"), Some(0));
}

/// The design's tool under its own name, with a table of 10,000 rows. docs/guide/image-tools.md says how long that
/// takes.
#[test]
fn as_the_aspect_filter() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.prop"), "[SYCL/device requirements]\naspects=2|gAAAAAAAAAQBAAAA\n")
        .unwrap();
    std::fs::write(folder.path().join("b.prop"), "[SYCL/other]\nx=1|1\n").unwrap();
    let rows: String = (0..5000).map(|at| format!("{at}.spv|a.prop\n{at}.spv|b.prop\n")).collect();
    std::fs::write(folder.path().join("in.table"), format!("[Code|Properties]\n{rows}")).unwrap();
    std::fs::write(folder.path().join("c.yaml"), "cpu:\n  aspects: [cpu]\n  sub-group-sizes: [8]\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_sycl-aspect-filter"))
        .args(["-target=cpu", "-device-config-file=c.yaml", "in.table", "-o", "out.table"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let kept = std::fs::read_to_string(folder.path().join("out.table")).unwrap();
    assert_eq!(kept.lines().count(), 5001);

    // "If there is no column Properties, the table is copied", without checking even the target.
    std::fs::write(folder.path().join("in.table"), "[Code|Symbols]\n1.spv|1.sym\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_sycl-aspect-filter"))
        .args(["-target=nothing", "in.table", "-o", "out.table"])
        .current_dir(folder.path())
        .status();
    assert!(output.unwrap().success());
    let copied = std::fs::read_to_string(folder.path().join("out.table")).unwrap();
    assert_eq!(copied, "[Code|Symbols]\n1.spv|1.sym\n");
    let unknown = Command::new(env!("CARGO_BIN_EXE_sycl-aspect-filter")).arg("--nothing=1").output().unwrap();
    assert_eq!(unknown.status.code(), Some(1));
}

/// An image that is fixed to architectures is kept for a target of one of them, whatever features its code uses.
#[test]
fn the_filter_keeps_images_for_their_fixed_targets() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // Battlemage G21 is 20.1.4. Tiger Lake is 12.0.0 and has no doubles.
    for (name, aspects, targets) in
        [("fixed", vec![6], Some([0x0500_4004_u32, 0x0300_0000])), ("other", vec![6], None)]
    {
        let property = |name: &'static str, numbers: &[u32]| {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            sycl_pi_image::Property::new(name, sycl_pi_image::Value::byte_array(&bytes))
        };
        let mut set = sycl_pi_image::PropertySet::new("SYCL/device requirements");
        set.properties.push(property("aspects", &aspects));
        set.properties.extend(targets.map(|targets| property("fixed_target", &targets)));
        let text = sycl_pi_image::text::write_prop(name, &[set]).unwrap();
        std::fs::write(path(&format!("{name}.prop")), text).unwrap();
    }
    std::fs::write(path("in.table"), "[Code|Properties]\n1.spv|fixed.prop\n2.spv|other.prop\n").unwrap();
    let kept = |target: &str| {
        let rows = json(&["filter", &format!("-target={target}"), &path("in.table")])["rows"].clone();
        rows.as_array().unwrap().iter().map(|row| row[0].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(kept("intel_gpu_tgllp"), ["1.spv"]);
    assert_eq!(kept("intel_gpu_12_0_0"), ["1.spv"]);
    assert_eq!(kept("intel_gpu_bmg_g21"), ["1.spv", "2.spv"]);
    assert_eq!(kept("intel_gpu_pvc"), ["2.spv"]);
    let dropped = json(&["filter", "-target=intel_gpu_pvc", &path("in.table")])["dropped"][0].clone();
    assert_eq!(dropped["reason"], "is only for intel_gpu_bmg_g21, intel_gpu_tgllp");
    let split =
        json(&["split", &image("mix.spv"), "--fixed-target", "intel_gpu_pvc", "-o", &path("m.table")]);
    assert!(split["table"].is_string());
    assert_eq!(kept_of(&path("m.table"), "intel_gpu_pvc"), 1);
    assert_eq!(kept_of(&path("m.table"), "intel_gpu_skl"), 0);
}

fn kept_of(table: &str, target: &str) -> usize {
    json(&["filter", &format!("-target={target}"), table])["rows"].as_array().unwrap().len()
}

/// Devices are refused because they have no end. Pipes are read once.
#[test]
fn files_and_pipes_are_read_and_devices_are_not() {
    for words in [["show", "/dev/zero"], ["filter", "/dev/zero"]] {
        let (code, _, error) = run(&words);
        assert!(code == 1 && error.contains("cannot read /dev/zero: it is not a file or pipe"), "{error}");
    }
    let code = std::fs::File::open(image("mix.spv")).unwrap();
    let mut cat = Command::new("cat").stdin(code).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let shown = Command::new(env!("CARGO_BIN_EXE_pi"))
        .args(["--json", "image", "show", "/dev/stdin"])
        .stdin(cat.stdout.take().unwrap())
        .output()
        .unwrap();
    assert!(cat.wait().unwrap().success());
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(shown[0]["kernels"][0]["name"], "_ZTS3Mix");
}

#[test]
fn shows_what_is_in_programs_and_caches() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    json(&["wrap", &image("mix.spv"), &image("dl_c.spv"), "-o", &path("images.o")]);
    let shown = json(&["show", &path("images.o")]);
    let beside = json(&["show", &image("mix.spv"), &image("dl_c.spv")]);
    for (shown, beside) in shown.as_array().unwrap().iter().zip(beside.as_array().unwrap()) {
        for key in
            ["target", "bytes", "kernels", "requirements", "constants", "globals", "imports", "exports"]
        {
            assert_eq!(shown[key], beside[key], "{key}");
        }
    }

    let code = std::fs::read(image("spec_one.spv")).unwrap();
    let config = sycl_pi_cache::Config::default().with_root(Some(folder.path().join("cache")));
    let store = sycl_pi_cache::Store::open(&config);
    let parts = sycl_pi_cache::store::KeyParts {
        images: vec![code.clone()],
        compile_options: "-cl-fast".into(),
        ..Default::default()
    };
    store.save(&sycl_pi_cache::StoreKey::new(&parts), &Default::default(), b"binary");
    store.flush(std::time::Duration::from_secs(60));
    let item = store.items(|_| ()).unwrap().remove(0);
    let file = item.folder.join(format!("{}.src", item.number));
    let shown = json(&["show", file.to_str().unwrap()]);
    assert_eq!(shown[0]["kernels"][0]["name"], "_ZTS7SpecOne");
    assert_eq!(shown[0]["compile_options"], "-cl-fast");
    assert_eq!(shown[0]["bytes"], code.len());
    std::fs::write(&file, b"SYPI.src but no more").unwrap();
    let (code, _, error) = run(&["show", file.to_str().unwrap()]);
    assert!(code == 1 && error.contains("its length differs from its header"), "{error}");
}

#[test]
fn draws_a_picture_with_dot_or_says_that_it_is_missing() {
    // Replaces graphviz's program, which is not installed everywhere.
    const DOT: &str =
        "#!/bin/sh\n[ \"$*\" = -Tsvg ] && echo '<svg>' && while read -r line; do echo \"$line\"; done\n";
    let folder = tempfile::tempdir().unwrap();
    let (file, programs) = (folder.path().join("calls.svg"), folder.path().join("bin"));
    let show = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pi"));
        command.args(["image", "show", &image("dl_a.spv"), &image("dl_b.spv"), "--svg"]).arg(&file);
        let output = command.env("PATH", &programs).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, error) = show();
    assert!(code == 1 && error.contains("graphviz") && !file.exists(), "{error}");

    std::fs::create_dir(&programs).unwrap();
    std::fs::write(programs.join("dot"), DOT).unwrap();
    std::fs::set_permissions(programs.join("dot"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let (code, error) = show();
    assert_eq!(code, 0, "{error}");
    let picture = std::fs::read_to_string(file).unwrap();
    assert!(picture.starts_with("<svg>\ndigraph images {") && picture.contains("_Z2fbi"), "{picture}");
}

#[test]
fn emulates_constants() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.spv");
    let report = json(&["emulate", &image("spec_multi.spv"), "-o", out.to_str().unwrap()]);
    assert_eq!(report["kernels"].as_array().unwrap().len(), 2);
    let shown = json(&["show", out.to_str().unwrap()]);
    let kernel = &shown[0]["kernels"][0];
    assert_eq!(kernel["arguments"][1]["name"], "_arg__specialization_constants_buffer");
    assert_eq!(kernel["removed_arguments"], 0);
    assert_eq!(shown[0]["constants"], json(&["show", &image("spec_multi.spv")])[0]["constants"]);
    let (code, _, error) = run(&["emulate", &image("dl_a.spv"), "-o", "/nowhere/out.spv"]);
    assert!(code == 1 && error.contains("cannot write /nowhere/out.spv"), "{error}");
}

/// The built-in configuration can be copied, and filters as before.
#[test]
fn prints_the_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (_, text, _) = run(&["config"]);
    std::fs::write(path("devices.yaml"), text).unwrap();
    json(&["split", &image("multi_off.spv"), "-o", &path("m.table")]);
    let config = format!("-device-config-file={}", path("devices.yaml"));
    let target = "-target=intel_gpu_icl";
    assert_eq!(
        json(&["filter", target, &config, &path("m.table")]),
        json(&["filter", target, &path("m.table")])
    );
    assert!(json(&["config"])["x86_64"]["aspects"].as_array().unwrap().contains(&Value::from(1)));
    let (code, _, error) = run(&["config", "--from-device", "--plugin", "/nowhere/libpi_opencl.so"]);
    assert!(code == 1 && error.contains("there is no device"), "{error}");
}

/// For invalid input, the error names the file, and the byte or line. Nothing is written.
#[test]
fn errors_say_where() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let code = std::fs::read(image("spec_one.spv")).unwrap();
    std::fs::write(path("cut.spv"), &code[..code.len() - 8]).unwrap();
    std::fs::write(path("bad.prop"), "[a]\nb=3|0\n").unwrap();
    std::fs::write(path("bad.table"), "[Code|Properties]\na\n").unwrap();
    std::fs::write(path("bad.yaml"), "cpu:\n\taspects: []\n").unwrap();
    std::fs::write(path("good.table"), "[Code|Properties]\na|bad.prop\n").unwrap();
    std::fs::write(path("bad.o"), b"\x7fELF and no more").unwrap();
    let yaml = format!("-device-config-file={}", path("bad.yaml"));
    let cases: [(&[&str], &str); 8] = [
        (&["show", &path("cut.spv")], "cut.spv: at byte "),
        (&["split", &path("cut.spv"), "-o", &path("out.table")], "cut.spv: at byte "),
        (&["emulate", &path("cut.spv"), "-o", &path("out.spv")], "cut.spv: at byte "),
        (&["show", &path("bad.prop")], "bad.prop:2: "),
        (&["show", &path("bad.table")], "bad.table:2: "),
        (&["filter", "-target=cpu", &yaml, &path("good.table"), "-o", &path("out.table")], "bad.yaml:2: "),
        (&["filter", "-target=x86_64", &path("good.table"), "-o", &path("out.table")], "bad.prop:2: "),
        (&["show", &path("bad.o")], "bad.o: "),
    ];
    for (words, wanted) in cases {
        let (code, text, error) = run(words);
        assert!(code == 1 && text.is_empty() && error.contains(wanted), "{words:?}: {error}");
        assert!(!error.contains("panicked"), "{error}");
    }
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("out")), "{left:?}");
}

/// A command writes all files or none. Here the table's name is a folder, which no file can replace.
#[test]
fn writes_all_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("out.table");
    std::fs::create_dir_all(table.join("occupied")).unwrap();
    let (code, _, error) = run(&["split", &image("multi_off.spv"), "-o", table.to_str().unwrap()]);
    assert!(code == 1 && error.contains("cannot write"), "{error}");
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left, ["out.table"]);
}

/// Writes more files than a process may have open.
#[cfg(unix)]
#[test]
fn many_files() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("out.table");
    let command = format!(
        "ulimit -n 16; exec {} image split {} --mode per_kernel -o {}",
        env!("CARGO_BIN_EXE_pi"),
        image("multi_off.spv"),
        table.display()
    );
    let output = Command::new("sh").arg("-c").arg(command).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // Six images of three files each, and the table.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 19);
}
