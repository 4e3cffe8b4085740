//! `libur_adapter_level_zero.so`: Unified Runtime on top of the Level Zero backend.

sycl_ur_front::export_adapter!(sycl_pi_level_zero::LevelZero, "libur_adapter_level_zero");
