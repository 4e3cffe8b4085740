//! The file that names the adapters to an environment's Python interpreters.
//!
//! It finds them relative to its own location, so it also works in an environment that was copied or moved.

use std::path::{Component, Path, PathBuf};

use anyhow::{Result, bail};

use super::adapter_names::FORCE_LOAD;
use super::files;
use super::manifest::Manifest;
use super::tree;
use crate::regular;

/// The name of the file in a folder of Python packages.
pub const NAME: &str = "sycl-pi.pth";

/// The state of the files of an environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PthState {
    /// There is no Python environment around the libsycl.
    NoPython,
    /// Each Python of the environment has the file, and it names the right adapters.
    Set,
    /// A file is missing, or names something else.
    Wrong,
}

/// Returns the locations of the files in the environment of a libsycl's folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    tree::own_site_packages(folder).iter().map(|packages| packages.join(NAME)).collect()
}

/// Returns the state of the files for these adapters of the folder.
///
/// # Errors
/// Fails if an adapter cannot be named.
pub fn state(folder: &Path, adapters: &[PathBuf]) -> Result<PthState> {
    let files = files(folder);
    let mut all = true;
    for file in &files {
        all &= regular::text(file).ok() == Some(line(file, folder, adapters)?);
    }
    Ok(match all {
        _ if files.is_empty() => PthState::NoPython,
        true => PthState::Set,
        false => PthState::Wrong,
    })
}

/// Makes the files name these adapters of the folder. The files are first recorded in the manifest. Returns whether
/// anything is changed.
///
/// # Errors
/// Fails if an adapter cannot be named, or a folder cannot be written.
pub fn set(folder: &Path, adapters: &[PathBuf], dry_run: bool) -> Result<bool> {
    let files = files(folder);
    let lines = files.iter().map(|file| line(file, folder, adapters)).collect::<Result<Vec<_>>>()?;
    let mut manifest = Manifest::read(folder)?.unwrap_or_default();
    let names = files.iter().filter_map(|file| Some(file.strip_prefix(folder).ok()?.into())).collect();
    let mut changed = manifest.pth_files != names;
    if changed && !dry_run {
        manifest.pth_files = names;
        manifest.write(folder)?;
    }
    for (file, line) in files.iter().zip(&lines) {
        let mode = files::mode_in(file.parent().unwrap_or(folder), 0o644);
        changed |= files::update(file, line.as_bytes(), mode, dry_run)?;
    }
    Ok(changed)
}

/// Removes the files, and their names from the manifest. Returns the files that existed.
///
/// # Errors
/// Fails if a folder cannot be written.
pub fn remove(folder: &Path, dry_run: bool) -> Result<Vec<PathBuf>> {
    let mut there = files(folder);
    there.retain(|file| files::exists(file));
    if dry_run {
        return Ok(there);
    }
    there.iter().try_for_each(|file| files::remove(file))?;
    if let Some(mut manifest) = Manifest::read(folder)?.filter(|manifest| !manifest.pth_files.is_empty()) {
        manifest.pth_files.clear();
        manifest.write(folder)?;
    }
    Ok(there)
}

/// Returns the line of the file. Python runs a line of a `.pth` file that begins with `import`, before importing
/// anything else. The calling function knows the folder. Missing files are not named. Without the first file, which is
/// ours, the vendor's are used as before.
fn line(pth: &Path, folder: &Path, adapters: &[PathBuf]) -> Result<String> {
    let packages = pth.parent().unwrap_or(folder);
    let way = python_text(&relative(packages, folder))?;
    let names = adapters.iter().map(|file| match file.strip_prefix(folder) {
        Ok(name) => Ok(format!("'{}'", python_text(name)?)),
        Err(_) => bail!("{} is not in {}", file.display(), folder.display()),
    });
    let names = names.collect::<Result<Vec<_>>>()?.join(", ");
    let code = CODE.trim_start().replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n");
    Ok(format!(
        "import os, sys; exec('{code}'); sycl_pi(sys._getframe(1).f_locals['sitedir'], '{way}', [{names}], '{FORCE_LOAD}')\n"
    ))
}

/// Sets the variable in the environment of C functions, which libsycl uses. It is not in `os.environ`. It is
/// removed before Python starts another program, which may belong to another environment with another release. It is
/// set again when the started program's object is destroyed, or at Python's next audit event.
const CODE: &str = r#"
def sycl_pi(packages, way, names, variable):
    import os, sys
    folder = os.path.realpath(os.path.join(os.path.realpath(packages), way))
    files = [os.path.join(folder, name) for name in names]
    mark = chr(34)
    if not os.path.exists(files[0]) or "," in folder or mark in folder:
        return
    quote = mark if ":" in folder or ";" in folder else ""
    value = ",".join(quote + file + quote for file in files if os.path.exists(file))
    if os.environ.get(variable, value) != value:
        return
    os.environ.pop(variable, None)
    starts = {"subprocess.Popen", "os.exec", "os.posix_spawn", "os.system"}
    state = {"set": False, "busy": False, "over": False}
    def change(wanted, put=os.putenv, take=os.unsetenv):
        if state["over"] or state["busy"] or state["set"] == wanted:
            return
        state["busy"] = True
        put(variable, value) if wanted else take(variable)
        state["set"] = wanted
        state["busy"] = False
    class AtEnd:
        def __del__(self):
            change(True)
    def hook(event, arguments, frame=sys._getframe):
        if state["busy"] or state["over"]:
            return
        if event in starts:
            change(False)
            if event == "subprocess.Popen":
                state["busy"] = True
                started = frame(1).f_locals.get("self")
                state["busy"] = False
                if started is not None:
                    started.sycl_pi = AtEnd()
        elif event in ("os.putenv", "os.unsetenv") and arguments[0] == variable.encode():
            state["over"] = True
        else:
            change(True)
    change(True)
    sys.addaudithook(hook)
"#;

/// Returns the relative path from one folder to another, both without links.
fn relative(from: &Path, to: &Path) -> PathBuf {
    let common = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    up.chain(to.components().skip(common)).collect()
}

/// Returns the content of a Python string literal, in ASCII because older versions of Python read `.pth` files in
/// the user's encoding.
fn python_text(path: &Path) -> Result<String> {
    let Some(text) = path.to_str() else { bail!("{}: its name is not UTF-8", path.display()) };
    let escaped = |letter: char| match letter {
        '\\' | '\'' => format!("\\{letter}"),
        ' '..='~' => letter.to_string(),
        other => format!("\\U{:08x}", u32::from(other)),
    };
    Ok(text.chars().map(escaped).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_between_folders() {
        let way =
            |from: &str, to: &str| relative(Path::new(from), Path::new(to)).to_str().unwrap().to_owned();
        assert_eq!(way("/v/lib/python3.12/site-packages", "/v/lib"), "../..");
        assert_eq!(way("/shared/packages", "/v/lib"), "../../v/lib");
    }

    #[test]
    fn python_reads_back_what_was_written() {
        let value = "/home/o'neil/\u{e4}\\b\u{1f600}/x.so";
        let literal = format!("'{}'", python_text(Path::new(value)).unwrap());
        assert!(literal.is_ascii());
        let code = format!("import sys; sys.stdout.buffer.write({literal}.encode())");
        let output = std::process::Command::new("python3").args(["-c", &code]).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), value);
    }
}
