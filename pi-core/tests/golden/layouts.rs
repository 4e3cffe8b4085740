//! `pi_plugin` in each version.

use sycl_pi_core::Version;

use crate::data::{functions, number, version, word};

#[test]
fn every_version_of_the_data_is_served_and_no_other() {
    let golden = functions();
    let texts: Vec<&str> =
        golden["versions"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    assert_eq!(Version::ALL.map(Version::text).as_slice(), texts);
}

#[test]
fn every_version_has_its_offsets() {
    let golden = functions();
    for version in Version::ALL {
        let of = &golden["pi_plugin_layout"][version.text()];
        let field = |name: &str| {
            let fields = of["fields"].as_array().unwrap();
            fields.iter().find(|field| word(field, "name") == name)
        };
        let offsets = version.offsets();
        assert_eq!(offsets.size, number(of, "size"), "{version:?}");
        assert_eq!(offsets.function_count, number(of, "function_count"), "{version:?}");
        assert_eq!(number(field("PiVersion").unwrap(), "offset"), 0, "{version:?}");
        assert_eq!(offsets.version_field, number(field("PiVersion").unwrap(), "size"), "{version:?}");
        assert_eq!(offsets.version_field, number(field("PluginVersion").unwrap(), "offset"), "{version:?}");
        assert_eq!(offsets.version_field, number(field("PluginVersion").unwrap(), "size"), "{version:?}");
        assert_eq!(offsets.targets, number(field("Targets").unwrap(), "offset"), "{version:?}");
        assert_eq!(offsets.table, number(field("PiFunctionTable").unwrap(), "offset"), "{version:?}");
        let sanitize = field("SanitizeType").map(|field| number(field, "offset"));
        assert_eq!(offsets.sanitize_type, sanitize, "{version:?}");
    }
}

#[test]
fn every_version_names_its_release() {
    let golden = functions();
    for (text, release) in golden["releases"].as_object().unwrap() {
        assert_eq!(version(text).release(), release.as_str().unwrap());
    }
}

#[test]
fn a_version_is_found_by_its_exact_text_only() {
    for version in Version::ALL {
        assert_eq!(Version::from_text(version.text().as_bytes()), Some(version));
        assert_eq!(version.c_text().to_bytes(), version.text().as_bytes());
    }
    for text in ["", "9", "9.1", "9.110", "9.11.1", "09.11", "15.48", "99.9", "9.10", " 9.11", "15.47 "] {
        assert_eq!(Version::from_text(text.as_bytes()), None, "{text:?}");
    }
}

#[test]
fn versions_are_ordered_as_released() {
    assert!(Version::ALL.is_sorted());
    assert!(Version::V9_11 < Version::V11_15, "as numbers, not as text");
    assert_eq!(Some(&Version::NEWEST), Version::ALL.last());
}

#[test]
fn the_plugins_own_version_text_fits_and_begins_with_the_version() {
    for version in Version::ALL {
        let text = version.plugin_text();
        assert!(text.to_bytes_with_nul().len() <= version.offsets().version_field, "{version:?}");
        let rest = text.to_str().unwrap().strip_prefix(version.text()).unwrap();
        assert!(rest.is_empty() || rest.starts_with('.'), "{version:?}");
    }
}
