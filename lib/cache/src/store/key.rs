//! What a built program depends on: the key of an item on disk.

use std::collections::TryReserveError;
use std::ffi::OsStr;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::wire::{self, FieldReader, FieldWriter};
use crate::Digest;

/// The device and all software between it and the program: `device id` of "Kernel and program caching mechanism", and
/// the versions that this document leaves out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceIdentity {
    /// `info::platform::name`.
    pub platform: String,
    /// `info::device::name`.
    pub name: String,
    /// `info::device::version`.
    pub version: String,
    /// `info::device::driver_version`.
    pub driver: String,
    /// The plugin's name and version, such as `libpi_opencl.so 15.47 0.1.0`.
    pub plugin: String,
    /// The runtime's name and version.
    pub runtime: String,
}

/// A key's parts, each with all of its bytes. Nothing is left out and nothing is joined without a length between.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyParts {
    /// The device and its software.
    pub device: DeviceIdentity,
    /// Every device image that the program is made of, in any order: one, or for a linked program all of them.
    pub images: Vec<Vec<u8>>,
    /// Values of specialization constants as the program gets them, names or numbers included.
    pub spec_constants: Vec<u8>,
    /// Compile options, of the images, the API and the environment together.
    pub compile_options: String,
    /// Link options, likewise.
    pub link_options: String,
}

/// Borrowed [`KeyParts`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRefs<'a> {
    /// As in [`KeyParts`].
    pub device: &'a DeviceIdentity,
    /// As in [`KeyParts`].
    pub images: Vec<&'a [u8]>,
    /// As in [`KeyParts`].
    pub spec_constants: &'a [u8],
    /// As in [`KeyParts`].
    pub compile_options: &'a str,
    /// As in [`KeyParts`].
    pub link_options: &'a str,
}

/// The key of one item on disk: its encoded parts, which `.src` files hold, and its folder.
///
/// The order of the images does not count: images register in the order in which libraries are loaded, and that may
/// change between two starts of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreKey {
    bytes: Arc<Vec<u8>>,
    digest: Digest,
    folders: [Digest; 4],
    image_bytes: u64,
}

/// How parts become folder names; another one only in tests that need collisions.
pub(super) type Hash = fn(&[u8]) -> Digest;

impl StoreKey {
    /// The key of these parts.
    pub fn new(parts: &KeyParts) -> Self {
        Self::with_hash(parts, Digest::of)
    }

    pub(super) fn with_hash(parts: &KeyParts, hash: Hash) -> Self {
        let KeyParts { device, images, spec_constants, compile_options, link_options } = parts;
        let images = images.iter().map(Vec::as_slice).collect();
        let writer = FieldWriter::default();
        Self::hashed(KeyRefs { device, images, spec_constants, compile_options, link_options }, writer, hash)
    }

    /// The key of borrowed parts.
    ///
    /// # Errors
    /// There is no memory for it: it has a copy of each part.
    pub fn from_parts(parts: KeyRefs<'_>) -> Result<Self, TryReserveError> {
        let KeyRefs { device, images, spec_constants, compile_options, link_options } = &parts;
        let DeviceIdentity { platform, name, version, driver, plugin, runtime } = device;
        let texts = [platform, name, version, driver, plugin, runtime, *compile_options, *link_options];
        let parts_of =
            images.iter().map(|image| image.len() + 8).chain(texts.iter().map(|text| text.len() + 8));
        // In one place from the start: there is one such key for each program that a process loads.
        let writer = FieldWriter::with_room(parts_of.sum::<usize>() + spec_constants.len() + 64)?;
        Ok(Self::hashed(parts, writer, Digest::of))
    }

    fn hashed(parts: KeyRefs<'_>, mut writer: FieldWriter, hash: Hash) -> Self {
        let KeyRefs { device, mut images, spec_constants, compile_options, link_options } = parts;
        images.sort_unstable();
        let image_bytes: usize = images.iter().map(|image| image.len()).sum();
        let device = writer.section(|writer| {
            let DeviceIdentity { platform, name, version, driver, plugin, runtime } = device;
            for text in [platform, name, version, driver, plugin, runtime] {
                writer.field(text.as_bytes());
            }
        });
        let options = writer.section(|writer| {
            writer.field(compile_options.as_bytes());
            writer.field(link_options.as_bytes());
        });
        writer.field(spec_constants);
        let sorted = writer.section(|writer| {
            writer.number(images.len() as u64);
            images.iter().for_each(|image| writer.field(image));
        });
        let bytes = writer.into_bytes();
        let part = |range| hash(bytes.get::<Range<usize>>(range).unwrap_or_default());
        Self {
            digest: hash(&bytes),
            folders: [part(device), part(sorted), hash(spec_constants), part(options)],
            image_bytes: image_bytes as u64,
            bytes: Arc::new(bytes),
        }
    }

    /// Reads back what [`StoreKey::bytes`] gave; `None` for anything else, and where there is no memory for a copy.
    pub fn decode(bytes: &[u8]) -> Option<KeyParts> {
        let mut reader = FieldReader::new(bytes);
        let mut next = || reader.field();
        let (device, options, spec_constants, images) = (next()?, next()?, next()?, next()?);
        reader.end()?;

        let mut reader = FieldReader::new(device);
        let mut text = || reader.text();
        let device = DeviceIdentity {
            platform: text()?,
            name: text()?,
            version: text()?,
            driver: text()?,
            plugin: text()?,
            runtime: text()?,
        };
        reader.end()?;

        let mut reader = FieldReader::new(options);
        let (compile_options, link_options) = (reader.text()?, reader.text()?);
        reader.end()?;

        let mut reader = FieldReader::new(images);
        let count = reader.number()?;
        let mut images = Vec::new();
        for _ in 0..count {
            images.push(wire::copy_of(reader.field()?)?);
        }
        reader.end()?;
        // One key has one form.
        images.is_sorted().then_some(())?;
        Some(KeyParts {
            device,
            images,
            spec_constants: wire::copy_of(spec_constants)?,
            compile_options,
            link_options,
        })
    }

    /// All parts in one run of bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The digest of [`StoreKey::bytes`]; `.bin` files name their `.src` by it.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The size of the images together, in bytes; SYCL_CACHE_MIN_ and MAX_DEVICE_IMAGE_SIZE are held against it.
    pub fn image_bytes(&self) -> u64 {
        self.image_bytes
    }

    /// `<root>/<device>/<image set>/<spec constants>/<options>`
    pub fn folder(&self, root: &Path) -> PathBuf {
        let mut path = PathBuf::with_capacity(root.as_os_str().len() + 4 * (2 * Digest::SIZE + 1));
        path.push(root);
        self.folders.iter().for_each(|digest| path.push(OsStr::from_bytes(&digest.digits())));
        path
    }
}
