//! Comparisons of derived property sets with others: what is said of each difference.

use sycl_pi_image::derive::{SetDifference, compare, derive};
use sycl_pi_image::{ImageParts, Property, PropertySet, SetKind, Value};

use crate::common::images;

const METADATA: &str = "SYCL/program metadata";
const SIZE: &str = "@reqd_work_group_size";

/// Returns the code of an image with several facts about kernels, with the sets that are derived from it.
fn with_derived_sets(bytes: &[u8]) -> Option<ImageParts<'_>> {
    let mut image = ImageParts::default();
    image.bytes = bytes.into();
    image.property_sets = derive(bytes).ok()?.properties.encode();
    let metadata = image.property_set(METADATA)?;
    let sizes = metadata.properties.iter().filter(|property| property.name.ends_with(SIZE));
    (sizes.count() > 0 && metadata.properties.len() > 1).then_some(image)
}

/// Returns the outcome for a set if all other sets are equal.
fn outcome(image: &ImageParts<'_>, set: &str) -> SetDifference {
    let mut found = None;
    for comparison in compare(image).unwrap() {
        if comparison.set == set {
            found = Some(comparison.outcome);
        } else {
            assert_eq!(comparison.outcome, SetDifference::Equal, "{}", comparison.set);
        }
    }
    found.unwrap()
}

#[test]
fn each_difference_of_a_set_is_named() {
    let all: Vec<Vec<u8>> = images().into_iter().map(|image| image.bytes).collect();
    let good = all.iter().find_map(|bytes| with_derived_sets(bytes)).unwrap();
    assert_eq!(outcome(&good, METADATA), SetDifference::Equal);
    let changed = |change: &dyn Fn(&mut Vec<Property<'static>>)| {
        let mut image = good.clone();
        for set in &mut image.property_sets {
            if set.name == METADATA {
                let mut properties: Vec<Property<'static>> = set
                    .properties
                    .iter()
                    .map(|property| Property::new(property.name.to_string(), owned(&property.value)))
                    .collect();
                change(&mut properties);
                set.properties = properties;
            }
        }
        outcome(&image, METADATA)
    };
    let first = good.property_set(METADATA).unwrap().properties[0].name.to_string();
    let differs = |text: &str| SetDifference::Differs(text.into());
    assert_eq!(changed(&|list| list.reverse()), SetDifference::EqualBut("order"));
    assert_eq!(changed(&|list| drop(list.remove(0))), differs(&format!("property {first} is derived only")));
    assert_eq!(
        changed(&|list| list[0].value = Value::Uint32(77)),
        differs(&format!("property {first} is not as derived"))
    );
    assert_eq!(
        changed(&|list| list.push(Property::new("more@tag", Value::Uint32(1)))),
        differs("property more@tag is not as derived")
    );
    let linear = |list: &mut Vec<Property<'static>>| {
        list.push(Property::new("k@max_linear_work_group_size", Value::Uint32(1)));
    };
    assert_eq!(
        changed(&linear),
        differs("the maximum linear work-group size is not an execution mode of SPIR-V")
    );
}

fn owned(value: &Value<'_>) -> Value<'static> {
    match value {
        Value::Uint32(number) => Value::Uint32(*number),
        Value::ByteArray(bytes) => Value::ByteArray(bytes.to_vec().into()),
        Value::Other(kind, bytes) => Value::Other(*kind, bytes.to_vec().into()),
    }
}

#[test]
fn a_set_that_only_one_side_has_is_named() {
    let all: Vec<Vec<u8>> = images().into_iter().map(|image| image.bytes).collect();
    let good = all.iter().find_map(|bytes| with_derived_sets(bytes)).unwrap();
    let mut fewer = good.clone();
    fewer.property_sets.retain(|set| set.name != METADATA);
    assert_eq!(outcome(&fewer, METADATA), SetDifference::Differs("derived only".into()));
    for (kind, part) in [
        (SetKind::RegisteredKernels, "the registered names are in the source only"),
        (SetKind::VirtualFunctions, "sets of virtual functions"),
        (SetKind::Imports, "no linkage"),
        (SetKind::Exports, "no linkage"),
        (SetKind::AssertUsed, "leaves no trace"),
    ] {
        if good.property_set(kind.name()).is_some() {
            continue;
        }
        let mut more = good.clone();
        more.property_sets.push(PropertySet::new(kind.name()));
        let outcome = outcome(&more, kind.name());
        assert!(matches!(&outcome, SetDifference::Differs(text) if text.contains(part)), "{outcome:?}");
    }
}
