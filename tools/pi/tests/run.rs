//! `pi run` and `pi env` in a fake environment.

mod install_support;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use install_support::{NAME, Tree, picture};

/// A libsycl that loads plugins opens those next to its own file, and reads no variable.
#[test]
fn a_folder_stands_in_for_a_libsycl_s_own() {
    let tree = Tree::new();
    fs::write(tree.lib.join("libother.so"), "other").unwrap();
    let before = picture(&tree.lib);
    let home = tree.root.path().join("home");
    let env = || {
        let mut pi = std::process::Command::new(env!("CARGO_BIN_EXE_pi"));
        pi.args(["--json", "env", "--plugin"]).arg(&tree.ours).arg(tree.venv());
        let output = pi.env_clear().env("HOME", &home).env("LD_LIBRARY_PATH", ":/a::/b:").output().unwrap();
        let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        value["variables"]["LD_LIBRARY_PATH"].as_str().unwrap_or_else(|| panic!("{value}")).to_owned()
    };
    let path = env();
    let (folder, rest) = path.split_once(':').unwrap();
    assert_eq!(rest, "/a:/b", "no part is empty");
    let folder = std::path::Path::new(folder);
    assert!(folder.starts_with(home.join(".cache/sycl-pi/run")), "{path}");
    let real = |name: &str| folder.join(name).canonicalize().unwrap();
    let inside = folder.canonicalize().unwrap();
    for name in ["libsycl.so.7", "libsycl.so.7.1.0"] {
        assert_eq!(
            real(name).parent(),
            Some(&*inside),
            "{name} is of the folder, where the system follows links too"
        );
        assert_eq!(fs::read(real(name)).unwrap(), fs::read(tree.lib.join(name)).unwrap());
    }
    assert_eq!(real(NAME), tree.ours.canonicalize().unwrap());
    assert_eq!(real("libother.so"), tree.lib.join("libother.so").canonicalize().unwrap());
    assert_eq!(fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(env(), path, "it is made once");
    // A libsycl of another release gets a separate folder.
    fs::write(tree.lib.join("libsycl.so.7.1.0"), b"\x7fELF\0 strings\x0014.39\0 and more").unwrap();
    fs::remove_file(tree.lib.join("libsycl.so.7")).unwrap();
    symlink("libsycl.so.7.1.0", tree.lib.join("libsycl.so.7")).unwrap();
    assert_ne!(env(), path);
    assert!(before.len() == picture(&tree.lib).len(), "nothing is added to the environment");
}

#[test]
fn a_program_of_the_environment_comes_before_others_of_its_name() {
    let tree = Tree::new();
    let programs = tree.venv().join("bin");
    fs::create_dir(&programs).unwrap();
    for name in ["python", "ls"] {
        fs::write(programs.join(name), "#!/bin/sh\necho of the environment, $0\n").unwrap();
        fs::set_permissions(programs.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    for (path, name) in [(Some("/usr/bin:/bin"), "ls"), (None, "ls"), (Some("/nowhere"), "python")] {
        let mut pi = std::process::Command::new(env!("CARGO_BIN_EXE_pi"));
        pi.args(["run", "--plugin"]).arg(&tree.ours).arg(tree.venv()).arg(name);
        pi.env_clear().env("HOME", tree.root.path()).envs(path.map(|path| ("PATH", path)));
        let told = String::from_utf8(pi.output().unwrap().stdout).unwrap();
        assert_eq!(told, format!("of the environment, {}\n", programs.join(name).display()), "{path:?}");
    }
}

/// The system treats an empty part of LD_LIBRARY_PATH, as in `export LD_LIBRARY_PATH=/x:$LD_LIBRARY_PATH`, as the
/// current directory.
#[test]
fn libraries_of_the_current_directory_are_not_opened_by_name() {
    let tree = Tree::new();
    let here = tree.root.path().join("here");
    fs::create_dir(&here).unwrap();
    let source = here.join("planted.c");
    let code =
        "#include <stdio.h>\n__attribute__((constructor)) static void run(void) { fopen(\"RAN\", \"w\"); }\n";
    fs::write(&source, code).unwrap();
    for name in ["libOpenCL.so.1", "libcuda.so.1", "libze_loader.so.1", "libdriver.so"] {
        let mut cc = std::process::Command::new("cc");
        let soname = format!("-Wl,-soname,{name}");
        cc.args(["-shared", "-fPIC", &soname, "-o"]).arg(here.join(name)).arg(&source);
        assert!(cc.status().unwrap().success());
    }
    for command in ["ls", "doctor"] {
        for list in ["/x:", ":/x", "/x::/y", ";"] {
            let mut pi = std::process::Command::new(env!("CARGO_BIN_EXE_pi"));
            pi.arg(command).current_dir(&here).env("LD_LIBRARY_PATH", list);
            pi.env("OCL_ICD_FILENAMES", "libdriver.so").output().unwrap();
            assert!(!here.join("RAN").exists(), "pi {command}, LD_LIBRARY_PATH={list}");
        }
    }
    // A driver that is named, in a folder that is named, does run. No plugin is needed for that.
    let mut pi = std::process::Command::new(env!("CARGO_BIN_EXE_pi"));
    pi.arg("doctor").current_dir(&here).env("LD_LIBRARY_PATH", &here);
    pi.env("OCL_ICD_FILENAMES", "libdriver.so").output().unwrap();
    assert!(here.join("RAN").exists());
}

/// Programs see neither which environment `pi` is installed in nor an empty PATH.
#[test]
fn a_program_gets_the_usual_path_and_no_variable_of_our_package() {
    let tree = Tree::new();
    fs::create_dir(tree.venv().join("bin")).unwrap();
    let mut pi = std::process::Command::new(env!("CARGO_BIN_EXE_pi"));
    pi.args(["run", "--plugin"]).arg(&tree.ours).arg(tree.venv()).arg("/usr/bin/env");
    pi.env_clear().env("HOME", tree.root.path()).env("SYCL_PI_ENVIRONMENT", tree.venv());
    let told = String::from_utf8(pi.output().unwrap().stdout).unwrap();
    let path = format!("PATH={}:/bin:/usr/bin", tree.venv().join("bin").display());
    assert!(told.lines().any(|line| line == path), "{told}");
    assert!(!told.contains("SYCL_PI_ENVIRONMENT="), "{told}");
}

#[test]
fn a_program_that_is_not_there_ends_as_in_a_shell() {
    let tree = Tree::new();
    let run = |program: &str| {
        let mut pi = std::process::Command::new(env!("CARGO_BIN_EXE_pi"));
        pi.args(["run", "--plugin"]).arg(&tree.ours).arg(tree.venv()).arg(program);
        pi.env("HOME", tree.root.path()).status().unwrap().code()
    };
    assert_eq!(run("no-such-program"), Some(127));
    assert_eq!(run("/no/such/program"), Some(127));
    assert_eq!(run("/etc/passwd"), Some(126));
    assert_eq!(run("true"), Some(0));
}
