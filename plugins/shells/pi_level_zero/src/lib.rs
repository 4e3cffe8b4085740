//! `libpi_level_zero.so`: the Plugin Interface and Unified Runtime on top of the Level Zero backend.

sycl_pi_front::export_plugin!(sycl_pi_level_zero::LevelZero, start_log);
sycl_ur_front::export_adapter!(sycl_pi_level_zero::LevelZero, start_log);

fn start_log() {
    sycl_ur_front::logs::start("LEVEL_ZERO");
}
