//! `pi install` and `pi uninstall` in fake environments.

mod install_support;

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use install_support::{EVERY_VERSION, NAME, Tree, compile, pi, picture};

#[test]
fn restores_exactly_and_twice_is_once() {
    let tree = Tree::new();
    let before = picture(&tree.lib);
    assert_eq!(tree.state(), "vendor");
    assert_eq!(tree.pi("status").0, 3);

    assert_eq!(tree.done("install"), "installed, the vendor's file kept aside");
    assert_eq!(fs::read(tree.place()).unwrap(), fs::read(&tree.ours).unwrap());
    assert_eq!((tree.state().as_str(), tree.pi("status").0), ("ours", 0));
    let installed = picture(&tree.lib);
    assert_eq!(tree.done("install"), "already installed");
    assert_eq!(picture(&tree.lib), installed);

    assert_eq!(tree.done("uninstall"), "the vendor's file put back");
    assert_eq!(picture(&tree.lib), before);
    assert_eq!(tree.done("uninstall"), "nothing to do");
    assert_eq!(picture(&tree.lib), before);
}

#[test]
fn a_file_linked_elsewhere_stays_as_it_is() {
    let tree = Tree::new();
    let elsewhere = tree.root.path().join("package-cache.so");
    fs::hard_link(tree.place(), &elsewhere).unwrap();
    let bytes = fs::read(&elsewhere).unwrap();
    tree.done("install");
    assert_eq!(fs::read(&elsewhere).unwrap(), bytes);
    tree.done("uninstall");
    assert_eq!(fs::read(tree.place()).unwrap(), bytes);
}

#[test]
fn a_link_stays_a_link() {
    let tree = Tree::new();
    let real = tree.lib.join("libpi_opencl.so.1");
    fs::rename(tree.place(), &real).unwrap();
    symlink("libpi_opencl.so.1", tree.place()).unwrap();
    let before = picture(&tree.lib);
    tree.done("install");
    assert!(fs::symlink_metadata(tree.place()).unwrap().is_file());
    assert!(before.iter().any(|entry| entry.0 == "libpi_opencl.so.1"));
    tree.done("uninstall");
    assert_eq!(picture(&tree.lib), before);
}

#[test]
fn an_immutable_file_is_named_and_nothing_is_left_beside_it() {
    let tree = Tree::new();
    let chattr = |flag: &str| {
        let status = Command::new("chattr").arg(flag).arg(tree.place()).status();
        status.is_ok_and(|status| status.success())
    };
    if !chattr("+i") {
        eprintln!("skipped: only root can make a file immutable, and only on some file systems");
        return;
    }
    let before = picture(&tree.lib);
    let (code, report) = tree.pi("install");
    let after = picture(&tree.lib);
    assert!(chattr("-i"));
    let told = report.to_string();
    assert!(code == 1 && told.contains("is it immutable?") && told.contains("nothing was changed"), "{told}");
    assert_eq!(after, before);
}

#[test]
fn no_vendor_file_is_fine() {
    let tree = Tree::new();
    fs::remove_file(tree.place()).unwrap();
    let before = picture(&tree.lib);
    assert_eq!(tree.done("install"), "installed");
    assert_eq!(tree.state(), "ours");
    assert_eq!(tree.done("uninstall"), "our file removed; there was none before");
    assert_eq!(picture(&tree.lib), before);
}

#[test]
fn an_upgrade_keeps_the_vendors_file() {
    let tree = Tree::new();
    let before = picture(&tree.lib);
    tree.done("install");
    compile(&tree.ours, &[EVERY_VERSION, "NEWER"]);
    let mut newer = fs::read(&tree.ours).unwrap();
    newer.extend(b"newer");
    fs::write(&tree.ours, newer).unwrap();
    assert_eq!(tree.done("install"), "our file replaced by this one");
    assert_eq!(fs::read(tree.place()).unwrap(), fs::read(&tree.ours).unwrap());
    tree.done("uninstall");
    assert_eq!(picture(&tree.lib), before);
}

#[test]
fn a_dry_run_changes_nothing() {
    let tree = Tree::new();
    let words = |command: &str| {
        let mut words =
            vec![command.to_owned(), tree.venv().to_str().unwrap().to_owned(), "--dry-run".into()];
        if command == "install" {
            words.extend(["--plugin".to_owned(), tree.ours.to_str().unwrap().to_owned()]);
        }
        words
    };
    let before = picture(&tree.lib);
    assert_eq!(pi(&words("install")).0, 0);
    assert_eq!(picture(&tree.lib), before);
    tree.done("install");
    let installed = picture(&tree.lib);
    assert_eq!(pi(&words("uninstall")).0, 0);
    assert_eq!(picture(&tree.lib), installed);
}

#[test]
fn refuses_what_is_not_served() {
    let mut tree = Tree::new();
    let refused = |tree: &Tree, part: &str| {
        let before = picture(&tree.lib);
        let (code, value) = tree.pi("install");
        let text = value["error"].as_str().unwrap();
        assert!(code == 1 && text.contains(part), "{text}");
        assert_eq!(picture(&tree.lib), before);
    };
    let serves_all = tree.ours.clone();
    tree.ours = tree.root.path().join("old").join(NAME);
    compile(&tree.ours, &["SERVES=\"9.11 12.27\""]);
    refused(&tree, "speaks PI 14.39 (DPC++ 2024.1.2)");
    tree.ours = tree.root.path().join("none").join(NAME);
    refused(&tree, "cannot be read: No such file");

    tree.ours = serves_all;
    for name in ["libsycl.so", "libsycl.so.7", "libsycl.so.7.1.0"] {
        fs::remove_file(tree.lib.join(name)).unwrap();
    }
    refused(&tree, "there is no libsycl");
    fs::write(tree.lib.join("libsycl.so.8"), "").unwrap();
    refused(&tree, "Unified Runtime");
    fs::write(tree.lib.join("libsycl.so.5.6.0"), "").unwrap();
    fs::remove_file(tree.place()).unwrap();
    symlink("libsycl.so.5.6.0", tree.lib.join("libsycl.so.5")).unwrap();
    refused(&tree, "speaks PI 6.8");
}

#[test]
fn a_package_update_is_seen_and_nothing_is_lost() {
    let tree = Tree::new();
    let first = fs::read(tree.place()).unwrap();
    tree.done("install");
    let update = tree.root.path().join("update.so");
    let second = [first.as_slice(), b"second"].concat();
    fs::write(&update, &second).unwrap();
    fs::rename(&update, tree.place()).unwrap();
    assert_eq!(tree.state(), "replaced");

    assert_eq!(tree.done("install"), "installed again, the vendor's newer file kept aside");
    assert_eq!(tree.state(), "ours");
    assert_eq!(tree.done("uninstall"), "the vendor's file put back");
    assert_eq!(fs::read(tree.place()).unwrap(), second);
    let old = picture(&tree.lib).into_iter().find(|entry| entry.0.starts_with("libpi_opencl.so.vendor."));
    assert_eq!(old.unwrap().4, first);
}

#[test]
fn uninstall_after_an_update_leaves_the_update_alone() {
    let tree = Tree::new();
    tree.done("install");
    fs::remove_file(tree.place()).unwrap();
    fs::write(tree.place(), "another").unwrap();
    assert!(tree.done("uninstall").starts_with("left alone"));
    assert_eq!(fs::read(tree.place()).unwrap(), b"another");
    assert_eq!(tree.state(), "vendor");
    assert!(!tree.manifest().exists());
}

#[test]
fn our_file_put_there_by_hand_is_still_ours() {
    let tree = Tree::new();
    let vendor = fs::read(tree.place()).unwrap();
    tree.done("install");
    let mut newer = fs::read(&tree.ours).unwrap();
    newer.extend(b"built anew");
    fs::remove_file(tree.place()).unwrap();
    fs::write(tree.place(), newer).unwrap();
    assert_eq!(tree.state(), "ours");
    assert_eq!(tree.done("uninstall"), "the vendor's file put back");
    assert_eq!(fs::read(tree.place()).unwrap(), vendor);
}

/// Every state that an interruption can leave, completed once and undone once.
#[test]
fn interrupted_runs_can_be_finished_or_undone() {
    type Break = fn(&Tree, &[u8]);
    let states: [(&str, Break); 6] = [
        ("the record only", |tree, record| fs::write(tree.manifest(), record).unwrap()),
        ("the second name too", |tree, record| {
            fs::write(tree.manifest(), record).unwrap();
            fs::hard_link(tree.place(), tree.kept()).unwrap();
        }),
        ("renamed, on a file system without second names", |tree, record| {
            fs::write(tree.manifest(), record).unwrap();
            fs::rename(tree.place(), tree.kept()).unwrap();
        }),
        ("the second name without a record", |tree, _| fs::hard_link(tree.place(), tree.kept()).unwrap()),
        ("renamed without a record", |tree, _| fs::rename(tree.place(), tree.kept()).unwrap()),
        ("a file in the making", |tree, record| {
            fs::write(tree.manifest(), record).unwrap();
            fs::write(tree.lib.join(".sycl-pi-unfinished-abc"), "half").unwrap();
        }),
    ];
    for (what, interrupt) in states {
        let tree = Tree::new();
        let before = picture(&tree.lib);
        tree.done("install");
        let record = fs::read(tree.manifest()).unwrap();
        tree.done("uninstall");

        interrupt(&tree, &record);
        assert_eq!(tree.state(), "interrupted", "{what}");
        tree.done("uninstall");
        assert_eq!(picture(&tree.lib), before, "{what}, undone");

        interrupt(&tree, &record);
        tree.done("install");
        assert_eq!(tree.state(), "ours", "{what}");
        tree.done("uninstall");
        assert_eq!(picture(&tree.lib), before, "{what}, finished");
    }
}

#[test]
fn a_lost_record_does_not_lose_the_vendors_file() {
    let tree = Tree::new();
    let before = picture(&tree.lib);
    tree.done("install");
    fs::remove_file(tree.manifest()).unwrap();
    assert_eq!(tree.state(), "ours");
    tree.done("uninstall");
    assert_eq!(picture(&tree.lib), before);
}

/// Tests real releases. Each subfolder of the folder named by PI_TEST_RELEASES is an unpacked release.
#[test]
#[ignore = "needs unpacked releases: PI_TEST_RELEASES names their folder"]
fn real_releases() {
    let releases = std::env::var_os("PI_TEST_RELEASES").expect("PI_TEST_RELEASES names a folder of releases");
    let tree = Tree::new();
    for release in fs::read_dir(releases).unwrap() {
        let release = release.unwrap().path();
        let folder = release.to_str().unwrap().to_owned();
        let place = |value: &serde_json::Value| {
            std::path::PathBuf::from(value["entries"][0]["folder"].as_str().unwrap())
        };
        let install =
            ["install".into(), folder.clone(), "--plugin".into(), tree.ours.to_str().unwrap().into()];
        let status = pi(&["status".into(), folder.clone()]).1;
        let lib = place(&status);
        // A vendor's plugin supports its release's version only, whatever it accepts.
        let served = pi(&["__probe".into(), lib.join(NAME).to_str().unwrap().into()]).1;
        if served["error"].is_null() {
            assert_eq!(served["served"], serde_json::json!([status["entries"][0]["pi_version"]]));
        }
        let before = picture(&lib);
        let (code, value) = pi(&install);
        assert_eq!(code, 0, "{value}");
        let (code, value) = pi(&install);
        assert_eq!((code, value["entries"][0]["action"].as_str()), (0, Some("already installed")));
        assert_eq!(pi(&["uninstall".into(), folder]).0, 0);
        assert_eq!(picture(&lib), before, "{}", release.display());
    }
}

#[test]
fn spirv_on_nvidia_puts_worker_and_variable_in_place_and_uninstall_takes_them_away() {
    let tree = Tree::new();
    let packages = tree.lib.join("python3.12/site-packages");
    fs::create_dir_all(&packages).unwrap();
    let worker = tree.root.path().join("worker");
    fs::write(&worker, "a worker").unwrap();
    let run = |command: &str| {
        let mut pi = std::process::Command::new(env!("CARGO_BIN_EXE_pi"));
        pi.args(["--json", command]).arg(tree.venv()).arg("--plugin").arg(&tree.ours);
        let output = pi.arg("--spirv-on-nvidia").env("PI_NVVM_COMPILER", &worker).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    run("install");
    assert_eq!(fs::read(tree.lib.join("pi-nvvm")).unwrap(), b"a worker");
    assert_eq!(fs::read_to_string(tree.lib.join("pi-cuda-as")).unwrap(), "level_zero\n");
    assert!(picture(&packages).is_empty(), "what Python would set, all programs that it starts would have");
    let venv = || tree.venv().to_str().unwrap().to_owned();
    let notes = tree.pi("status").1["notes"].to_string();
    assert!(notes.contains("installed with --spirv-on-nvidia"), "{notes}");
    let listed = pi(&["ls".into(), venv()]).1;
    assert_eq!(listed["spirv_on_nvidia"][0], tree.lib.canonicalize().unwrap().to_str().unwrap());
    let severity = || {
        let mut doctor = std::process::Command::new(env!("CARGO_BIN_EXE_pi"));
        doctor.args(["--json", "doctor"]).arg(tree.venv()).env("PI_NVVM", "/no/such/folder");
        let report: serde_json::Value = serde_json::from_slice(&doctor.output().unwrap().stdout).unwrap();
        let what = |finding: &&serde_json::Value| {
            finding["what"].as_str().unwrap().starts_with("SPIR-V on NVIDIA GPUs for programs of ")
        };
        let finding = report["findings"].as_array().unwrap().iter().find(what).cloned()?;
        Some((
            finding["severity"].as_str().unwrap().to_owned(),
            finding["command"].as_str().unwrap().to_owned(),
        ))
    };
    let (word, command) = severity().unwrap();
    assert!(word == "error" && command.ends_with("pip install nvidia-cuda-nvcc-cu12"), "{word}: {command}");
    fs::remove_file(tree.lib.join("pi-cuda-as")).unwrap();
    assert_eq!(severity(), None);
    assert!(pi(&["ls".into(), venv()]).1["spirv_on_nvidia"].is_null());
    run("install");
    let variables: serde_json::Value = serde_json::from_str(&run("env")).unwrap();
    assert_eq!(variables["variables"]["PI_CUDA_AS"], "level_zero");
    // The file with which earlier versions set the variable is removed.
    fs::write(packages.join("sycl-pi-nvidia.pth"), "import os").unwrap();
    run("install");
    assert!(picture(&packages).is_empty());
    tree.done("uninstall");
    assert!(["pi-nvvm", "pi-cuda-as"].iter().all(|name| !tree.lib.join(name).exists()));
    // So is the name that they wrote.
    run("install");
    fs::write(tree.lib.join("pi-cuda-as"), "opencl\n").unwrap();
    tree.done("uninstall");
    assert!(!tree.lib.join("pi-cuda-as").exists());
    // Lines that a user wrote stay.
    run("install");
    fs::write(tree.lib.join("pi-cuda-as"), "cuda\n").unwrap();
    tree.done("uninstall");
    assert!(tree.lib.join("pi-cuda-as").exists());
}

/// oneMKL's libraries of 2025. Those of 2026 are missing, so that their drop-ins are not installed.
#[test]
fn spirv_on_nvidia_replaces_onemkl_and_uninstall_puts_it_back() {
    let tree = Tree::new();
    let math = tree.root.path().join("math");
    fs::create_dir(&math).unwrap();
    let worker = tree.root.path().join("worker");
    fs::write(&worker, "a worker").unwrap();
    for name in ["libpi_math.so", "libmkl_sycl_blas.so.5", "libmkl_sycl_dft.so.5", "libmkl_sycl_blas.so.6"] {
        fs::write(math.join(name), format!("our {name}")).unwrap();
    }
    for name in ["libmkl_sycl_blas.so.5", "libmkl_sycl_dft.so.5", "libmkl_sycl_lapack.so.5"] {
        fs::write(tree.lib.join(name), format!("the vendor's {name}")).unwrap();
    }
    let before = picture(&tree.lib);
    for _ in 0..2 {
        let mut pi = std::process::Command::new(env!("CARGO_BIN_EXE_pi"));
        pi.args(["--json", "install", "--spirv-on-nvidia"]).arg(tree.venv()).arg("--plugin").arg(&tree.ours);
        let output = pi.env("PI_NVVM_COMPILER", &worker).env("PI_MATH", &math).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        for (name, content) in [
            ("libpi_math.so", "our libpi_math.so"),
            ("libmkl_sycl_blas.so.5", "our libmkl_sycl_blas.so.5"),
            ("libmkl_sycl_blas.so.5.vendor", "the vendor's libmkl_sycl_blas.so.5"),
            ("libmkl_sycl_dft.so.5.vendor", "the vendor's libmkl_sycl_dft.so.5"),
            ("libmkl_sycl_lapack.so.5", "the vendor's libmkl_sycl_lapack.so.5"),
        ] {
            assert_eq!(fs::read_to_string(tree.lib.join(name)).unwrap(), content, "{name}");
        }
        assert!(!tree.lib.join("libmkl_sycl_blas.so.6").exists());
    }
    tree.done("uninstall");
    assert_eq!(picture(&tree.lib), before);
}

/// The name of oneDNN's library is the same with all versions of libsycl.
#[test]
fn spirv_on_nvidia_replaces_onednn_by_the_drop_in_with_its_libsycl() {
    let tree = Tree::new();
    let math = tree.root.path().join("math");
    fs::create_dir(&math).unwrap();
    let worker = tree.root.path().join("worker");
    fs::write(&worker, "a worker").unwrap();
    let dnnl = tree.lib.join("libdnnl.so.3");
    let install = |wanted: bool| {
        let mut pi = std::process::Command::new(env!("CARGO_BIN_EXE_pi"));
        pi.args(["--json", "install", "--spirv-on-nvidia"]).arg(tree.venv()).arg("--plugin").arg(&tree.ours);
        let output = pi.env("PI_NVVM_COMPILER", &worker).env("PI_MATH", &math).output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{told}");
        assert_eq!(told.contains("libdnnl.so.3 stays Intel's: there is no drop-in"), !wanted, "{told}");
    };
    for name in ["libpi_math.so", "libpi_dnn.so", "libdnnl.so.3.sycl8", "libdnnl.so.3.sycl9"] {
        fs::write(math.join(name), format!("our {name}, libsycl.so.{}\0", &name[name.len() - 1..])).unwrap();
    }
    fs::write(tree.lib.join("libdnnl.so"), "the vendor's libsycl.so.9\0").unwrap();
    // There is none for 2024's.
    fs::write(&dnnl, "the vendor's libsycl.so.7\0").unwrap();
    install(false);
    assert_eq!(fs::read(&dnnl).unwrap(), b"the vendor's libsycl.so.7\0");
    tree.done("uninstall");
    for major in ["9", "8"] {
        fs::write(&dnnl, format!("the vendor's libsycl.so.{major}\0")).unwrap();
        let before = picture(&tree.lib);
        for _ in 0..2 {
            install(true);
            let ours = format!("our libdnnl.so.3.sycl{major}, libsycl.so.{major}\0");
            assert_eq!(fs::read_to_string(&dnnl).unwrap(), ours);
            let kept = fs::read_to_string(tree.lib.join("libdnnl.so.3.vendor")).unwrap();
            assert_eq!(kept, format!("the vendor's libsycl.so.{major}\0"));
            assert!(tree.lib.join("libpi_dnn.so").exists() && tree.lib.join("libpi_math.so").exists());
        }
        tree.done("uninstall");
        assert_eq!(picture(&tree.lib), before);
    }
}

#[test]
fn what_was_kept_is_put_back_only_if_it_is_the_vendors() {
    let tree = Tree::new();
    let undone = || {
        let (code, entry) = tree.pi("uninstall");
        let state = entry["state"].as_str().unwrap().to_owned();
        (code, state, entry["action"].as_str().unwrap().to_owned())
    };
    let vendor = fs::read(tree.place()).unwrap();

    tree.done("install");
    fs::remove_file(tree.kept()).unwrap();
    let (code, state, told) = undone();
    assert_eq!((code, state.as_str(), tree.place().exists()), (1, "absent", false));
    assert!(told.contains("the vendor's is lost, because libpi_opencl.so.vendor is gone"), "{told}");

    // An earlier version could keep our file as the vendor's.
    fs::write(tree.place(), &vendor).unwrap();
    tree.done("install");
    fs::remove_file(tree.kept()).unwrap();
    fs::copy(&tree.ours, tree.kept()).unwrap();
    let (code, state, told) = undone();
    assert_eq!((code, state.as_str(), tree.kept().exists()), (1, "absent", false));
    assert!(told.contains("libpi_opencl.so.vendor is ours too"), "{told}");

    fs::write(tree.place(), &vendor).unwrap();
    tree.done("install");
    fs::remove_file(tree.kept()).unwrap();
    fs::write(tree.kept(), "another").unwrap();
    let (code, state, told) = undone();
    assert_eq!(
        (code, state.as_str(), fs::read(tree.place()).unwrap().as_slice()),
        (1, "vendor", b"another".as_slice())
    );
    assert!(told.contains("although it is not the file that was kept"), "{told}");
}

#[test]
fn an_uninstall_needs_no_libsycl() {
    let tree = Tree::new();
    tree.done("install");
    let vendor = fs::read(tree.kept()).unwrap();
    for name in ["libsycl.so", "libsycl.so.7", "libsycl.so.7.1.0"] {
        fs::remove_file(tree.lib.join(name)).unwrap();
    }
    let told = tree.pi("status").1["error"].as_str().unwrap().to_owned();
    assert!(
        told.contains("there is no libsycl")
            && told.contains("has files of an earlier pi install: pi uninstall"),
        "{told}"
    );
    assert_eq!(tree.done("uninstall"), "the vendor's file put back");
    let left = picture(&tree.lib);
    assert_eq!((left.len(), left[0].4.as_slice()), (1, vendor.as_slice()));
    assert_eq!(tree.pi("uninstall").0, 1);
}

#[test]
fn pipes_and_devices_are_refused_without_waiting() {
    let tree = Tree::new();
    let pipe = |file: &std::path::Path| {
        assert!(std::process::Command::new("mkfifo").arg(file).status().unwrap().success());
    };
    let refused = |command: &str, part: &str| {
        let (code, value) = tree.pi(command);
        let told = value["error"].as_str().unwrap_or_default();
        assert!(code == 1 && told.contains(part), "{command}: {value}");
    };
    pipe(&tree.manifest());
    for command in ["install", "uninstall", "status"] {
        refused(command, ".sycl-pi-install.json cannot be read: it is not a regular file");
    }
    let mut doctor = std::process::Command::new(env!("CARGO_BIN_EXE_pi"));
    let told = doctor.arg("doctor").env_clear().env("VIRTUAL_ENV", tree.venv()).output().unwrap().stdout;
    assert!(String::from_utf8(told).unwrap().contains(".sycl-pi-install.json cannot be read"));
    fs::remove_file(tree.manifest()).unwrap();
    let vendor = fs::read(tree.place()).unwrap();
    fs::remove_file(tree.place()).unwrap();
    pipe(&tree.place());
    for command in ["install", "uninstall", "status"] {
        refused(command, "libpi_opencl.so cannot be read: it is not a regular file");
    }
    fs::remove_file(tree.place()).unwrap();
    fs::write(tree.place(), vendor).unwrap();
    fs::remove_file(&tree.ours).unwrap();
    symlink("/dev/zero", &tree.ours).unwrap();
    refused("install", "it is not a regular file");
    fs::remove_file(&tree.ours).unwrap();
    pipe(&tree.ours);
    refused("install", "it is not a regular file");
}

#[test]
fn a_manifest_leads_nowhere_else() {
    let tree = Tree::new();
    let before = picture(&tree.lib);
    let victim = tree.root.path().join("victim");
    fs::write(&victim, "a victim").unwrap();
    fs::write(tree.root.path().join("victim.vendor"), "not the victim").unwrap();
    let entry = |version: &str| {
        serde_json::json!({
            "version": version, "installed": "\u{1b}]0;title\u{7}", "vendor": null,
            // SHA-256 of "a victim".
            "ours_sha256": "0000", "source": "/etc/passwd",
        })
    };
    let manifest = serde_json::json!({
        "format": 1,
        "plugins": {
            "../../victim": entry("1"),
            "libpi_opencl.so/../../../victim": entry("1"),
            "libur_adapter_opencl.so.0/../../../victim": entry("1"),
            "/etc/passwd": entry("1"),
            NAME: entry("\u{1b}[2J"),
        },
        "pth_files": ["../../victim", "/etc/passwd"],
        "worker_sha256": "0000",
    });
    let write = || fs::write(tree.manifest(), serde_json::to_vec(&manifest).unwrap()).unwrap();
    write();
    let text =
        std::process::Command::new(env!("CARGO_BIN_EXE_pi")).arg("status").arg(tree.venv()).output().unwrap();
    assert!(!String::from_utf8(text.stdout).unwrap().contains('\u{1b}'));
    tree.done("uninstall");
    assert_eq!((picture(&tree.lib), fs::read(&victim).unwrap().as_slice()), (before, b"a victim".as_slice()));

    fs::write(tree.manifest(), format!("{}1{}", "[".repeat(200_000), "]".repeat(200_000))).unwrap();
    assert!(tree.pi("uninstall").1["error"].as_str().unwrap().contains("is damaged"));
    fs::write(tree.manifest(), r#"{"format": 2, "plugins": {}}"#).unwrap();
    assert!(tree.pi("uninstall").1["error"].as_str().unwrap().contains("written by a newer pi"));
}

#[test]
fn libraries_of_the_current_directory_are_not_loaded() {
    let tree = Tree::new();
    let here = tree.root.path().join("here");
    fs::create_dir(&here).unwrap();
    // The system's search takes the first file with the name, and ends the process if it is not a library.
    fs::write(here.join("libgcc_s.so.1"), "planted").unwrap();
    fs::write(here.join("libc.so.6"), "planted").unwrap();
    for before in [None, Some(""), Some("/nowhere::/nowhere")] {
        let mut pi = std::process::Command::new(env!("CARGO_BIN_EXE_pi"));
        pi.args(["--json", "install"]).arg(tree.venv()).arg("--plugin").arg(&tree.ours).current_dir(&here);
        pi.env_remove("LD_LIBRARY_PATH");
        // The shell's own search is not changed: pi starts with the value, and its children with what pi makes of
        // it.
        pi.envs(before.filter(|value| value.is_empty()).map(|value| ("LD_LIBRARY_PATH", value)));
        let output = pi.output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && !told.contains("could not be asked"), "{told}");
        tree.done("uninstall");
    }
}

#[test]
fn whoever_can_enter_the_environment_can_use_what_was_installed_whatever_the_umask_is() {
    use std::os::unix::fs::PermissionsExt;
    let tree = Tree::new();
    for (folder, readable, runnable) in [(0o755, 0o644, 0o755), (0o700, 0o600, 0o700)] {
        fs::remove_file(tree.place()).unwrap_or_default();
        fs::set_permissions(&tree.lib, fs::Permissions::from_mode(folder)).unwrap();
        let mut pi = std::process::Command::new("sh");
        pi.args(["-c", "umask 777; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_pi"), "install"]);
        pi.arg(tree.venv()).arg("--plugin").arg(&tree.ours);
        assert!(pi.output().unwrap().status.success());
        let mode = |file: &std::path::Path| fs::metadata(file).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&tree.place()), runnable);
        assert_eq!(
            (mode(&tree.manifest()), mode(&tree.lib.join(".sycl-pi-install.lock"))),
            (readable, readable)
        );
        tree.done("uninstall");
    }
}
