cmake_minimum_required(VERSION 3.16)
project(find_sycl_pi LANGUAGES C)

find_package(sycl-pi 0.1 REQUIRED)

add_executable(add_two_vectors ${EXAMPLES}/add_two_vectors.c)
target_link_libraries(add_two_vectors PRIVATE sycl-pi::pi_runtime)
