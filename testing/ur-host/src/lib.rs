//! A loader of Unified Runtime (UR) adapters for tests: [`sycl_ur_host`], with objects that most tests stand on ([`Host`]), and
//! every function called with made-up arguments ([`each_function`]).
#![expect(unsafe_code, reason = "the tests call adapters")]

mod host;
mod made_up;

pub use host::{Host, ok};
pub use made_up::{Filling, each_function};
pub use sycl_ur_host::{
    Adapter, Behind, Calls, ConnectError, Connection, Getter, Layout, bridge, layout_of_name, open,
};
