//! Compares derived property sets with the compiler's own.

use super::derive;
use crate::error::Error;
use crate::parts::{ImageParts, PropertySet};
use crate::property::{KernelParamOpt, Properties, SetKind};

/// The result of comparing a derived set with the compiler's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetDifference {
    /// The sets have the same bytes.
    Equal,
    /// The sets differ only in the named respect, which makes no difference or cannot be known.
    EqualBut(&'static str),
    /// The sets differ, for this reason.
    Differs(String),
}

/// The comparison of one set of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The set.
    pub set: String,
    /// The result.
    pub outcome: SetDifference,
}

/// Derives the property sets of an image from its code and compares each with the image's own.
pub fn compare(image: &ImageParts<'_>) -> Result<Vec<Comparison>, Error> {
    let theirs = Properties::decode(image)?;
    let ours = derive(&image.bytes).map_err(|error| error.in_file(image.name.clone()))?.properties;
    let kinds =
        SetKind::ALL.into_iter().filter(|kind| theirs.sets.contains(kind) || ours.sets.contains(kind));
    let mut compared = Vec::new();
    for kind in kinds {
        let outcome = match (ours.sets.contains(&kind), theirs.sets.contains(&kind)) {
            (true, true) => outcome(kind, &ours, &theirs),
            (false, _) => SetDifference::Differs(missing(kind).into()),
            (true, false) => SetDifference::Differs(extra(kind, image).into()),
        };
        compared.push(Comparison { set: kind.name().into(), outcome });
    }
    Ok(compared)
}

fn outcome(kind: SetKind, ours: &Properties, theirs: &Properties) -> SetDifference {
    let (Some(our), Some(their)) = (ours.encode_set(kind), theirs.encode_set(kind)) else {
        return SetDifference::Differs("cannot be encoded".into());
    };
    if our == their {
        return SetDifference::Equal;
    }
    if sorted(&our) == sorted(&their) {
        return SetDifference::EqualBut("order");
    }
    match kind {
        SetKind::SpecConstants => {
            let values = |set: &PropertySet<'_>| {
                set.properties.iter().map(|property| format!("{:?}", property.value)).collect::<Vec<String>>()
            };
            if values(&our) == values(&their) {
                SetDifference::EqualBut("symbolic names, which are in the source only")
            } else {
                plain(&our, &their)
            }
        }
        SetKind::ParamOpt => {
            let kept = |masks: &KernelParamOpt| {
                let mut kept: Vec<_> =
                    masks.kernels.iter().map(|mask| (mask.kernel.clone(), mask.kept())).collect();
                kept.sort();
                kept
            };
            if kept(&ours.param_opt) == kept(&theirs.param_opt) {
                let reason = "arguments that the compiler removed leave no trace; both sets keep as many";
                SetDifference::Differs(reason.into())
            } else {
                plain(&our, &their)
            }
        }
        SetKind::Requirements => {
            let declared = crate::property::Requirements {
                aspects: theirs.requirements.aspects.clone(),
                ..ours.requirements.clone()
            };
            let ours = ours.requirements.aspects.iter().flatten();
            let all_there = ours
                .into_iter()
                .all(|aspect| theirs.requirements.aspects.iter().flatten().any(|a| a == aspect));
            if declared == theirs.requirements && all_there {
                SetDifference::Differs(
                    "aspects that [[sycl::device_has()]] declares and no code uses leave no trace".into(),
                )
            } else {
                plain(&our, &their)
            }
        }
        SetKind::Misc if theirs.misc.spec_constants_replaced() => SetDifference::Differs(
            "the defaults that replaced the specialization constants are ordinary numbers in the code".into(),
        ),
        SetKind::Metadata
            if their
                .properties
                .iter()
                .any(|property| property.name.ends_with("@max_linear_work_group_size")) =>
        {
            SetDifference::Differs(
                "the maximum linear work-group size is not an execution mode of SPIR-V".into(),
            )
        }
        _ => plain(&our, &their),
    }
}

fn sorted(set: &PropertySet<'_>) -> Vec<String> {
    let mut lines: Vec<String> = set.properties.iter().map(|property| format!("{property:?}")).collect();
    lines.sort();
    lines
}

/// Describes the first property that differs.
fn plain(our: &PropertySet<'_>, their: &PropertySet<'_>) -> SetDifference {
    let differing = their.properties.iter().find(|property| our.get(&property.name) != Some(&property.value));
    let surplus = our.properties.iter().find(|property| their.get(&property.name).is_none());
    SetDifference::Differs(match (differing, surplus) {
        (Some(property), _) => format!("property {} is not as derived", property.name),
        (None, Some(property)) => format!("property {} is derived only", property.name),
        (None, None) => "differs".into(),
    })
}

fn missing(kind: SetKind) -> &'static str {
    match kind {
        SetKind::RegisteredKernels => "the registered names are in the source only",
        SetKind::VirtualFunctions => "the names of sets of virtual functions are in the source only",
        SetKind::Imports | SetKind::Exports => "the symbols have no linkage in the code",
        _ => "leaves no trace",
    }
}

fn extra(kind: SetKind, image: &ImageParts<'_>) -> &'static str {
    let virtual_functions = image.property_set(SetKind::VirtualFunctions.name()).is_some();
    match kind {
        SetKind::Exports | SetKind::Imports if virtual_functions => {
            "the compiler leaves out virtual functions, which the code exports like any others"
        }
        SetKind::Exports | SetKind::Imports => {
            "compiled without -fsycl-allow-device-image-dependencies, which leaves no trace"
        }
        _ => "derived only",
    }
}
