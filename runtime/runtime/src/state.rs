//! The state of a runtime: the chosen images, the built programs and kernels, the device globals.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use sycl_pi_cache::memory::{
    BuildOnce, Built, CachedKernel, Equivalent, Failure, GetError, KernelCache, KernelKey, KernelQuery,
    LinkPlan, Origin, PlannedImage, ProgramKey, Variant,
};
use sycl_pi_core::{PI_ERROR_OUT_OF_HOST_MEMORY, PI_ERROR_OUT_OF_RESOURCES};

use crate::build::{self, BuildOptions, BuiltProgram, SpecValues};
use crate::caches::Caches;
use crate::call::{Context, Device, Queue, RawKernel};
use crate::error::{Error, Result};
use crate::globals::Globals;
use crate::launch::ReadyKernel;
use crate::registry::{Image, Registry};

/// A kernel in the cache, with its program.
pub(crate) type ProgramKernel = CachedKernel<Arc<BuiltProgram>, ReadyKernel>;

/// The state that clones of a runtime share.
pub(crate) struct RuntimeState {
    pub(crate) context: Context,
    pub(crate) registry: Arc<Registry>,
    pub(crate) caches: Caches,
    pub(crate) cache: KernelCache<Arc<BuiltProgram>, ReadyKernel, Error>,
    /// Programs with variables of image scope. They contain the values, so they are kept until their images are
    /// removed.
    scoped: BuildOnce<ProgramKey, Arc<BuiltProgram>, Error>,
    pub(crate) globals: Globals,
    /// The built programs, in which variables are looked up.
    pub(crate) built: Mutex<Vec<Weak<BuiltProgram>>>,
    /// The image of a kernel on a device, for one generation of the registry.
    choices: BuildOnce<Choice, Arc<Image>, Error>,
    /// The registry's generation to which the choices and the cache belong.
    generation: AtomicU64,
    /// The images of cached programs: the id of each, and that of its module.
    cached_images: Mutex<HashMap<u64, u64>>,
}

/// The key of a chosen image: a kernel of this name on a device, with or without constants set.
#[derive(Clone, Hash, PartialEq, Eq)]
struct Choice {
    name: Arc<str>,
    /// The module of the kernel, or `None` for any module.
    module: Option<u64>,
    device: u64,
    any_constant: bool,
    generation: u64,
}

/// A [`Choice`] with a borrowed name. Its fields are hashed in the same order.
#[derive(Hash)]
struct ChoiceQuery<'a> {
    name: &'a str,
    module: Option<u64>,
    device: u64,
    any_constant: bool,
    generation: u64,
}

impl Equivalent<Choice> for ChoiceQuery<'_> {
    fn equivalent(&self, key: &Choice) -> bool {
        let same = (self.module, self.device, self.any_constant, self.generation);
        *self.name == *key.name && same == (key.module, key.device, key.any_constant, key.generation)
    }
}

/// A request for a kernel.
pub(crate) struct Request<'a> {
    pub(crate) device: &'a Device,
    pub(crate) name: &'a str,
    /// The id of the module of the kernel, or `None` for any module.
    pub(crate) module: Option<u64>,
    pub(crate) values: &'a SpecValues,
    /// The key of `values`.
    pub(crate) constants: &'a [u8],
    pub(crate) options: &'a BuildOptions,
    /// The registry's generation.
    pub(crate) generation: u64,
}

impl<'a> Request<'a> {
    /// Returns the key of its image.
    fn choice(&self) -> ChoiceQuery<'a> {
        ChoiceQuery {
            name: self.name,
            module: self.module,
            device: self.device.id(),
            any_constant: !self.values.is_empty(),
            generation: self.generation,
        }
    }

    /// Returns the key of the kernel in that image.
    fn kernel(&self, image: u64) -> KernelQuery<'a> {
        let (name, spec_constants, device) = (self.name, self.constants, self.device.id());
        KernelQuery {
            name,
            origin: Origin::Image(image),
            spec_constants,
            device,
            options: self.options.key(),
        }
    }
}

/// A built program in the cache. The inner count is shared with [`RuntimeState`]'s own list, which no eviction empties.
#[allow(clippy::redundant_allocation, reason = "the cache counts its own users by the outer one")]
pub(crate) type CachedProgram = Arc<Arc<BuiltProgram>>;

/// A user's input for a build: values of specialization constants, and options.
pub(crate) type Given<'a> = (&'a SpecValues, &'a BuildOptions);

/// A kernel to build, with the images of its program.
pub(crate) struct ResolvedKernel {
    key: KernelKey,
    images: Vec<Arc<Image>>,
}

impl RuntimeState {
    /// Returns the state of a context with a registry and caches, which all runtimes of these share.
    pub(crate) fn shared(context: &Context, registry: &Arc<Registry>, caches: &Caches) -> Arc<Self> {
        static STATES: Mutex<Vec<Weak<RuntimeState>>> = Mutex::new(Vec::new());
        let mut states = STATES.lock();
        states.retain(|state| state.strong_count() > 0);
        let is_it = |state: &Arc<Self>| {
            state.context == *context && Arc::ptr_eq(&state.registry, registry) && state.caches.is(caches)
        };
        if let Some(state) = states.iter().filter_map(Weak::upgrade).find(is_it) {
            return state;
        }
        let state = Arc::new(Self::new(context, registry, caches));
        states.push(Arc::downgrade(&state));
        state
    }

    fn new(context: &Context, registry: &Arc<Registry>, caches: &Caches) -> Self {
        Self {
            context: context.clone(),
            registry: registry.clone(),
            caches: caches.clone(),
            cache: KernelCache::new(caches.config(), classify),
            scoped: BuildOnce::new(None, classify),
            globals: Globals::default(),
            built: Mutex::default(),
            choices: BuildOnce::new(None, classify),
            generation: AtomicU64::new(0),
            cached_images: Mutex::default(),
        }
    }

    /// Returns the kernel if it is built. Every launch calls this: two lookups, and no allocation.
    pub(crate) fn lookup(&self, request: &Request<'_>) -> Option<Arc<ProgramKernel>> {
        let image = self.choices.with(&request.choice(), |image| image.id())?;
        self.cache.get(&request.kernel(image))
    }

    /// Returns the kernel from the cache, or builds it.
    pub(crate) fn build_kernel(
        &self,
        device: &Device,
        resolved: &ResolvedKernel,
        given: Given<'_>,
    ) -> Result<Arc<ProgramKernel>> {
        let ResolvedKernel { key, images } = resolved;
        let kernel = self.cache.get_or_build(
            key,
            || plan(images),
            |key| self.build(key, device, images, given),
            |program| {
                let kernel = RawKernel::new(&program.raw, &key.name)?;
                Ok(Built { value: ReadyKernel::new(kernel), size: 0 })
            },
        );
        let kernel = kernel.map_err(flatten)?;
        self.remember(&kernel.program);
        Ok(kernel)
    }

    /// Initializes the program's device globals unless that is done already.
    pub(crate) fn prepare(&self, program: &BuiltProgram, queue: &Queue) -> Result<()> {
        program.prepare_globals(queue, |global| {
            let (id, size) = (&global.unique_id, global.size as usize);
            if global.image_scope {
                return self.globals.host_value(id, size);
            }
            let memory = self.globals.allocation(queue, id, size)?;
            Ok(Some(memory.address().to_ne_bytes().to_vec()))
        })
    }

    fn choose(&self, device: &Device, choice: ChoiceQuery<'_>) -> Result<Arc<Image>> {
        let ChoiceQuery { name, module, any_constant, generation, .. } = choice;
        if !self.context.devices().contains(device) {
            return Err(Error::invalid(format!("{device:?} does not belong to the {:?}", self.context)));
        }
        if let Some(image) = self.choices.with(&choice, |image| Arc::clone(image.as_ref())) {
            return Ok(image);
        }
        let mut images = self.registry.images_with_kernel(name);
        if images.is_empty() {
            return Err(build::no_kernel(&self.registry, name));
        }
        images.retain(|image| module.is_none_or(|module| module == image.module()));
        if images.is_empty() {
            return Err(Error::NotFound(format!(
                "no image of this module has a kernel {name}, but others have"
            )));
        }
        let chosen = build::choose(&images, device, any_constant)?;
        let image = chosen.ok_or_else(|| build::no_image(name, &images, device))?;
        let key = Choice { name: name.into(), module, device: device.id(), any_constant, generation };
        let kept = self.choices.get_or_build(&key, || Ok(Built { value: image.clone(), size: 0 }));
        Ok(kept.map_or(image, |kept| Arc::clone(kept.as_ref())))
    }

    pub(crate) fn resolve(&self, request: &Request<'_>) -> Result<ResolvedKernel> {
        let main = self.choose(request.device, request.choice())?;
        let images = self.images_of(&main, request.device)?;
        request.values.check(&images)?;
        Ok(ResolvedKernel { key: KernelKey::from(&request.kernel(main.id())), images })
    }

    /// Builds the program of a kernel before the kernel is created; returns `None` if nothing is cached in memory.
    pub(crate) fn program_ahead(
        &self,
        device: &Device,
        resolved: &ResolvedKernel,
        given: Given<'_>,
    ) -> Result<Option<CachedProgram>> {
        let ResolvedKernel { key, images } = resolved;
        let build = |key: &ProgramKey| self.build(key, device, images, given);
        let program = self.cache.program_ahead(key, || plan(images), build);
        program.map_err(flatten)
    }

    /// Returns the image, the images that it needs, all of which the device can run, and the device libraries.
    pub(crate) fn images_of(&self, main: &Arc<Image>, device: &Device) -> Result<Vec<Arc<Image>>> {
        let mut images = build::closure(&self.registry, main, device)?;
        images.iter().try_for_each(|image| build::check(image, device))?;
        images.extend(build::device_libraries(&images, device)?);
        Ok(images)
    }

    fn build(
        &self,
        key: &ProgramKey,
        device: &Device,
        images: &[Arc<Image>],
        given: Given<'_>,
    ) -> Result<Built<Arc<BuiltProgram>>> {
        let build = || {
            let program = BuiltProgram::build(&self.context, device, images, given, self.caches.store());
            let program = program.map_err(|error| match error {
                Error::Build { message, error } => {
                    let message = message
                        + &build::left_to_the_driver(&self.registry, images)
                        + &build::missing_libraries(images, device);
                    Error::Build { message, error }
                }
                other => other,
            })?;
            Ok(Built { size: program.size(), value: Arc::new(program) })
        };
        if !BuiltProgram::has_image_scope(images) {
            return build();
        }
        let program = Arc::clone(&*self.scoped.get_or_build(key, build).map_err(flatten)?);
        Ok(Built { size: program.size(), value: program })
    }

    /// Returns a program of an image without a specific kernel, from the cache or newly built.
    pub(crate) fn program_of(
        &self,
        main: &Arc<Image>,
        device: &Device,
        options: &BuildOptions,
    ) -> Result<Arc<BuiltProgram>> {
        let images = self.images_of(main, device)?;
        let values = SpecValues::new();
        let (spec_constants, id) = (values.key()?.into(), device.id());
        let variant = Variant { spec_constants, device: id, options: options.key().clone() };
        let key = ProgramKey::new(images.iter().map(|image| image.id()), variant);
        let build = || self.build(&key, device, &images, (&values, options));
        let program = Arc::clone(&*self.cache.programs().get_or_build(&key, build).map_err(flatten)?);
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
        // Device libraries stay, regardless of registrations and removals.
        let registered = program.images.iter().filter(|image| !image.is_device_library());
        self.cached_images.lock().extend(registered.map(|image| (image.id(), image.module())));
    }

    /// Drops everything built from images that are no longer registered, and returns the registry's generation.
    pub(crate) fn sync(&self) -> u64 {
        let generation = self.registry.generation();
        if self.generation.load(Ordering::Acquire) == generation {
            return generation;
        }
        let mut cached_images = self.cached_images.lock();
        self.choices.forget(|choice| choice.generation >= generation);
        let cache = &self.cache;
        cached_images.retain(|&image, &mut module| {
            let stays = self.registry.contains(image);
            if !stays {
                cache.forget_image(image, module);
                self.scoped.forget(|key| !key.images().contains(&image));
            }
            stays
        });
        self.generation.store(generation, Ordering::Release);
        generation
    }
}

fn plan(images: &[Arc<Image>]) -> LinkPlan {
    let planned = images.iter().map(|image| PlannedImage {
        id: image.id(),
        module: image.module(),
        kernels: image.kernels().to_vec(),
    });
    LinkPlan { images: planned.collect() }
}

fn classify(error: &Error) -> Failure {
    match error.code() {
        Some(PI_ERROR_OUT_OF_RESOURCES | PI_ERROR_OUT_OF_HOST_MEMORY) => Failure::OutOfResources,
        _ if matches!(error, Error::Build { .. }) => Failure::Lasting,
        _ => Failure::Spurious,
    }
}

fn flatten(error: GetError<Error>) -> Error {
    match error {
        GetError::Build(error) => Arc::unwrap_or_clone(error),
        GetError::Recursive => Error::build("the build of a kernel requests the kernel itself"),
    }
}

#[cfg(test)]
mod tests {
    use sycl_pi_core::{PI_ERROR_BUILD_PROGRAM_FAILURE, PI_ERROR_INVALID_VALUE};
    use sycl_pi_loader::CallError;

    use super::*;

    #[test]
    fn failures_for_want_of_memory_are_tried_again_and_other_builds_not() {
        let failed = |function, code| CallError::Failed { function, code, text: None };
        let call = |code| Error::Call { object: "a kernel".into(), error: failed("piKernelCreate", code) };
        let build = |code| Error::Build { message: "no".into(), error: Some(failed("piProgramBuild", code)) };
        for code in [PI_ERROR_OUT_OF_RESOURCES, PI_ERROR_OUT_OF_HOST_MEMORY] {
            assert_eq!([call(code), build(code)].map(|error| classify(&error)), [Failure::OutOfResources; 2]);
        }
        assert_eq!(classify(&call(PI_ERROR_INVALID_VALUE)), Failure::Spurious);
        let lasting = [build(PI_ERROR_BUILD_PROGRAM_FAILURE), Error::build("no")];
        assert_eq!(lasting.map(|error| classify(&error)), [Failure::Lasting; 2]);
    }

    #[test]
    fn a_query_is_equivalent_to_a_choice_with_the_same_fields_only() {
        let key = Choice { name: "k".into(), module: Some(1), device: 2, any_constant: true, generation: 3 };
        let query = |name, module, device, any_constant, generation| ChoiceQuery {
            name,
            module,
            device,
            any_constant,
            generation,
        };
        assert!(query("k", Some(1), 2, true, 3).equivalent(&key));
        for other in [
            query("l", Some(1), 2, true, 3),
            query("k", None, 2, true, 3),
            query("k", Some(1), 1, true, 3),
            query("k", Some(1), 2, false, 3),
            query("k", Some(1), 2, true, 4),
        ] {
            assert!(!other.equivalent(&key));
        }
    }
}
