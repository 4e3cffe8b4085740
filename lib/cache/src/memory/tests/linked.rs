//! The example of "Device code dynamic linking", Program caching: an application (OS module 1) that uses `LibFunc` of a library
//! (OS module 2), and the library's own `ExternalKernel`.

use std::cell::RefCell;
use std::sync::Arc;

use super::*;
use crate::Config;
use crate::memory::{CachedKernel, KernelCache, KernelKey, LinkPlan, Origin, PlannedImage, ProgramKey};

const APPLICATION: u64 = 1;
const LIBRARY: u64 = 2;
const APPLICATION_IMAGE: u64 = 10;
const LIBRARY_IMAGE: u64 = 20;

/// A context's cache, and the programs that were built in it, each as a list of images.
struct Context {
    cache: KernelCache<Vec<u64>, String, Trouble>,
    built: RefCell<Vec<Vec<u64>>>,
}

fn application() -> PlannedImage {
    let kernels = vec!["InternalKernel".into(), "CallsLibFunc".into()];
    PlannedImage { id: APPLICATION_IMAGE, module: APPLICATION, kernels }
}

fn library() -> PlannedImage {
    PlannedImage { id: LIBRARY_IMAGE, module: LIBRARY, kernels: vec!["ExternalKernel".into()] }
}

impl Context {
    fn new() -> Self {
        Self { cache: KernelCache::new(&Config::default(), classify), built: RefCell::default() }
    }

    fn submit(
        &self,
        name: &str,
        origin: Origin,
        images: &[PlannedImage],
    ) -> Arc<CachedKernel<Vec<u64>, String>> {
        let key = KernelKey { name: name.into(), origin, variant: variant() };
        let build_program = |program: &ProgramKey| {
            self.built.borrow_mut().push(program.images().to_vec());
            built(program.images().to_vec(), 1)
        };
        let plan = || LinkPlan { images: images.to_vec() };
        self.cache.get_or_build(&key, plan, build_program, |_| built(name.to_owned(), 1)).unwrap()
    }

    fn submit_in_application(&self, name: &str) -> Arc<CachedKernel<Vec<u64>, String>> {
        // The application's image imports LibFunc, which the library's image defines.
        self.submit(name, Origin::Module(APPLICATION), &[application(), library()])
    }

    /// `EnqueueLibraryKernel(Q)`
    fn enqueue_library_kernel(&self) -> Arc<CachedKernel<Vec<u64>, String>> {
        self.submit("ExternalKernel", Origin::Module(LIBRARY), &[library()])
    }

    fn rows(&self, kernel: &str) -> Vec<Origin> {
        self.cache.routes_of(kernel).into_iter().map(|(origin, _)| origin).collect()
    }

    fn modules(&self, kernel: &str) -> Vec<Origin> {
        self.rows(kernel).into_iter().filter(|origin| matches!(origin, Origin::Module(_))).collect()
    }
}

#[test]
fn after_internal_kernel_linked_the_library_external_kernel_is_found_without_a_build() {
    let context = Context::new();
    let internal = context.submit_in_application("InternalKernel");
    let calls = context.submit_in_application("CallsLibFunc");
    let external = context.enqueue_library_kernel();
    assert_eq!(*context.built.borrow(), [[APPLICATION_IMAGE, LIBRARY_IMAGE]]);
    assert!(Arc::ptr_eq(&internal.program, &external.program));
    assert!(Arc::ptr_eq(&internal.program, &calls.program));

    // "InternalKernel" => {1, ...} => program 1
    assert_eq!(context.modules("InternalKernel"), [Origin::Module(APPLICATION)]);
    // "ExternalKernel" => {1, ...} => program 1, {2, ...} => program 1
    assert_eq!(context.modules("ExternalKernel"), [Origin::Module(APPLICATION), Origin::Module(LIBRARY)]);
    // And from any image of the linked program.
    for image in [APPLICATION_IMAGE, LIBRARY_IMAGE] {
        for kernel in ["InternalKernel", "ExternalKernel"] {
            assert!(context.rows(kernel).contains(&Origin::Image(image)));
        }
    }
}

#[test]
fn the_library_is_compiled_twice_if_its_kernel_comes_first() {
    let context = Context::new();
    context.enqueue_library_kernel();
    context.submit_in_application("CallsLibFunc");
    context.enqueue_library_kernel();
    assert_eq!(*context.built.borrow(), [vec![LIBRARY_IMAGE], vec![APPLICATION_IMAGE, LIBRARY_IMAGE]]);
}

#[test]
fn another_variant_is_another_program() {
    let context = Context::new();
    context.submit_in_application("InternalKernel");
    for changed in [
        Variant { device: 8, ..variant() },
        Variant { options: "-O0".into(), ..variant() },
        Variant { spec_constants: [1].into(), ..variant() },
    ] {
        let name: Arc<str> = "ExternalKernel".into();
        let key = KernelKey { name, origin: Origin::Module(LIBRARY), variant: changed };
        let plan = || LinkPlan { images: vec![library()] };
        let kernel =
            context.cache.get_or_build(&key, plan, |_| built(vec![], 1), |_| built(String::new(), 1));
        assert!(kernel.unwrap().program.is_empty());
    }
}

/// Two libraries have a kernel of the same name, and each gets its own.
#[test]
fn a_kernel_of_ones_own_goes_before_one_of_the_same_name_elsewhere() {
    let context = Context::new();
    let own = PlannedImage { id: 30, module: APPLICATION, kernels: vec!["ExternalKernel".into()] };
    context.submit_in_application("InternalKernel");
    let kernel = context.submit("ExternalKernel", Origin::Image(30), std::slice::from_ref(&own));
    assert_eq!(*kernel.program, [30]);
    let from_library = context.enqueue_library_kernel();
    assert_eq!(*from_library.program, [APPLICATION_IMAGE, LIBRARY_IMAGE]);
    // The module's own kernel replaces the one that was only linked to it.
    let from_application = context.submit("ExternalKernel", Origin::Module(APPLICATION), &[own]);
    assert_eq!(*from_application.program, [30]);
}

#[test]
fn an_unloaded_image_leaves_nothing() {
    let context = Context::new();
    context.submit_in_application("InternalKernel");
    let held = context.enqueue_library_kernel();
    context.cache.forget_image(LIBRARY_IMAGE, LIBRARY);
    assert_eq!((context.cache.programs().len(), context.cache.size()), (0, 0));
    for kernel in ["InternalKernel", "ExternalKernel"] {
        assert!(context.rows(kernel).is_empty());
    }
    assert_eq!(held.kernel, "ExternalKernel");
    context.submit_in_application("InternalKernel");
    assert_eq!(context.built.borrow().len(), 2);
}

/// The module may be loaded again with another image that builds.
#[test]
fn a_failed_kernel_of_an_unloaded_image_is_built_again() {
    let context = Context::new();
    for origin in [Origin::Image(LIBRARY_IMAGE), Origin::Module(LIBRARY)] {
        let key = KernelKey { name: "ExternalKernel".into(), origin, variant: variant() };
        let plan = || LinkPlan { images: vec![library()] };
        let program = |_: &ProgramKey| built(vec![LIBRARY_IMAGE], 1);
        let no_kernel = |_: &Arc<Vec<u64>>| Err(Trouble(Failure::Lasting, 1));
        let kernel = |_: &Arc<Vec<u64>>| built("ExternalKernel".to_owned(), 1);
        assert!(context.cache.get_or_build(&key, plan, program, no_kernel).is_err());
        assert!(context.cache.get_or_build(&key, plan, program, kernel).is_err(), "the error stays");
        context.cache.forget_image(LIBRARY_IMAGE, LIBRARY);
        assert!(context.cache.get_or_build(&key, plan, program, kernel).is_ok());
        context.cache.forget_image(LIBRARY_IMAGE, LIBRARY);
    }
}
