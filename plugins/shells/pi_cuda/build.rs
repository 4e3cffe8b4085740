//! Linker options of libpi_cuda.so.

#[path = "../link_options.rs"]
mod link_options;

fn main() -> std::io::Result<()> {
    link_options::print("cuda", false)
}
