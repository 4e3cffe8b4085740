//! The JSON of `pi image show`.

use std::collections::HashMap;

use anyhow::Result;
use serde::Serialize;
use sycl_pi_image::property::{LocalArg, PADDING, ParamMask};
use sycl_pi_image::spirv::{ArgumentKind, Index, Module, Reflection, capability_name};
use sycl_pi_image::{Properties, aspect};

use super::file::Image;

#[derive(Serialize)]
pub struct Document {
    pub image: String,
    pub target: String,
    pub bytes: usize,
    /// The version, e.g. `1.4`, if the code is SPIR-V.
    pub spirv: Option<String>,
    pub capabilities: Vec<String>,
    pub extensions: Vec<String>,
    pub properties_from: String,
    pub compile_options: String,
    pub kernels: Vec<Kernel>,
    pub requirements: Vec<String>,
    pub constants: Vec<ConstantRow>,
    pub globals: Vec<GlobalRow>,
    pub imports: Vec<String>,
    pub exports: Vec<String>,
    pub other: Vec<String>,
}

#[derive(Serialize)]
pub struct Kernel {
    pub name: String,
    pub arguments: Vec<ArgumentRow>,
    pub removed_arguments: u64,
    pub modes: Vec<String>,
    pub aspects: Vec<String>,
    pub local_memory: Option<String>,
}

#[derive(Serialize)]
pub struct ArgumentRow {
    pub name: Option<String>,
    pub kind: String,
    #[serde(rename = "type")]
    pub type_name: String,
    pub size: Option<u64>,
}

#[derive(Serialize)]
pub struct ConstantRow {
    pub name: String,
    pub size: u64,
    pub ids: Vec<u32>,
    pub default_hex: Option<String>,
}

#[derive(Serialize)]
pub struct GlobalRow {
    pub unique_id: String,
    pub name: Option<String>,
    pub size: u32,
    pub image_scope: bool,
}

impl Document {
    pub fn from_image(image: &Image) -> Result<Self> {
        let parts = &image.parts;
        let properties = Properties::decode(parts)?;
        let mut document = Self {
            image: parts.name.clone().into(),
            target: parts.target.clone().into(),
            bytes: parts.bytes.len(),
            spirv: None,
            capabilities: Vec::new(),
            extensions: Vec::new(),
            properties_from: image.properties_from.clone(),
            compile_options: parts.compile_options.clone().into(),
            kernels: Vec::new(),
            requirements: requirements(&properties),
            constants: constants(&properties),
            globals: globals(&properties),
            imports: properties.imports.iter().map(str::to_owned).collect(),
            exports: properties.exports.iter().map(str::to_owned).collect(),
            other: other(&properties),
        };
        let said = KernelProperties::new(&properties);
        if !image.is_spirv() {
            document.kernels = properties.kernel_names.iter().map(|name| said.named(name)).collect();
        } else {
            let error = |error: sycl_pi_image::spirv::SpirvError| error.in_file(parts.name.clone());
            let module = Module::parse(&parts.bytes).map_err(error)?;
            let index = Index::new(&module).map_err(error)?;
            document.add_code(&Reflection::of(&index).map_err(error)?, &said);
        }
        Ok(document)
    }

    fn add_code(&mut self, reflection: &Reflection, said: &KernelProperties<'_>) {
        let (major, minor) = reflection.version;
        self.spirv = Some(format!("{major}.{minor}"));
        self.capabilities = reflection.capabilities.iter().map(|&number| capability_name(number)).collect();
        self.extensions.clone_from(&reflection.extensions);
        let all_aspects = reflection.call_graph.all_aspects();
        for entry in &reflection.entry_points {
            let arguments = entry.arguments.iter().map(|argument| {
                let (kind, size) = match &argument.kind {
                    ArgumentKind::Pointer(class) => (format!("{class} pointer"), Some(8)),
                    ArgumentKind::Structure(size) => ("structure".into(), *size),
                    ArgumentKind::Value(size) => ("value".into(), *size),
                    ArgumentKind::Object => ("object".into(), None),
                };
                ArgumentRow { name: argument.name.clone(), kind, type_name: argument.type_name.clone(), size }
            });
            let mode = |mode: &sycl_pi_image::spirv::Mode| {
                let operands = mode.operands.iter().map(|operand| format!(" {operand}"));
                mode.name() + &operands.collect::<String>()
            };
            self.kernels.push(Kernel {
                arguments: arguments.collect(),
                modes: entry.modes.iter().map(mode).collect(),
                aspects: all_aspects
                    .get(&entry.id)
                    .into_iter()
                    .flatten()
                    .map(|&one| aspect::describe(one))
                    .collect(),
                ..said.named(&entry.name)
            });
        }
    }
}

/// The properties of kernels, by their names.
struct KernelProperties<'p> {
    masks: HashMap<&'p str, &'p ParamMask>,
    local: HashMap<&'p str, LocalArg>,
}

impl<'p> KernelProperties<'p> {
    fn new(properties: &'p Properties) -> Self {
        let masks = properties.param_opt.kernels.iter().map(|mask| (mask.kernel.as_str(), mask));
        let local = properties.implicit_local_args.kernels.iter();
        Self {
            masks: masks.collect(),
            local: local.map(|(kernel, place)| (kernel.as_str(), *place)).collect(),
        }
    }

    fn named(&self, name: &str) -> Kernel {
        let mask = self.masks.get(name);
        Kernel {
            name: name.into(),
            arguments: Vec::new(),
            removed_arguments: mask.map_or(0, |mask| mask.arguments - mask.kept()),
            modes: Vec::new(),
            aspects: Vec::new(),
            local_memory: self.local.get(name).map(|place| match place {
                LocalArg::Static => "static".into(),
                LocalArg::Argument(argument) => format!("argument {argument}"),
            }),
        }
    }
}

fn requirements(properties: &Properties) -> Vec<String> {
    let found = &properties.requirements;
    let names = |aspects: &[u32]| {
        aspects.iter().map(|&number| aspect::describe(number)).collect::<Vec<_>>().join(", ")
    };
    let mut lines = Vec::new();
    if let Some(aspects) = found.aspects.as_ref().filter(|aspects| !aspects.is_empty()) {
        lines.push(format!("aspects {}", names(aspects)));
    }
    if let Some(targets) = &found.fixed_targets {
        lines.push(format!("only devices with {}", names(targets)));
    }
    for size in found.work_group_sizes_in_sycl_order() {
        let size: Vec<String> = size.iter().map(u64::to_string).collect();
        lines.push(format!("work-group size {}", size.join(" x ")));
    }
    for size in found.sub_group_sizes.iter().flatten() {
        lines.push(format!("sub-group size {size}"));
    }
    lines
}

fn constants(properties: &Properties) -> Vec<ConstantRow> {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let constant = |constant: &sycl_pi_image::property::SpecConstant| ConstantRow {
        name: constant.name.clone(),
        size: constant.size(),
        ids: constant.leaves.iter().map(|leaf| leaf.id).filter(|&id| id != PADDING).collect(),
        default_hex: properties.spec_default(constant).map(hex),
    };
    properties.spec_constants.iter().map(constant).collect()
}

fn globals(properties: &Properties) -> Vec<GlobalRow> {
    let names = properties.metadata.global_names();
    let global = |global: &sycl_pi_image::property::DeviceGlobal| GlobalRow {
        unique_id: global.unique_id.clone(),
        name: names.get(global.unique_id.as_str()).map(|&name| name.to_owned()),
        size: global.size,
        image_scope: global.image_scope,
    };
    properties.device_globals.globals.iter().map(global).collect()
}

fn other(properties: &Properties) -> Vec<String> {
    let mut lines = Vec::new();
    for property in properties.misc.iter() {
        if let sycl_pi_image::Value::Uint32(number) = property.value {
            lines.push(format!("{} {number}", property.name));
        }
    }
    let virtual_functions = &properties.virtual_functions;
    lines.extend(virtual_functions.provides.iter().map(|set| format!("has virtual functions of {set}")));
    lines.extend(virtual_functions.uses.iter().map(|set| format!("uses virtual functions of {set}")));
    let registered = properties.registered_kernels.kernels.iter();
    lines.extend(registered.map(|(name, kernel)| format!("{name} is kernel {kernel}")));
    lines.extend(properties.unknown.iter().map(|set| format!("property set {}", set.name)));
    lines
}
