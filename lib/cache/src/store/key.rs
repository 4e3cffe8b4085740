//! The key of an item on disk: everything on which a built program depends.

use std::ffi::OsStr;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sycl_pi_host_process::{OutOfMemory, copy_of};

use super::wire::{FieldReader, FieldWriter};
use crate::Digest;

/// The device and all software between it and the program: `device id` of "Kernel and program caching mechanism", and
/// the versions that this document omits.
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

/// The parts of a key, all in full. Nothing is omitted, and nothing is joined without a length in between.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyParts {
    /// The device and its software.
    pub device: DeviceIdentity,
    /// Every device image of the program, in any order. A linked program has several.
    pub images: Vec<Vec<u8>>,
    /// The values of specialization constants as the program receives them, including names or numbers.
    pub spec_constants: Vec<u8>,
    /// Compile options, combined from the images, the API and the environment.
    pub compile_options: String,
    /// Link options, combined in the same way.
    pub link_options: String,
}

/// Borrowed [`KeyParts`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRefs<'a> {
    /// See [`KeyParts`].
    pub device: &'a DeviceIdentity,
    /// See [`KeyParts`].
    pub images: Vec<&'a [u8]>,
    /// See [`KeyParts`].
    pub spec_constants: &'a [u8],
    /// See [`KeyParts`].
    pub compile_options: &'a str,
    /// See [`KeyParts`].
    pub link_options: &'a str,
}

/// The key of one item on disk. It consists of the encoded parts, which `.src` files contain, and determines the item's
/// folder.
///
/// The order of the images does not matter, because images are registered in the order in which libraries are loaded,
/// and that may change between two starts of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreKey {
    bytes: Arc<Vec<u8>>,
    digest: Digest,
    folders: [Digest; 4],
    image_bytes: u64,
}

/// The function that turns parts into folder names. Only tests that need collisions replace it.
pub(super) type Hash = fn(&[u8]) -> Digest;

impl StoreKey {
    /// Creates the key of these parts.
    pub fn new(parts: &KeyParts) -> Self {
        Self::with_hash(parts, Digest::of)
    }

    pub(super) fn with_hash(parts: &KeyParts, hash: Hash) -> Self {
        let KeyParts { device, images, spec_constants, compile_options, link_options } = parts;
        let images = images.iter().map(Vec::as_slice).collect();
        let writer = FieldWriter::default();
        Self::hashed(KeyRefs { device, images, spec_constants, compile_options, link_options }, writer, hash)
    }

    /// Creates the key of borrowed parts.
    ///
    /// # Errors
    ///
    /// There is no memory for a copy of the parts.
    pub fn from_parts(parts: KeyRefs<'_>) -> Result<Self, OutOfMemory> {
        let KeyRefs { device, images, spec_constants, compile_options, link_options } = &parts;
        let DeviceIdentity { platform, name, version, driver, plugin, runtime } = device;
        let texts = [platform, name, version, driver, plugin, runtime, *compile_options, *link_options];
        let parts_of =
            images.iter().map(|image| image.len() + 8).chain(texts.iter().map(|text| text.len() + 8));
        // Allocated at once, because a process creates such a key for each program that it loads.
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

    /// Decodes the bytes of [`StoreKey::bytes`]. Returns `None` for anything else, and if there is no memory for a copy.
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
            images.push(copy_of(reader.field()?).ok()?);
        }
        reader.end()?;
        // Each key has a single encoding.
        images.is_sorted().then_some(())?;
        Some(KeyParts {
            device,
            images,
            spec_constants: copy_of(spec_constants).ok()?,
            compile_options,
            link_options,
        })
    }

    /// Returns all parts as one sequence of bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the digest of [`StoreKey::bytes`], by which `.bin` files refer to their `.src`.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Returns the total size of the images in bytes, which is compared with SYCL_CACHE_MIN_ and MAX_DEVICE_IMAGE_SIZE.
    pub fn image_bytes(&self) -> u64 {
        self.image_bytes
    }

    /// Returns `<root>/<device>/<image set>/<spec constants>/<options>`.
    pub fn folder(&self, root: &Path) -> PathBuf {
        let mut path = PathBuf::with_capacity(root.as_os_str().len() + 4 * (2 * Digest::SIZE + 1));
        path.push(root);
        self.folders.iter().for_each(|digest| path.push(OsStr::from_bytes(&digest.digits())));
        path
    }
}
