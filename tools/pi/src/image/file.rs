//! Image files: SPIR-V with or without properties, property files, file tables, ELF files, cache items.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use sycl_pi_image::text::{FileTable, read_json, read_prop};
use sycl_pi_image::{ImageParts, Properties, derive, unwrap};

/// The most bytes of a file, and of all files of a table together. Several rows can name the same file.
const LIMIT: u64 = 4 << 30;

/// The origin of properties that are not read from a file.
const FROM_CODE: &str = "the code";

/// An image read from a file.
pub struct Image {
    pub parts: ImageParts<'static>,
    /// The origin of its properties.
    pub properties_from: String,
    /// The files that it was read from, and those that its properties would be read from.
    pub files: Vec<PathBuf>,
}

/// Returns the files of several images, which no output may replace.
pub fn files(images: &[Image]) -> impl Iterator<Item = &Path> {
    images.iter().flat_map(|image| image.files.iter().map(PathBuf::as_path))
}

/// Extensions of files that do not contain code.
const NO_CODE: [&str; 3] = ["prop", "json", "table"];

/// Refuses a name for SPIR-V whose extension means something else.
pub fn check_spirv_output(path: &Path) -> Result<()> {
    match path.extension().and_then(OsStr::to_str) {
        Some(ending) if NO_CODE.contains(&ending) => {
            let other = path.with_extension("spv");
            bail!(
                "{}: a name with .{ending} is not for SPIR-V; such a file has properties or a table: -o {} writes SPIR-V",
                path.display(),
                other.display()
            )
        }
        _ => Ok(()),
    }
}

impl Image {
    /// Returns whether its code is SPIR-V, rather than native code or none.
    pub fn is_spirv(&self) -> bool {
        matches!(*self.parts.bytes, [3, 2, 0x23, 7, ..] | [7, 0x23, 2, 3, ..])
    }
}

/// Reads all images of a file.
pub fn read(path: &Path) -> Result<Vec<Image>> {
    let name = path.display().to_string();
    if name.ends_with(".table") {
        return read_table(path);
    }
    if name.ends_with(".json") {
        let code = name.strip_suffix(".props.json").map(|stem| PathBuf::from(format!("{stem}.spv")));
        let there = code.as_deref().filter(|code| code.exists());
        let bytes = there.map(bytes).transpose()?.unwrap_or_default();
        let parts = read_json(&name, &text(path)?, &bytes)?.into_owned()?;
        let files = code.into_iter().chain([path.to_owned()]).collect();
        return Ok(vec![Image { parts, properties_from: name, files }]);
    }
    if name.ends_with(".prop") {
        let mut parts = ImageParts::default();
        parts.name = name.clone().into();
        parts.property_sets = read_prop(&name, &text(path)?)?;
        return Ok(vec![Image { parts, properties_from: name, files: vec![path.to_owned()] }]);
    }
    let code = bytes(path)?;
    if unwrap::is_elf(&code) {
        return read_elf(path, &code);
    }
    if code.starts_with(b"SYPI.src") {
        return read_cache_item(path, &code);
    }
    Ok(vec![with_properties(path, code)?])
}

/// Returns all images of an ELF file.
fn read_elf(path: &Path, file: &[u8]) -> Result<Vec<Image>> {
    let name = path.display().to_string();
    let found = unwrap::unwrap(&name, file)?;
    if let [first, rest @ ..] = found.damaged.as_slice() {
        let count = found.images.len() + found.damaged.len();
        bail!("{first} ({} of {count} images are damaged)", rest.len() + 1);
    }
    let image = |parts: ImageParts<'_>| {
        let parts = parts.into_owned()?;
        Ok(Image { parts, properties_from: name.clone(), files: vec![path.to_owned()] })
    };
    found.images.into_iter().map(image).collect()
}

/// Returns the images that a cached program was built from.
fn read_cache_item(path: &Path, file: &[u8]) -> Result<Vec<Image>> {
    let name = path.display().to_string();
    let (key, _) = sycl_pi_cache::store::parse_src(file).with_context(|| name.clone())?;
    let parts = sycl_pi_cache::store::StoreKey::decode(&key)
        .with_context(|| format!("{name}: the key cannot be read"))?;
    let mut images = Vec::new();
    for (number, code) in parts.images.into_iter().enumerate() {
        let image = format!("{name} image {number}");
        let plain = ImageParts::new(image, "", code);
        let mut image =
            Image { parts: plain, properties_from: FROM_CODE.into(), files: vec![path.to_owned()] };
        if image.is_spirv() {
            let name = image.parts.name.clone();
            let derived = derive::image(&name, &image.parts.bytes).map_err(|error| error.in_file(&*name))?;
            image.parts = derived.into_owned()?;
        }
        image.parts.compile_options = parts.compile_options.clone().into();
        image.parts.link_options = parts.link_options.clone().into();
        images.push(image);
    }
    Ok(images)
}

/// Reads code, and the properties next to it.
fn read_code(path: &Path) -> Result<Image> {
    with_properties(path, bytes(path)?)
}

/// Combines the code read from a file with the properties next to it.
fn with_properties(path: &Path, code: Vec<u8>) -> Result<Image> {
    let name = path.display().to_string();
    let (json, prop) = (path.with_extension("props.json"), path.with_extension("prop"));
    let files = vec![path.to_owned(), json.clone(), prop.clone()];
    if json.exists() {
        let mut parts = read_json(&json.display().to_string(), &text(&json)?, &code)?.into_owned()?;
        parts.name = name.into();
        return Ok(Image { parts, properties_from: json.display().to_string(), files });
    }
    let mut parts = derive::image(&name, &code).map_err(|error| error.in_file(&name))?.into_owned()?;
    if prop.exists() {
        parts.property_sets = read_prop(&prop.display().to_string(), &text(&prop)?)?;
        return Ok(Image { parts, properties_from: prop.display().to_string(), files });
    }
    Ok(Image { parts, properties_from: FROM_CODE.into(), files })
}

/// SPIR-V that is the input of a tool, with its property file if there is one.
pub struct Original {
    pub code: Vec<u8>,
    /// The files, as in [`Image`].
    pub files: Vec<PathBuf>,
    /// The properties in the file and those derived from the code.
    properties: Option<(Properties, Properties)>,
}

impl Original {
    /// Converts an image.
    pub fn from_image(image: Image) -> Result<Self> {
        let mut properties = None;
        if image.properties_from != FROM_CODE {
            let name = image.parts.name.clone();
            let derived = derive::derive(&image.parts.bytes).map_err(|error| error.in_file(&*name))?;
            properties = Some((Properties::decode(&image.parts)?, derived.properties));
        }
        Ok(Self { code: image.parts.bytes.into_owned(), files: image.files, properties })
    }

    /// Returns the properties of a module that was made from it.
    pub fn carried_to(&self, made: derive::Derived) -> Properties {
        match &self.properties {
            Some(said) => derive::carry(std::slice::from_ref(said), made),
            None => made.properties,
        }
    }

    /// Returns whether it has a property file.
    pub fn has_file(&self) -> bool {
        self.properties.is_some()
    }

    /// Returns the properties in its file.
    pub fn file(&self) -> Option<&Properties> {
        self.properties.as_ref().map(|(file, _)| file)
    }
}

/// Reads a SPIR-V file with the property file next to it.
pub fn original(path: &Path) -> Result<Original> {
    Original::from_image(read_code(path)?)
}

fn read_table(path: &Path) -> Result<Vec<Image>> {
    let name = path.display().to_string();
    let table = FileTable::read(&name, &text(path)?)?;
    let Some(column) = table.column("Code") else { bail!("{name}: the table has no column \"Code\"") };
    let folder = path.parent().unwrap_or(Path::new(""));
    let properties = table.column("Properties");
    let mut images = Vec::new();
    let mut left = LIMIT;
    for row in table.rows() {
        let cell =
            |column: usize| row.get(column).filter(|cell| !cell.is_empty()).map(|cell| of_cell(cell, folder));
        let Some(code) = cell(column) else { continue };
        let mut image = read_code(&code)?;
        let mut read = image.parts.bytes.len() as u64;
        if let Some(prop) = properties.and_then(cell) {
            let text = text(&prop)?;
            read += text.len() as u64;
            image.parts.property_sets = read_prop(&prop.display().to_string(), &text)?;
            image.properties_from = prop.display().to_string();
            image.files.push(prop);
        }
        image.files.push(path.to_owned());
        left = left.checked_sub(read).with_context(|| {
            format!("{name}: the files that it names have more than {} GiB together", LIMIT >> 30)
        })?;
        images.push(image);
    }
    Ok(images)
}

/// Returns the file that a cell of a table names: the path itself if it exists, or else a file next to the table.
pub fn of_cell(cell: &str, folder: &Path) -> PathBuf {
    let as_it_stands = PathBuf::from(cell);
    if as_it_stands.exists() { as_it_stands } else { folder.join(cell) }
}

/// Reads a file as text.
pub fn text(path: &Path) -> Result<String> {
    String::from_utf8(bytes(path)?).with_context(|| format!("{} is not text in UTF-8", path.display()))
}

/// Reads a file.
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    sycl_pi_host_process::read_file(path, LIMIT).with_context(|| format!("cannot read {}", path.display()))
}
