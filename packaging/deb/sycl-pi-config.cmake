# find_package(sycl-pi) defines the target sycl-pi::pi_runtime: libpi_runtime.so with <pi/pi_runtime.h> and <pi/pi.h>.
get_filename_component(_sycl_pi_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET sycl-pi::pi_runtime)
    add_library(sycl-pi::pi_runtime SHARED IMPORTED)
    set_target_properties(sycl-pi::pi_runtime PROPERTIES
        IMPORTED_LOCATION "${_sycl_pi_prefix}/lib/sycl-pi/libpi_runtime.so"
        IMPORTED_SONAME "libpi_runtime.so"
        INTERFACE_INCLUDE_DIRECTORIES "${_sycl_pi_prefix}/include")
endif()

unset(_sycl_pi_prefix)
