//! Links several images into one: their code, the names and default values of their constants, their requirements.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::constants::{self, NamedConstant, made_name};
use super::{carry, of_module};
use crate::property::{Leaf, Properties, SpecConstants};
use crate::spirv::{
    Index, LinkOptions, LinkageKind, Module, Reflection, SpecId, SpecIdMap, SpirvError, UsedSpecIds, link,
    mismatches, relocate, spec_ids, takes_buffer, target_mismatches,
};

/// An image to link with others.
#[derive(Clone, Copy, Debug)]
pub struct ImagePart<'p> {
    /// Its name, for messages.
    pub name: &'p str,
    /// Its code.
    pub code: &'p Module,
    /// The contents of its property file, if it has one.
    pub file: Option<&'p Properties>,
}

/// A specialization constant whose id differs from that in its own image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renumbered {
    /// The index of the image.
    pub part: usize,
    /// The old id.
    pub from: SpecId,
    /// The new id.
    pub to: SpecId,
}

/// The result of linking images.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct United {
    /// The linked code.
    pub code: Module,
    /// The entries of all images.
    pub entries: Vec<String>,
    /// Symbols that other images must still provide.
    pub imports: Vec<String>,
    /// The properties of the result.
    pub properties: Properties,
    /// The constants that were renumbered.
    pub renumbered: Vec<Renumbered>,
    /// The warnings that the compiler would report.
    pub warnings: Vec<String>,
}

/// Links images.
///
/// Each specialization constant keeps its name and default value. Constants of the same name become one; constants of
/// different names never share an id. All emulated constants share one buffer.
///
/// # Errors
/// Fails if a symbol is defined twice or, without `allow_missing`, not at all; if constants of the same name differ;
/// and if only some of the constants are emulated.
pub fn unite(parts: &[ImagePart<'_>], allow_missing: bool) -> Result<United, SpirvError> {
    let mut images = Vec::with_capacity(parts.len());
    for part in parts {
        images.push(Image::of(part).map_err(|error| error.in_file(part.name))?);
    }
    refuse_mixed(&images)?;
    let plan = ConstantPlan::for_images(&images)?;
    let moved = plan.moved_code(&images)?;
    let mut indices = Vec::with_capacity(images.len());
    for (image, moved) in images.iter().zip(&moved) {
        let code = moved.as_ref().unwrap_or(image.part.code);
        indices.push(Index::new(code).map_err(|error| error.in_file(image.part.name))?);
    }
    let named: Vec<(&str, &Index<'_>)> = images.iter().map(|image| image.part.name).zip(&indices).collect();
    let options = LinkOptions { allow_missing, spec_ids: Some(plan.ids.clone()) };
    let code = link(&named, options)?;

    let index = Index::new(&code)?;
    let reflection = Reflection::of(&index)?;
    let derived = of_module(&index, &reflection);
    let (entries, imports) = (derived.entries.clone(), derived.properties.imports.iter().map(str::to_owned));
    let imports = imports.collect();
    let originals = plan.originals(&images);
    let has_file = images.iter().any(|image| image.part.file.is_some());
    let mut properties = if has_file { carry(&originals, derived) } else { derived.properties };
    let mut warnings = target_warnings(&images, &reflection, &mut properties);
    warnings.extend(aspect_warnings(&images, &index, &reflection));
    Ok(United { entries, imports, properties, renumbered: plan.renumbered(), warnings, code })
}

/// An image with its reflection.
struct Image<'p> {
    part: &'p ImagePart<'p>,
    reflection: Reflection,
    /// The properties derived from the code alone.
    derived: Properties,
    /// The ids of the code's constants.
    ids: BTreeSet<SpecId>,
    /// Whether the constants that only the file mentions are in a buffer.
    is_emulated: bool,
}

impl<'p> Image<'p> {
    fn of(part: &'p ImagePart<'p>) -> Result<Self, SpirvError> {
        let index = Index::new(part.code)?;
        let reflection = Reflection::of(&index)?;
        let derived = of_module(&index, &reflection).properties;
        let ids = spec_ids(&index);
        let in_file = part.file.map(constants::ids).unwrap_or_default();
        let is_emulated = !in_file.is_subset(&ids) && takes_buffer(&index);
        Ok(Self { part, reflection, derived, ids, is_emulated })
    }

    /// Returns the properties in the image's file, or those of its code if it has no file.
    fn properties(&self) -> &Properties {
        self.part.file.unwrap_or(&self.derived)
    }

    fn fixed_targets(&self) -> Option<BTreeSet<u32>> {
        let targets = self.part.file?.requirements.fixed_targets.as_ref()?;
        Some(targets.iter().copied().collect())
    }
}

/// Refuses a mix of native and emulated constants, because a runtime sets an image's constants either in its code or in
/// its buffer.
fn refuse_mixed(images: &[Image<'_>]) -> Result<(), SpirvError> {
    let emulated = images.iter().find(|image| image.is_emulated);
    let native = images.iter().find(|image| !image.ids.is_empty());
    match (emulated, native) {
        (Some(emulated), Some(native)) => Err(SpirvError::whole(format!(
            "the specialization constants of {} are emulated, those of {} are not: emulate both, or link first",
            emulated.part.name, native.part.name
        ))),
        _ => Ok(()),
    }
}

/// The constants of all images, with distinct ids.
#[derive(Default)]
struct ConstantPlan {
    /// The new ids, per image.
    ids: Vec<SpecIdMap>,
    /// The constants that each image declares, with their new ids and names.
    constants: Vec<Vec<NamedConstant>>,
}

impl ConstantPlan {
    fn for_images(images: &[Image<'_>]) -> Result<Self, SpirvError> {
        let mut plan = Self::default();
        let said: Vec<Vec<NamedConstant>> =
            images.iter().map(|image| NamedConstant::all(image.properties())).collect();
        let of_files = said.iter().flatten().flat_map(NamedConstant::ids);
        let mut used =
            UsedSpecIds::after(images.iter().flat_map(|image| image.ids.iter().copied()).chain(of_files));
        // Constants by name, with the index of the first image that declares them.
        let mut known: HashMap<String, (usize, NamedConstant)> = HashMap::new();
        for (number, (image, said)) in images.iter().zip(said).enumerate() {
            let mut shared = SpecIdMap::new();
            for constant in said.iter().filter(|constant| !constant.has_made_name()) {
                let Some((first, same)) = known.get(&constant.name) else { continue };
                let defaults = [&constant.default, &same.default];
                let is_same =
                    defaults.iter().any(|default| default.is_empty()) || constant.default == same.default;
                if !constant.has_layout_of(same) || !is_same {
                    let (what, here) = (&constant.name, image.part.name);
                    let first = images.get(*first).map_or("", |image| image.part.name);
                    return Err(SpirvError::whole(format!(
                        "specialization constant {what} has another type or default value in {here} than in {first}"
                    )));
                }
                shared.extend(constant.ids().zip(same.ids()));
            }
            let all: BTreeSet<SpecId> =
                image.ids.iter().copied().chain(said.iter().flat_map(NamedConstant::ids)).collect();
            let own = all.into_iter().filter(|id| !shared.contains_key(id)).collect();
            let mut ids = used.take(&own)?;
            ids.extend(shared.into_iter().filter(|(old, new)| old != new));
            let renumbered: Vec<NamedConstant> =
                said.into_iter().map(|constant| renumber(constant, &ids)).collect();
            for constant in renumbered.iter().filter(|constant| !constant.has_made_name()) {
                known.entry(constant.name.clone()).or_insert_with(|| (number, constant.clone()));
            }
            plan.ids.push(ids);
            plan.constants.push(renumbered);
        }
        Ok(plan)
    }

    /// Rewrites the code of images whose emulated constants have other offsets in the shared buffer.
    fn moved_code(&self, images: &[Image<'_>]) -> Result<Vec<Option<Module>>, SpirvError> {
        let mut all: Vec<&NamedConstant> = Vec::new();
        let mut names = BTreeSet::new();
        all.extend(self.constants.iter().flatten().filter(|constant| names.insert(&constant.name)));
        all.sort_by_key(|constant| constant.ids().min());
        let layout = SpecConstants::new(all.iter().map(|one| (one.name.clone(), one.leaves.clone())));
        let places: HashMap<&str, u64> =
            layout.iter().map(|constant| (constant.name.as_str(), constant.blob_offset)).collect();
        let mut moved = Vec::with_capacity(images.len());
        for (image, constants) in images.iter().zip(&self.constants) {
            let mut offsets: HashMap<u64, u64> = HashMap::new();
            for (old, new) in image.properties().spec_constants.iter().zip(constants) {
                let place = places.get(new.name.as_str()).copied().unwrap_or(old.blob_offset);
                let of_leaf = |leaf: &Leaf| {
                    let inside = u64::from(leaf.offset);
                    (old.blob_offset.saturating_add(inside), place.saturating_add(inside))
                };
                offsets.extend(old.leaves.iter().map(of_leaf));
            }
            let stays = !image.is_emulated || offsets.iter().all(|(old, new)| old == new);
            moved.push(match stays {
                true => None,
                false => {
                    let in_file = |error: SpirvError| error.in_file(image.part.name);
                    let index = Index::new(image.part.code).map_err(in_file)?;
                    Some(relocate(&index, &offsets).map_err(in_file)?)
                }
            });
        }
        Ok(moved)
    }

    /// Returns each image's properties from its file and from its code, with the new ids. For an image without a file,
    /// both are those of its code.
    fn originals(&self, images: &[Image<'_>]) -> Vec<(Properties, Properties)> {
        let with_ids = |((image, ids), said): ((&Image<'_>, &SpecIdMap), &Vec<NamedConstant>)| {
            let (mut file, mut code) = (image.properties().clone(), image.derived.clone());
            constants::set(&mut file, said.clone());
            let of_code = NamedConstant::all(&code).into_iter().map(|constant| renumber(constant, ids));
            let of_code = of_code.collect();
            constants::set(&mut code, of_code);
            (file, code)
        };
        images.iter().zip(&self.ids).zip(&self.constants).map(with_ids).collect()
    }

    fn renumbered(&self) -> Vec<Renumbered> {
        let of_part = |(part, ids): (usize, &SpecIdMap)| -> Vec<Renumbered> {
            ids.iter().map(|(&from, &to)| Renumbered { part, from, to }).collect()
        };
        self.ids.iter().enumerate().flat_map(of_part).collect()
    }
}

/// Renumbers a constant. A name made from an id is made again from the new one.
fn renumber(mut constant: NamedConstant, ids: &SpecIdMap) -> NamedConstant {
    let is_made = constant.has_made_name();
    for leaf in &mut constant.leaves {
        leaf.id = ids.get(&leaf.id).copied().unwrap_or(leaf.id);
    }
    let first = constant.ids().next();
    if let Some(id) = first.filter(|_| is_made) {
        constant.name = made_name(id);
    }
    constant
}

/// Restricts the result to the targets that all images support, and warns about the others ("Behavior for optional
/// kernel features", Error checking for SYCL_EXTERNAL functions).
fn target_warnings(images: &[Image<'_>], reflection: &Reflection, made: &mut Properties) -> Vec<String> {
    let mut kernels: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    let mut functions: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for image in images {
        let targets = image.fixed_targets();
        let entries = image.reflection.entry_points.iter().filter(|_| targets.is_some());
        kernels.extend(entries.map(|entry| (entry.name.clone(), targets.clone().unwrap_or_default())));
        let defined = image.reflection.linkage.iter().filter(|symbol| symbol.kind != LinkageKind::Import);
        for symbol in defined.filter(|symbol| symbol.is_function) {
            functions.entry(symbol.name.clone()).or_insert_with(|| targets.clone().unwrap_or_default());
        }
    }
    let found = target_mismatches(reflection, &kernels, &functions);
    if let Some(common) = &mut made.requirements.fixed_targets {
        for targets in found.iter().filter_map(|name| functions.get(name)) {
            common.retain(|target| targets.contains(target));
        }
    }
    let warning = |name: &String| {
        format!(
            "warning: function '{name}' compiled with a different `-fsycl-fixed-targets` switch than its calling kernel."
        )
    };
    found.iter().map(warning).collect()
}

/// Compares the aspects that a kernel's own image declares with those that the other images bring in. A kernel for
/// fixed targets may use every aspect of these targets.
fn aspect_warnings(images: &[Image<'_>], index: &Index<'_>, reflection: &Reflection) -> Vec<String> {
    let mut expected: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for image in images.iter().filter(|image| image.fixed_targets().is_none()) {
        let declared: BTreeSet<u32> =
            image.properties().requirements.aspects.iter().flatten().copied().collect();
        let own = image.reflection.call_graph.all_aspects();
        for entry in &image.reflection.entry_points {
            let aspects = own.get(&entry.id).into_iter().flatten().chain(&declared).copied();
            expected.entry(entry.name.clone()).or_default().extend(aspects);
        }
    }
    mismatches(index, reflection, &expected).iter().map(ToString::to_string).collect()
}
