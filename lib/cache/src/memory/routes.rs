//! Maps a kernel's name and any module or image of a program to that program ("Device code dynamic linking", In-memory
//! cache).

use std::collections::HashMap;
use std::sync::Arc;

use super::keys::{KernelKey, LinkPlan, Origin, ProgramKey, Variant};
use super::lock::ForkSafe;

/// `{kernel name} => {OS module or image, spec constants, options, device} => program`. Used only on a miss of the
/// kernel cache.
#[derive(Debug, Default)]
pub(super) struct Routes {
    names: ForkSafe<HashMap<Arc<str>, Rows>>,
}

type Rows = HashMap<(Origin, Variant), Route>;

#[derive(Clone, Debug)]
struct Route {
    program: ProgramKey,
    /// Whether the kernel is defined in exactly this module or image. Such a kernel takes precedence, because two
    /// libraries may have kernels of the same name.
    own: bool,
}

impl Routes {
    pub(super) fn find(&self, key: &KernelKey) -> Option<ProgramKey> {
        let place = (key.origin, key.variant.clone());
        self.names.read(|names| Some(names.get(&key.name)?.get(&place)?.program.clone()))
    }

    /// Adds every kernel of a linked program: under its own module and image, under the module for which the program
    /// was linked, and under the program's other images. `is_cached` returns whether an older row's program still
    /// exists.
    pub(super) fn insert(
        &self,
        plan: &LinkPlan,
        program: &ProgramKey,
        is_cached: impl Fn(&ProgramKey) -> bool,
    ) {
        let Some(main) = plan.images.first() else { return };
        self.names.write(|names| {
            for image in &plan.images {
                for kernel in &image.kernels {
                    let routes = names.entry(kernel.clone()).or_default();
                    let own = [Origin::Module(image.module), Origin::Image(image.id)];
                    let others = plan.images.iter().map(|other| Origin::Image(other.id));
                    let others =
                        others.chain([Origin::Module(main.module)]).filter(|origin| !own.contains(origin));
                    let rows = own.into_iter().map(|origin| (origin, true));
                    for (origin, own) in rows.chain(others.map(|origin| (origin, false))) {
                        let place = (origin, program.variant().clone());
                        let stays = routes
                            .get(&place)
                            .is_some_and(|old| (old.own || !own) && is_cached(&old.program));
                        if !stays {
                            routes.insert(place, Route { program: program.clone(), own });
                        }
                    }
                }
            }
        });
    }

    /// Removes the rows for whose programs `keep` is false.
    pub(super) fn retain(&self, keep: impl Fn(Origin, &ProgramKey) -> bool) {
        self.names.write(|names| {
            names.retain(|_, routes| {
                routes.retain(|(origin, _), route| keep(*origin, &route.program));
                !routes.is_empty()
            });
        });
    }

    /// Returns the rows of one kernel, in order.
    pub(super) fn of_kernel(&self, kernel: &str) -> Vec<(Origin, ProgramKey)> {
        let mut rows: Vec<_> = self.names.read(|names| {
            let routes = names.get(kernel).into_iter().flatten();
            routes.map(|((origin, _), route)| (*origin, route.program.clone())).collect()
        });
        rows.sort_by_key(|(origin, _)| *origin);
        rows
    }
}
