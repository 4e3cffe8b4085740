//! Texts of properties: what the two formats refuse, and what they keep.

use sycl_pi_image::property::MetadataValue;
use sycl_pi_image::text::{read_json, read_prop, write_json, write_prop};
use sycl_pi_image::{ImageParts, Properties, Property, PropertySet, Value};

fn set(name: &str, properties: &[(&str, Value<'static>)]) -> PropertySet<'static> {
    let mut set = PropertySet::new(name.to_owned());
    set.properties =
        properties.iter().map(|(name, value)| Property::new((*name).to_owned(), value.clone())).collect();
    set
}

/// Sets of one name are one set, in the place of the first.
#[test]
fn a_repeated_set_continues_the_earlier_one() {
    let sets = read_prop("a.prop", "[a]\nx=1|1\n\n[b]\nx=1|2\n[a]\ny=1|3\n").unwrap();
    let [one, two, three] = [1, 2, 3].map(Value::Uint32);
    assert_eq!(sets, [set("a", &[("x", one), ("y", three)]), set("b", &[("x", two)])]);
}

#[test]
fn a_malformed_property_file_is_refused_with_its_line() {
    for (text, line, problem) in [
        ("[a]\nx=1|1\n[b]\n[a]\nx=1|2\n", 5, "property \"x\" appears twice"),
        ("[a]\nx=1|1\ry=1|2\n", 2, "carriage return"),
        ("[a\n", 1, "has no ]"),
        ("x=1|1\n[a]\n", 1, "before the first [set] line"),
        ("[a]\nx\n", 2, "name=type|value"),
        ("[a]\nx=1\n", 2, "name=type|value"),
        ("[a]\n=1|1\n", 2, "no name"),
        ("[a]\nx=1|-1\n", 2, "\"-1\" is not a 32-bit number"),
        ("[a]\nx=1|4294967296\n", 2, "is not a 32-bit number"),
        ("[a]\nx=3|1\n", 2, "\"3\" is not a type"),
    ] {
        let error = read_prop("a.prop", text).unwrap_err().to_string();
        assert!(error.contains(problem) && error.contains(&format!("a.prop:{line}")), "{text:?}: {error}");
    }
    // These end lines.
    assert_eq!(read_prop("a.prop", "[a]\r\nx=1|7\r\n").unwrap(), [set("a", &[("x", Value::Uint32(7))])]);
}

#[test]
fn a_property_that_the_format_cannot_hold_is_not_written() {
    let number = || Value::Uint32(1);
    let other = Value::Other(7, vec![1].into());
    for (sets, problem) in [
        (vec![set("a\nb", &[])], "a set's name"),
        (vec![set("a\rb", &[])], "a set's name"),
        (vec![set("a", &[("", number())])], "cannot hold the name \"\""),
        (vec![set("a", &[("[x", number())])], "cannot hold the name \"[x\""),
        (vec![set("a", &[("x=y", number())])], "cannot hold the name \"x=y\""),
        (vec![set("a", &[("x\ny", number())])], "cannot hold the name"),
        (vec![set("a", &[("x\ry", number())])], "cannot hold the name"),
        (vec![set("a", &[("x", number()), ("y", other)])], "cannot hold type 7 of property \"y\""),
    ] {
        let error = write_prop("a.prop", &sets).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
    let sets = [set("[a]", &[("x[", number()), ("y|2", number())])];
    assert_eq!(read_prop("a.prop", &write_prop("a.prop", &sets).unwrap()).unwrap(), sets);
}

#[test]
fn a_document_keeps_types_that_nobody_knows() {
    let mut image = ImageParts::default();
    image.name = "a.json".into();
    image.entries = vec!["k \"1\"".into(), "k2".into()];
    let values =
        [Value::Uint32(0x0403_0201), Value::ByteArray(vec![9].into()), Value::Other(9, vec![1, 0xff].into())];
    let [number, bytes, other] = values;
    image.property_sets = vec![set("a", &[("x", number), ("y", bytes), ("z", other)]), set("b", &[])];
    let text = write_json(&image);
    assert!(text.contains("\"type\": 1, \"value_hex\": \"01020304\""), "{text}");
    assert!(text.contains("\"type\": 9, \"value_hex\": \"01ff\""), "{text}");
    assert_eq!(read_json("a.json", &text, &[]).unwrap(), image);
}

#[test]
fn a_malformed_document_is_refused_with_its_property() {
    for (kind, hex, problem) in [
        (1, "010203", "a number has 4 bytes"),
        (2, "012", "pairs of hexadecimal digits"),
        (2, "0g", "pairs of hexadecimal digits"),
    ] {
        let item = format!("{{\"name\": \"x\", \"type\": {kind}, \"value_hex\": \"{hex}\"}}");
        let sets = format!("[{{\"name\": \"s\", \"properties\": [{item}]}}]");
        let text = format!("{{\"target\": \"t\", \"property_sets\": {sets}}}");
        let error = read_json("a.json", &text, &[]).unwrap_err().to_string();
        assert!(error.contains(problem) && error.contains("property \"x\""), "{error}");
    }
    assert!(read_json("a.json", "{\"target\": \"t\", \"more\": 1}", &[]).is_err());
}

/// A name has its tag after the last `@`. A value that its tag does not allow stays as it is.
#[test]
fn metadata_is_what_its_tag_says_or_stays_as_it_is() {
    let words = |numbers: &[u32]| {
        Value::byte_array(&numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>())
    };
    let (sizes, too_many) = (words(&[4, 2, 1]), words(&[4, 2, 1, 1]));
    let mut image = ImageParts::default();
    image.property_sets = vec![set(
        "SYCL/program metadata",
        &[
            ("k@1@reqd_work_group_size", sizes),
            ("k@max_work_group_size", too_many.clone()),
            ("k@reqd_work_group_size", words(&[])),
            ("plain", Value::Uint32(3)),
            ("k@reqd_sub_group_size", Value::Uint32(16)),
        ],
    )];
    let decoded = Properties::decode(&image).unwrap();
    let metadata = &decoded.metadata;
    let get = |subject: &str, tag| metadata.get(subject, tag).cloned();
    assert_eq!(get("k@1", "reqd_work_group_size"), Some(MetadataValue::Sizes(vec![4, 2, 1])));
    assert_eq!(get("k", "max_work_group_size"), Some(MetadataValue::Other(too_many)));
    assert_eq!(get("k", "reqd_work_group_size"), Some(MetadataValue::Other(words(&[]))));
    assert_eq!(get("k", "reqd_sub_group_size"), Some(MetadataValue::Number(16)));
    let plain = metadata.entries.iter().find(|entry| entry.subject == "plain").unwrap();
    assert_eq!((&plain.tag, &plain.value), (&None, &MetadataValue::Other(Value::Uint32(3))));
    assert_eq!(decoded.encode(), image.property_sets);
}

/// Defaults without constants belong to another image of the program, whose constants have their size.
#[test]
fn defaults_have_the_size_of_the_constants_if_there_are_any() {
    let all = Value::byte_array(&[1, 2, 3, 4]);
    let leaf = |size: u32| {
        let numbers: Vec<u8> = [0, 0, size].iter().flat_map(|number: &u32| number.to_le_bytes()).collect();
        Value::byte_array(&numbers)
    };
    let defaults = set("SYCL/specialization constants default values", &[("all", all)]);
    for (constants, is_fine) in [(None, true), (Some(leaf(4)), true), (Some(leaf(8)), false)] {
        let mut image = ImageParts::default();
        image.property_sets =
            constants.map(|leaf| set("SYCL/specialization constants", &[("x", leaf)])).into_iter().collect();
        image.property_sets.push(defaults.clone());
        let decoded = Properties::decode(&image);
        assert_eq!(decoded.is_ok(), is_fine, "{decoded:?}");
    }
}
