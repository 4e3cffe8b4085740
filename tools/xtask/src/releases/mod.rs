//! The DPC++ releases that this program knows, with plugins or adapters.

mod pi;
mod release;
mod ur;

pub(crate) use pi::{MORE, RELEASES};
pub(crate) use release::{Interface, Pin, Release, pin};
pub(crate) use ur::{RELEASES as UR_RELEASES, SUITES};

/// Returns the releases with adapters whose client's test suite is run, oldest first.
pub(crate) fn with_adapters() -> impl Iterator<Item = &'static Release> {
    UR_RELEASES.iter().filter(|release| SUITES.contains(&release.version))
}

/// Finds the release with plugins with a number like `2023.2.4`, or a name like `2024.0.3-numba-dpex`. Used to
/// parse the command line.
pub(crate) fn find(name: &str) -> Result<&'static Release, String> {
    among(name, || RELEASES.iter().chain(MORE))
}

/// Finds the release with such a number, with plugins or adapters. Used to parse the command line.
pub(crate) fn find_any(name: &str) -> Result<&'static Release, String> {
    among(name, all)
}

/// Returns every release with each of its clients.
pub(crate) fn all() -> impl Iterator<Item = &'static Release> {
    RELEASES.iter().chain(MORE).chain(pi::WITH_DPNP).chain(UR_RELEASES).chain(ur::WITH_DPNP)
}

/// Returns whether the client's suite is run on it.
pub(crate) fn has_suite(release: &Release) -> bool {
    let is_it = |other: &Release| other.name() == release.name();
    RELEASES.iter().chain(MORE).chain(with_adapters()).any(is_it)
}

fn among<I>(name: &str, all: impl Fn() -> I) -> Result<&'static Release, String>
where
    I: Iterator<Item = &'static Release>,
{
    all().find(|release| release.name() == name).ok_or_else(|| {
        let known: Vec<String> = all().map(Release::name).collect();
        format!("there is no release {name:?}; known are {}", known.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_release_pins_its_own_runtime() {
        for release in all() {
            let runtime = release.runtime.iter().find(|pin| pin.name == "dpcpp-cpp-rt").unwrap();
            assert_eq!(runtime.version, release.version);
            assert!(release.clients.iter().any(|pin| pin.name == release.suite_of));
        }
    }

    #[test]
    fn every_release_with_a_suite_is_a_release() {
        assert_eq!(with_adapters().count(), SUITES.len());
    }

    #[test]
    fn a_release_is_found_by_its_number_only() {
        assert_eq!(find("2024.2.2").unwrap().interface, Interface::Pi("15.47"));
        assert!(find("2026.2.0").is_err(), "it has no plugins");
        assert_eq!(find_any("2026.2.0").unwrap().interface, Interface::Ur("0.12.0"));
        assert!(find("2024.2").unwrap_err().contains("2024.2.2"));
    }
}
