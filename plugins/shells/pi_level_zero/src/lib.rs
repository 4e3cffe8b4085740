//! `libpi_level_zero.so`: the Plugin Interface on top of the Level Zero backend.

sycl_pi_front::export_plugin!(sycl_pi_level_zero::LevelZero, "libpi_level_zero");
