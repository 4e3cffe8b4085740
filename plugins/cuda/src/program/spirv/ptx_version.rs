//! PTX versions. libnvvm writes that of its own release, and a driver refuses versions newer than its own.

/// The newest PTX version of each CUDA release, oldest first: the release in the driver's numbering, and the version.
const VERSIONS: [(i32, (u32, u32)); 13] = [
    (11080, (7, 8)),
    (12000, (8, 0)),
    (12010, (8, 1)),
    (12020, (8, 2)),
    (12030, (8, 3)),
    (12040, (8, 4)),
    (12050, (8, 5)),
    (12060, (8, 5)),
    (12070, (8, 6)),
    (12080, (8, 7)),
    (12090, (8, 8)),
    (13000, (9, 0)),
    (13010, (9, 1)),
];

const DIRECTIVE: &str = ".version ";

/// Changes the PTX to a version that a driver of the given CUDA release accepts. The code itself needs nothing that
/// later versions added. If it does after all, the driver's compiler reports this in the build log.
pub(super) fn for_driver(ptx: Vec<u8>, driver: i32) -> Vec<u8> {
    let newest = VERSIONS.iter().rev().find(|(release, _)| *release <= driver).map(|(_, version)| *version);
    let is_known = driver < VERSIONS.last().map_or(0, |(release, _)| *release) + 10;
    let text = std::str::from_utf8(&ptx).ok();
    let found = text.and_then(|text| Some((text, version_of(text)?)));
    let (Some(newest), true, Some((text, (start, end, version)))) = (newest, is_known, found) else {
        return ptx;
    };
    if version <= newest {
        return ptx;
    }
    log::debug!("PTX {version:?} is newer than the driver, so it is declared as {newest:?}");
    format!("{}{}.{}{}", &text[..start], newest.0, newest.1, &text[end..]).into_bytes()
}

/// Returns the position of the version number and the number.
fn version_of(ptx: &str) -> Option<(usize, usize, (u32, u32))> {
    let start = ptx.find(DIRECTIVE)? + DIRECTIVE.len();
    let number = ptx.get(start..)?.split_ascii_whitespace().next()?;
    let (major, minor) = number.split_once('.')?;
    Some((start, start + number.len(), (major.parse().ok()?, minor.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The newest PTX version of each CUDA release, from the release notes of the PTX ISA.
    const NEWEST: [(i32, &str); 13] = [
        (11080, "7.8"),
        (12000, "8.0"),
        (12010, "8.1"),
        (12020, "8.2"),
        (12030, "8.3"),
        (12040, "8.4"),
        (12050, "8.5"),
        (12060, "8.5"),
        (12070, "8.6"),
        (12080, "8.7"),
        (12090, "8.8"),
        (13000, "9.0"),
        (13010, "9.1"),
    ];

    #[test]
    fn a_later_version_is_declared_as_the_drivers_own() {
        let for_driver = |ptx: &str, driver| {
            String::from_utf8(for_driver(ptx.as_bytes().to_vec(), driver))
                .unwrap_or_else(|error| panic!("{error}"))
        };
        let text = |version: &str| format!("//\n.version {version}\n.target sm_90\n");
        for (driver, newest) in NEWEST {
            assert_eq!(for_driver(&text("9.2"), driver), text(newest), "{driver}");
            assert_eq!(for_driver(&text(newest), driver), text(newest));
            assert_eq!(for_driver(&text("7.8"), driver), text("7.8"));
        }
        assert_eq!(for_driver(&text("9.2"), 13019), text("9.1"));
        assert_eq!(for_driver(&text("9.2"), 13020), text("9.2"), "a driver that is newer than this list");
        assert_eq!(for_driver(&text("8.8"), 11070), text("8.8"), "a driver that is older than this list");
        assert_eq!(for_driver("no version", 12040), "no version");
    }
}
