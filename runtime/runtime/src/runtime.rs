//! A context with a registry: kernels by name, built once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use equivalent::Equivalent;
use parking_lot::Mutex;
use sycl_pi_cache::memory::{
    BuildOnce, Built, Failure, GetError, KernelCache, KernelKey, KernelQuery, Origin, Plan, PlannedImage,
    ProgramKey, Variant,
};
use sycl_pi_core::{PI_ERROR_OUT_OF_HOST_MEMORY, PI_ERROR_OUT_OF_RESOURCES};

use crate::build::{self, BuiltProgram, SpecValues};
use crate::caches::Caches;
use crate::call::{Context, Device, Queue, RawKernel};
use crate::error::{Error, Result};
use crate::globals::Globals;
use crate::launch::{Kernel, ReadyKernel};
use crate::registry::{Image, Registry};

pub(crate) type Entry = sycl_pi_cache::memory::Kernel<BuiltProgram, ReadyKernel>;

/// A context with its programs and device globals, over a registry of images.
#[derive(Clone)]
pub struct Runtime(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) context: Context,
    pub(crate) registry: Arc<Registry>,
    caches: Caches,
    cache: KernelCache<BuiltProgram, ReadyKernel, Error>,
    pub(crate) globals: Globals,
    /// Programs that were built, for those that look for a variable in one.
    pub(crate) built: Mutex<Vec<Weak<BuiltProgram>>>,
    /// Which image a kernel has on a device, as long as the registry stays as it is.
    choices: BuildOnce<Choice, Arc<Image>, Error>,
    /// The registry's state that the choices and the cache are of.
    generation: AtomicU64,
    /// Images of programs in the cache, with their modules.
    known: Mutex<HashMap<u64, u64>>,
}

/// What an image is chosen for: a kernel of this name on a device, with constants set or not.
#[derive(Clone, Hash, PartialEq, Eq)]
struct Choice {
    name: Arc<str>,
    device: u64,
    any_constant: bool,
    generation: u64,
}

/// A [`Choice`] with a borrowed name. Its fields are hashed in the same order.
#[derive(Hash)]
struct ChoiceQuery<'a> {
    name: &'a str,
    device: u64,
    any_constant: bool,
    generation: u64,
}

impl Equivalent<Choice> for ChoiceQuery<'_> {
    fn equivalent(&self, key: &Choice) -> bool {
        let same = (self.device, self.any_constant, self.generation);
        *self.name == *key.name && same == (key.device, key.any_constant, key.generation)
    }
}

impl<'a> ChoiceQuery<'a> {
    fn new(device: &Device, name: &'a str, values: &SpecValues, generation: u64) -> Self {
        Self { name, device: device.id(), any_constant: !values.is_empty(), generation }
    }
}

/// A kernel that is asked for.
struct Request<'a> {
    device: &'a Device,
    name: &'a str,
    values: &'a SpecValues,
    /// The key of `values`.
    constants: &'a [u8],
    /// The number of the registry's state.
    generation: u64,
}

impl<'a> Request<'a> {
    /// Which image it comes from.
    fn choice(&self) -> ChoiceQuery<'a> {
        ChoiceQuery::new(self.device, self.name, self.values, self.generation)
    }

    /// The kernel of that image.
    fn kernel(&self, image: u64) -> KernelQuery<'a> {
        let (name, spec_constants, device) = (self.name, self.constants, self.device.id());
        KernelQuery { name, origin: Origin::Image(image), spec_constants, device, options: "" }
    }
}

/// A kernel that is not there, and the images of its program.
struct Wanted {
    key: KernelKey,
    images: Vec<Arc<Image>>,
}

/// One of several kernels, halfway.
enum Ahead {
    Kernel(Kernel),
    /// The program, unless nothing is kept in memory.
    Program(Wanted, Option<Arc<BuiltProgram>>),
}

impl Runtime {
    /// A runtime on a context, with the caches of the process.
    pub fn new(context: &Context, registry: &Arc<Registry>) -> Self {
        Self::with_caches(context, registry, &Caches::of_process())
    }

    /// The same with other caches.
    pub fn with_caches(context: &Context, registry: &Arc<Registry>, caches: &Caches) -> Self {
        Self(Arc::new(Inner {
            context: context.clone(),
            registry: registry.clone(),
            caches: caches.clone(),
            cache: KernelCache::new(caches.config(), classify),
            globals: Globals::default(),
            built: Mutex::default(),
            choices: BuildOnce::new(None, classify),
            generation: AtomicU64::new(0),
            known: Mutex::default(),
        }))
    }

    /// Its context.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Its caches.
    pub fn caches(&self) -> &Caches {
        &self.0.caches
    }

    /// Its images.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.0.registry
    }

    /// The kernel of this name for a device, built with these specialization constants unless it is there.
    ///
    /// # Errors
    /// There is no such kernel; the device lacks what its images need, in the words of the design; a symbol that it needs is
    /// nowhere; a constant is unknown or of another size; or the driver does not build it.
    pub fn kernel(&self, device: &Device, name: &str, values: &SpecValues) -> Result<Kernel> {
        let (generation, constants) = (self.0.sync(), values.key());
        let request = Request { device, name, values, constants: &constants, generation };
        if let Some(there) = self.there(&request) {
            return Ok(there);
        }
        let wanted = self.0.want(&request)?;
        self.make(device, &wanted, values)
    }

    /// The kernels of these names, as [`kernel`](Self::kernel) gives each: first the programs of all that are missing, then
    /// their kernels. That takes less time than one kernel after the other, since a driver's compiler and its look-up of
    /// kernels do not drive each other out of the processor's caches.
    ///
    /// # Errors
    /// As for [`kernel`](Self::kernel): that of the first name in the list that has one when programs are built, then of the
    /// first when kernels are made.
    pub fn kernels(&self, device: &Device, names: &[&str], values: &SpecValues) -> Result<Vec<Kernel>> {
        let (generation, constants) = (self.0.sync(), values.key());
        let look = |name: &&str| {
            let request = Request { device, name, values, constants: &constants, generation };
            if let Some(there) = self.there(&request) {
                return Ok(Ahead::Kernel(there));
            }
            let wanted = self.0.want(&request)?;
            let program = self.0.program_ahead(device, &wanted, values)?;
            Ok(Ahead::Program(wanted, program))
        };
        let ahead = names.iter().map(look).collect::<Result<Vec<Ahead>>>()?;
        let finish = |ahead| match ahead {
            Ahead::Kernel(kernel) => Ok(kernel),
            // The program is held until its kernel is there, so that no limit drops it in between.
            Ahead::Program(wanted, _program) => self.make(device, &wanted, values),
        };
        ahead.into_iter().map(finish).collect()
    }

    /// The way of a launch: two look-ups, no lock, and nothing allocated.
    fn there(&self, request: &Request<'_>) -> Option<Kernel> {
        let image = self.0.choices.with(&request.choice(), |image| image.id())?;
        let entry = self.0.cache.get(&request.kernel(image))?;
        Some(Kernel::new(self, entry))
    }

    fn make(&self, device: &Device, wanted: &Wanted, values: &SpecValues) -> Result<Kernel> {
        let Wanted { key, images } = wanted;
        let entry = self.0.cache.get_or_build(
            key,
            || plan(images),
            |_| self.0.build(device, images, values),
            |program| {
                let kernel = RawKernel::new(&program.raw, &key.name)?;
                Ok(Built { value: ReadyKernel::new(kernel), size: 0 })
            },
        );
        let entry = entry.map_err(flatten)?;
        self.0.remember(&entry.program);
        Ok(Kernel::new(self, entry))
    }

    /// Builds an image for a device with all that it needs, whether it has kernels or not, so that it is there later.
    ///
    /// # Errors
    /// As for [`kernel`](Self::kernel).
    pub fn build_image(&self, device: &Device, image: &Arc<Image>) -> Result<()> {
        self.0.sync();
        self.0.program_of(image, device).map(drop)
    }

    /// The device's own code of an image with all that it needs, to be registered as a native image; none where the driver
    /// gives none. Specialization constants have their defaults in it for good.
    ///
    /// # Errors
    /// As for [`kernel`](Self::kernel).
    pub fn native_code(&self, device: &Device, image: &Arc<Image>) -> Result<Option<Vec<u8>>> {
        self.0.sync();
        self.0.program_of(image, device)?.raw.binary(device)
    }

    /// How many programs are in the cache.
    pub fn program_count(&self) -> usize {
        self.0.cache.programs().len()
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.0
    }

    /// Sets the program's device globals up, unless that is done.
    pub(crate) fn prepare(&self, program: &BuiltProgram, queue: &Queue) -> Result<()> {
        program.prepare_globals(queue, |global| {
            let block = self.0.globals.block(queue, &global.unique_id, global.size as usize)?;
            Ok(block.address())
        })
    }
}

impl Inner {
    fn choose(&self, device: &Device, choice: ChoiceQuery<'_>) -> Result<Arc<Image>> {
        let ChoiceQuery { name, any_constant, generation, .. } = choice;
        if !self.context.devices().contains(device) {
            return Err(Error::invalid(format!("{device:?} is not of the {:?}", self.context)));
        }
        if let Some(image) = self.choices.with(&choice, |image| Arc::clone(image.as_ref())) {
            return Ok(image);
        }
        let images = self.registry.images_with_kernel(name);
        if images.is_empty() {
            return Err(build::no_kernel(&self.registry, name));
        }
        let chosen = build::choose(&images, device, any_constant)?;
        let image = chosen.ok_or_else(|| build::no_image(name, &images, device))?;
        let key = Choice { name: name.into(), device: device.id(), any_constant, generation };
        let kept = self.choices.get_or_build(&key, || Ok(Built { value: image.clone(), size: 0 }));
        Ok(kept.map_or(image, |kept| Arc::clone(kept.as_ref())))
    }

    fn want(&self, request: &Request<'_>) -> Result<Wanted> {
        let main = self.choose(request.device, request.choice())?;
        let images = self.images_of(&main, request.device)?;
        request.values.check(&images)?;
        Ok(Wanted { key: KernelKey::from(&request.kernel(main.id())), images })
    }

    fn program_ahead(
        &self,
        device: &Device,
        wanted: &Wanted,
        values: &SpecValues,
    ) -> Result<Option<Arc<BuiltProgram>>> {
        let Wanted { key, images } = wanted;
        let program = self.cache.program_ahead(key, || plan(images), |_| self.build(device, images, values));
        program.map_err(flatten)
    }

    /// The image with those that it needs, all of which the device can run.
    pub(crate) fn images_of(&self, main: &Arc<Image>, device: &Device) -> Result<Vec<Arc<Image>>> {
        build::check(main, device)?;
        let images = build::closure(&self.registry, main, device)?;
        images.iter().try_for_each(|image| build::check(image, device))?;
        Ok(images)
    }

    fn build(
        &self,
        device: &Device,
        images: &[Arc<Image>],
        values: &SpecValues,
    ) -> Result<Built<BuiltProgram>> {
        let program = BuiltProgram::build(&self.context, device, images, values, self.caches.store())?;
        let size = program.size();
        Ok(Built { value: program, size })
    }

    /// A program of an image without asking for a kernel, from the cache or built now.
    pub(crate) fn program_of(&self, main: &Arc<Image>, device: &Device) -> Result<Arc<BuiltProgram>> {
        let images = self.images_of(main, device)?;
        let values = SpecValues::new();
        let variant =
            Variant { spec_constants: values.key().into(), device: device.id(), options: "".into() };
        let key = ProgramKey::new(images.iter().map(|image| image.id()), variant);
        let built = self.cache.programs().get_or_build(&key, || self.build(device, &images, &values));
        let program = built.map_err(flatten)?;
        self.remember(&program);
        Ok(program)
    }

    fn remember(&self, program: &Arc<BuiltProgram>) {
        let mut built = self.built.lock();
        built.retain(|program| program.strong_count() > 0);
        if !built.iter().any(|other| std::ptr::eq(other.as_ptr(), Arc::as_ptr(program))) {
            built.push(Arc::downgrade(program));
        }
        drop(built);
        self.known.lock().extend(program.images.iter().map(|image| (image.id(), image.module())));
    }

    /// Forgets what was built of images that are no longer registered; gives the number of the registry's state.
    fn sync(&self) -> u64 {
        let generation = self.registry.generation();
        if self.generation.load(Ordering::Acquire) == generation {
            return generation;
        }
        let mut known = self.known.lock();
        self.choices.forget(|choice| choice.generation >= generation);
        let cache = &self.cache;
        known.retain(|&image, &mut module| {
            let stays = self.registry.contains(image);
            if !stays {
                cache.forget_image(image, module);
            }
            stays
        });
        self.generation.store(generation, Ordering::Release);
        generation
    }
}

fn plan(images: &[Arc<Image>]) -> Plan {
    let planned = images.iter().map(|image| PlannedImage {
        id: image.id(),
        module: image.module(),
        kernels: image.kernels().to_vec(),
    });
    Plan { images: planned.collect() }
}

fn classify(error: &Error) -> Failure {
    match error.code() {
        Some(PI_ERROR_OUT_OF_RESOURCES | PI_ERROR_OUT_OF_HOST_MEMORY) => Failure::OutOfResources,
        _ if matches!(error, Error::Build(_)) => Failure::Lasting,
        _ => Failure::Spurious,
    }
}

fn flatten(error: GetError<Error>) -> Error {
    match error {
        GetError::Build(error) => Arc::unwrap_or_clone(error),
        GetError::Recursive => Error::Build("the build of a kernel asks for itself".into()),
    }
}
