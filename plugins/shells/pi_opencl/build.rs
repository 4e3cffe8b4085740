//! Linker options of libpi_opencl.so.

#[path = "../link_options.rs"]
mod link_options;

fn main() -> std::io::Result<()> {
    link_options::print("opencl", true)
}
