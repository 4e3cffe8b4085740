//! Keys: encoded parts are decoded again, and different parts never give the same bytes.

use proptest::prelude::*;

use super::*;

fn device() -> impl Strategy<Value = DeviceIdentity> {
    proptest::collection::vec("[a-c/]{0,3}", 6).prop_map(|texts| DeviceIdentity {
        platform: texts[0].clone(),
        name: texts[1].clone(),
        version: texts[2].clone(),
        driver: texts[3].clone(),
        plugin: texts[4].clone(),
        runtime: texts[5].clone(),
    })
}

fn any_parts() -> impl Strategy<Value = KeyParts> {
    let bytes = || proptest::collection::vec(0u8..3, 0..4);
    let images = proptest::collection::vec(bytes(), 0..4);
    (device(), images, bytes(), "[-a ]{0,3}", "[-a ]{0,3}").prop_map(
        |(device, images, spec, compile, link)| KeyParts {
            device,
            images,
            spec_constants: spec,
            compile_options: compile,
            link_options: link,
        },
    )
}

fn sorted(mut parts: KeyParts) -> KeyParts {
    parts.images.sort();
    parts
}

proptest! {
    #[test]
    fn keys_are_read_back(parts in any_parts()) {
        let key = StoreKey::new(&parts);
        prop_assert_eq!(StoreKey::decode(key.bytes()), Some(sorted(parts)));
    }

    #[test]
    fn equal_bytes_mean_equal_parts(one in any_parts(), two in any_parts()) {
        let same = sorted(one.clone()) == sorted(two.clone());
        prop_assert_eq!(StoreKey::new(&one).bytes() == StoreKey::new(&two).bytes(), same);
        prop_assert_eq!(StoreKey::new(&one) == StoreKey::new(&two), same);
    }

    #[test]
    fn paths_stay_below_the_root(parts in any_parts()) {
        let folder = StoreKey::new(&parts).folder(Path::new("/root/of/it"));
        let below = folder.strip_prefix("/root/of/it").unwrap();
        prop_assert_eq!(below.components().count(), layout::LEVELS);
        let normal = below.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        prop_assert!(normal);
    }

    #[test]
    fn any_bytes_can_be_decoded_or_not(
        head in proptest::collection::vec(any::<u8>(), 0..60),
        body in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let _ = StoreKey::decode(&body);
        let raw = crate::store::format::FileParts { head, body };
        let _ = crate::store::format::decode_src(&raw).is_ok();
        let _ = crate::store::format::decode_bin(raw, crate::Digest::of(b"")).is_ok();
    }
}

/// Each key has one encoding, with its images in order.
#[test]
fn images_out_of_order_are_no_key() {
    let parts = KeyParts { images: vec![b"first".into(), b"other".into()], ..parts("") };
    let bytes = StoreKey::new(&parts).bytes().to_vec();
    assert_eq!(StoreKey::decode(&bytes), Some(parts));
    let place = |image: &[u8]| bytes.windows(5).position(|window| window == image).unwrap();
    let (first, other) = (place(b"first"), place(b"other"));
    let mut swapped = bytes.clone();
    swapped[first..first + 5].copy_from_slice(b"other");
    swapped[other..other + 5].copy_from_slice(b"first");
    assert_eq!(StoreKey::decode(&swapped), None);
}
