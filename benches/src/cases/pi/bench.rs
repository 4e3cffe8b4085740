//! The operations while they are put together.

use sycl_pi_loader::Table;

use super::Cases;

/// The driver's objects are the handles, so that there is nothing beside the table.
pub(super) type Bench = Cases<(&'static Table, ())>;
