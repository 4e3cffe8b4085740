//! How this `pi` was installed, and the commands that install other parts of the same build.

use std::path::{Path, PathBuf};

use sycl_pi_loader::search::executable_folder;

use crate::{regular, shell};

/// The version of this build.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The script of a checkout that builds the drop-ins for oneMKL, and the folder where it puts them.
const DROP_INS: (&str, &str) = ("math/mkl/rim/drop_ins.py", "target/math");

/// The origin of `pi`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnPackage {
    /// Built by cargo, or installed by pip from the checkout in this folder.
    Checkout(PathBuf),
    /// Installed by pip from this wheel: a file, or an address.
    Wheel(String),
    /// Installed by pip from an index, or from a folder of wheels.
    Index,
    /// Installed by the system's package manager, or unpacked by hand.
    System,
}

/// The record of pip about a package that does not come from an index (PEP 610).
#[derive(serde::Deserialize)]
struct DirectUrl {
    url: String,
}

impl OwnPackage {
    /// Finds out where the running program comes from.
    pub fn find() -> Self {
        executable_folder().map_or(Self::System, |folder| Self::of_folder(&folder))
    }

    fn of_folder(folder: &Path) -> Self {
        // `target/release` or `target/debug`.
        if let Some(checkout) = folder.ancestors().nth(2).filter(|root| is_checkout(root)) {
            return Self::Checkout(checkout.into());
        }
        // `site-packages/sycl_pi/bin`.
        let Some(packages) = folder.ancestors().nth(2).filter(|_| folder.ends_with("sycl_pi/bin")) else {
            return Self::System;
        };
        let record = packages.join(format!("sycl_pi-{VERSION}.dist-info/direct_url.json"));
        let recorded =
            regular::text(&record).ok().and_then(|text| serde_json::from_str::<DirectUrl>(&text).ok());
        let Some(DirectUrl { url }) = recorded else { return Self::Index };
        match url.strip_prefix("file://").map(decoded) {
            // A checkout, or a wheel in its `target/dist`.
            Some(path) => match [0, 3]
                .iter()
                .filter_map(|up| Path::new(&path).ancestors().nth(*up))
                .find(|root| is_checkout(root))
            {
                Some(root) => Self::Checkout(root.into()),
                None => Self::Wheel(path),
            },
            None => Self::Wheel(url),
        }
    }

    /// Returns the command that installs `pi` and its libraries again. `pip_install` installs into the environment.
    pub fn reinstall(&self, pip_install: &str) -> String {
        match self {
            Self::Checkout(root) => format!("{pip_install} --force-reinstall {}", shell::path(root)),
            Self::Wheel(wheel) => format!("{pip_install} --force-reinstall {}", shell::quoted(wheel)),
            Self::Index => format!("{pip_install} --force-reinstall sycl-pi=={VERSION}"),
            Self::System => format!("sudo dpkg --install sycl-pi_{VERSION}-1_amd64.deb"),
        }
    }

    /// Returns the command that puts the drop-ins for oneMKL into the environment in `root`. All packages contain them;
    /// a checkout builds them on request.
    pub fn add_drop_ins(&self, pip_install: &str, root: &str) -> String {
        let again = format!("pi install --spirv-on-nvidia {root}");
        match self {
            Self::Checkout(checkout) => {
                let (script, folder) = (checkout.join(DROP_INS.0), checkout.join(DROP_INS.1));
                format!("python3 {} && PI_MATH={} {again}", shell::path(&script), shell::path(&folder))
            }
            _ => format!("{} && {again}", self.reinstall(pip_install)),
        }
    }
}

fn is_checkout(root: &Path) -> bool {
    root.join(DROP_INS.0).is_file()
}

/// Returns the path of a file address, in which some characters are encoded, such as `%20`.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Creates a file and its folders.
    fn put(file: &Path, text: &str) {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    #[test]
    fn a_build_of_cargo_names_its_checkout() {
        let folder = tempfile::tempdir().unwrap();
        put(&folder.path().join(DROP_INS.0), "");
        let checkout = OwnPackage::Checkout(folder.path().into());
        assert_eq!(OwnPackage::of_folder(&folder.path().join("target/release")), checkout);
        let root = folder.path().display();
        assert_eq!(
            checkout.add_drop_ins("pip install", "/venv"),
            format!(
                "python3 {root}/math/mkl/rim/drop_ins.py && PI_MATH={root}/target/math pi install --spirv-on-nvidia /venv"
            )
        );
    }

    #[test]
    fn pip_s_record_tells_a_checkout_a_wheel_and_an_index_apart() {
        let folder = tempfile::tempdir().unwrap();
        let packages = folder.path().join("lib/python3.12/site-packages");
        let found = |record: &str| {
            let file = packages.join(format!("sycl_pi-{VERSION}.dist-info/direct_url.json"));
            put(&file, record);
            OwnPackage::of_folder(&packages.join("sycl_pi/bin"))
        };
        assert_eq!(found("not JSON"), OwnPackage::Index);
        let wheel = found(r#"{"archive_info": {}, "url": "file:///d/a%20b/sycl_pi-9-any.whl"}"#);
        assert_eq!(wheel, OwnPackage::Wheel("/d/a b/sycl_pi-9-any.whl".into()));
        let again = "--force-reinstall '/d/a b/sycl_pi-9-any.whl' && pi install --spirv-on-nvidia /venv";
        assert_eq!(wheel.add_drop_ins("pip install", "/venv"), format!("pip install {again}"));
        let address = found(r#"{"archive_info": {}, "url": "https://h/v1/sycl_pi-9-any.whl"}"#);
        assert_eq!(address, OwnPackage::Wheel("https://h/v1/sycl_pi-9-any.whl".into()));
        put(&folder.path().join("c").join(DROP_INS.0), "");
        let url = format!(r#"{{"dir_info": {{}}, "url": "file://{}/c"}}"#, folder.path().display());
        assert_eq!(found(&url), OwnPackage::Checkout(folder.path().join("c")));
        let url = url.replace("/c\"", "/c/target/dist/sycl_pi-9-any.whl\"");
        assert_eq!(found(&url), OwnPackage::Checkout(folder.path().join("c")));
    }

    #[test]
    fn a_system_s_package_is_no_package_of_python_s() {
        assert_eq!(OwnPackage::of_folder(Path::new("/usr/lib/sycl-pi")), OwnPackage::System);
    }
}
