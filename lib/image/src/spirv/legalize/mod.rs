//! Rewrites a module so that an OpenCL driver takes it and computes what it says.
//!
//! Which rewrites a driver needs is data: [`Needs`], computed from what the driver says of itself and from
//! [`KNOWN_FAULTS`].

mod arithmetic;
mod casts;
mod collectives;
mod draft;
mod drivers;
mod global_variables;
mod groups;
mod hints;
mod interface;
mod line;
mod natural;
mod needs;
mod reach;
mod saturate;
mod scope;
mod sub_groups;
mod work_items;

use std::borrow::Cow;

use super::error::SpirvError;
use super::index::Index;
use super::module::Module;
use draft::Draft;
pub use drivers::{DriverFacts, KNOWN_FAULTS, KnownFault};
pub use needs::{Collectives, Needs};

/// Rewrites a module of either byte order for a driver. A driver that needs nothing, or that takes this module as it is,
/// gets its own bytes.
///
/// # Errors
/// Fails if the module is malformed or has no ids left, and if it uses something that the driver cannot be made to do,
/// such as sub-groups of a certain size.
pub fn legalize<'m>(module: &'m [u8], needs: &Needs) -> Result<Cow<'m, [u8]>, SpirvError> {
    if needs.is_none() {
        return Ok(Cow::Borrowed(module));
    }
    let parsed = Module::parse(module)?;
    let index = Index::new(&parsed)?;
    let mut draft = Draft::new(&parsed)?;
    if needs.no_global_variables {
        global_variables::check(&mut draft)?;
    }
    if needs.no_hints {
        hints::drop(&mut draft);
    }
    if needs.no_loop_controls {
        hints::drop_loop_controls(&mut draft);
    }
    if needs.saturating_instructions {
        saturate::rewrite(&mut draft)?;
    }
    if needs.natural_layouts {
        natural::rewrite(&index, &mut draft);
    }
    if needs.unchecked_casts {
        casts::rewrite(&mut draft)?;
    }
    if needs.sub_groups_of_one {
        sub_groups::rewrite(&mut draft)?;
    }
    collectives::rewrite(&mut draft, needs.collectives, needs.most_items)?;
    if needs.sub_groups_of_one || needs.collectives != Collectives::Native {
        groups::drop_unused(&mut draft);
    }
    // Other rewrites may have added variables.
    if needs.whole_interfaces || needs.sub_groups_of_one || needs.collectives != Collectives::Native {
        interface::rewrite(&mut draft)?;
    }
    let made = draft.finish()?;
    Ok(if made == parsed { Cow::Borrowed(module) } else { Cow::Owned(made.to_bytes()?) })
}
