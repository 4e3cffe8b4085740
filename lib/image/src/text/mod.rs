//! Files around device images: intel/llvm's property files and file tables, and the properties of images as JSON.

mod base64;
mod json;
mod prop;
mod table;

pub use json::{Document, is_json, read_json, write_json};
pub use prop::{read_prop, write_prop};
pub use table::FileTable;
