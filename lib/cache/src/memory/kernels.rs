//! Kernels with their programs: found by name and origin, kept and dropped together.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::ProgramCache;
use super::evict::{Unused, choose};
use super::keys::{KernelKey, KernelQuery, LinkPlan, Origin, ProgramKey};
use super::once::{BuildOnce, Built, Failure, GetError};
use super::routes::Routes;
use crate::Config;
use crate::store::LOG;

/// A kernel and its program.
#[derive(Debug)]
pub struct CachedKernel<P, K> {
    /// The program.
    pub program: Arc<P>,
    /// The kernel.
    pub kernel: K,
}

/// The programs and kernels of one context.
#[derive(Debug)]
pub struct KernelCache<P, K, E> {
    programs: ProgramCache<P, E>,
    kernels: BuildOnce<KernelKey, CachedKernel<P, K>, E>,
    routes: Routes,
    enabled: bool,
    limit: Option<u64>,
    /// The level of this cache's messages.
    level: log::Level,
}

impl<P, K, E: 'static> KernelCache<P, K, E> {
    /// Creates an empty cache with the settings of SYCL_CACHE_IN_MEM and SYCL_IN_MEM_CACHE_EVICTION_THRESHOLD.
    /// `classify` determines how an error affects later requests.
    pub fn new(config: &Config, classify: impl Fn(&E) -> Failure + Clone + Send + Sync + 'static) -> Self {
        Self {
            programs: BuildOnce::new(None, classify.clone()),
            kernels: BuildOnce::new(None, classify),
            routes: Routes::default(),
            enabled: config.in_memory,
            limit: config.memory_limit,
            level: if config.trace.memory { log::Level::Info } else { log::Level::Debug },
        }
    }

    /// Returns the kernel if it is in the cache, like [`BuildOnce::get`]. Every launch calls this.
    pub fn get(&self, query: &KernelQuery<'_>) -> Option<Arc<CachedKernel<P, K>>> {
        self.kernels.get(query)
    }

    /// Lends the kernel to `use_it` if it is in the cache, like [`BuildOnce::with`].
    pub fn with<R>(
        &self,
        query: &KernelQuery<'_>,
        use_it: impl FnOnce(&Arc<CachedKernel<P, K>>) -> R,
    ) -> Option<R> {
        self.kernels.with(query, use_it)
    }

    /// Returns the kernel. If it is missing, its program is looked up by the kernel's name and origin. If the program
    /// is missing too, `plan` returns the images to link, and `build_program` builds the program unless one of the same
    /// images exists. Then `build_kernel` creates the kernel.
    ///
    /// # Errors
    /// Returns the errors of the builds, like [`BuildOnce::get_or_build`].
    pub fn get_or_build(
        &self,
        key: &KernelKey,
        plan: impl FnOnce() -> LinkPlan,
        mut build_program: impl FnMut(&ProgramKey) -> Result<Built<P>, E>,
        mut build_kernel: impl FnMut(&Arc<P>) -> Result<Built<K>, E>,
    ) -> Result<Arc<CachedKernel<P, K>>, GetError<E>> {
        if !self.enabled {
            let program_key = program_key(&plan(), key);
            let program = build_program(&program_key).map_err(Arc::new).map_err(GetError::Build)?;
            let program = Arc::new(program.value);
            let built = build_kernel(&program).map_err(Arc::new).map_err(GetError::Build)?;
            return Ok(Arc::new(CachedKernel { program, kernel: built.value }));
        }
        if let Some(kernel) = self.kernels.get(key) {
            return Ok(kernel);
        }
        let program = self.program(key, plan, build_program)?;
        let build = || {
            let Built { value, size } = build_kernel(&program)?;
            Ok(Built { value: CachedKernel { program: program.clone(), kernel: value }, size })
        };
        let kernel = self.kernels.get_or_build_relieved(key, build, || self.drop_unused())?;
        drop(program);
        if let Some(limit) = self.limit {
            self.shrink_to(limit);
        }
        Ok(kernel)
    }

    /// Returns the program from which [`get_or_build`](Self::get_or_build) creates the kernel, without creating the
    /// kernel, so that a caller that needs several kernels can get all programs first. Returns `None` if nothing is
    /// kept in memory.
    ///
    /// # Errors
    /// Returns the errors of the build, like [`BuildOnce::get_or_build`].
    pub fn program_ahead(
        &self,
        key: &KernelKey,
        plan: impl FnOnce() -> LinkPlan,
        build: impl FnMut(&ProgramKey) -> Result<Built<P>, E>,
    ) -> Result<Option<Arc<P>>, GetError<E>> {
        if self.enabled { self.program(key, plan, build).map(Some) } else { Ok(None) }
    }

    fn program(
        &self,
        key: &KernelKey,
        plan: impl FnOnce() -> LinkPlan,
        mut build: impl FnMut(&ProgramKey) -> Result<Built<P>, E>,
    ) -> Result<Arc<P>, GetError<E>> {
        if let Some(program) = self.routes.find(key).and_then(|route| self.programs.get(&route)) {
            log::log!(target: LOG, self.level, "{}: its program is there", key.name);
            return Ok(program);
        }
        let plan = plan();
        let program_key = program_key(&plan, key);
        let images = program_key.images();
        log::log!(target: LOG, self.level, "{}: its program is of images {images:?}", key.name);
        let program = self.programs.get_or_build_relieved(
            &program_key,
            || build(&program_key),
            || self.drop_unused(),
        )?;
        self.routes.insert(&plan, &program_key, |other| self.programs.contains(other));
        Ok(program)
    }

    /// Returns the programs.
    pub fn programs(&self) -> &ProgramCache<P, E> {
        &self.programs
    }

    /// Returns the rows of one kernel in the document's table.
    pub fn routes_of(&self, kernel: &str) -> Vec<(Origin, ProgramKey)> {
        self.routes.of_kernel(kernel)
    }

    /// Returns the total size of programs and kernels, in bytes as reported by the builds.
    pub fn size(&self) -> u64 {
        self.programs.size() + self.kernels.size()
    }

    /// Drops every unused program with its kernels. A program that is in use, or whose kernel is in use, stays.
    pub fn drop_unused(&self) {
        self.shrink_to(0);
    }

    /// Drops unused programs with their kernels, least recently used first, until at most `limit` bytes are left. Returns
    /// the number of programs.
    pub fn shrink_to(&self, limit: u64) -> usize {
        struct Kernels {
            count: usize,
            used: u64,
            size: u64,
            held: bool,
        }
        let mut kernels: HashMap<*const P, Kernels> = HashMap::new();
        let mut total = 0;
        self.kernels.survey(|_, kernel, slot| {
            let none = Kernels { count: 0, used: 0, size: 0, held: false };
            let of_program = kernels.entry(Arc::as_ptr(&kernel.program)).or_insert(none);
            of_program.count += 1;
            of_program.used = of_program.used.max(slot.used());
            of_program.size += slot.size();
            of_program.held |= Arc::strong_count(kernel) > 1;
            total += slot.size();
        });
        let candidates = self.programs.survey(|_, program, slot| {
            total += slot.size();
            let of = kernels.get(&Arc::as_ptr(program));
            let count = of.map_or(0, |of| of.count);
            let unused = Arc::strong_count(program) == 1 + count && of.is_none_or(|of| !of.held);
            let used = of.map_or(0, |of| of.used).max(slot.used());
            let size = slot.size() + of.map_or(0, |of| of.size);
            unused.then_some(Unused { what: Arc::as_ptr(program), used, size })
        });
        let chosen: HashSet<*const P> =
            choose(candidates.into_iter().flatten().collect(), total, limit).into_iter().collect();
        if chosen.is_empty() {
            return 0;
        }
        self.kernels.retain(|_, kernel, _| {
            Arc::strong_count(kernel) > 1 || !chosen.contains(&Arc::as_ptr(&kernel.program))
        });
        // A kernel that another thread has started using in the meantime keeps its program.
        let removed = self.programs.retain(|_, program, _| {
            Arc::strong_count(program) > 1 || !chosen.contains(&Arc::as_ptr(program))
        });
        self.routes.retain(|_, program| self.programs.contains(program));
        log::log!(target: LOG, self.level, "{removed} unused programs were dropped");
        removed
    }

    /// Drops everything that contains an image whose module is unloaded: programs, kernels, errors, routes. Kernels in
    /// use stay alive.
    pub fn forget_image(&self, image: u64, module: u64) {
        let gone = |key: &ProgramKey| key.images().contains(&image);
        let doomed: HashSet<*const P> = self
            .programs
            .survey(|key, program, _| gone(key).then_some(Arc::as_ptr(program)))
            .into_iter()
            .flatten()
            .collect();
        self.kernels.retain(|_, kernel, _| !doomed.contains(&Arc::as_ptr(&kernel.program)));
        self.kernels.forget(|key| key.origin != Origin::Image(image) && key.origin != Origin::Module(module));
        self.programs.forget(|key| !gone(key));
        self.routes.retain(|origin, program| !gone(program) && origin != Origin::Image(image));
    }
}

fn program_key(plan: &LinkPlan, key: &KernelKey) -> ProgramKey {
    ProgramKey::new(plan.images.iter().map(|image| image.id), key.variant.clone())
}
