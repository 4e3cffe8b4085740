//! Linker options of libpi_level_zero.so.

#[path = "../link_options.rs"]
mod link_options;

fn main() -> std::io::Result<()> {
    link_options::print("level_zero", true)
}
