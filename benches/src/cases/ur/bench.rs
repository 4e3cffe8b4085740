//! The operations while they are put together.

use testing_ur_host::Calls;

use super::Cases;
use super::handles::Handles;

/// An adapter's handles are its own, so that each side has others for the driver's objects.
pub(super) type Bench = Cases<(&'static Calls, &'static Handles)>;
