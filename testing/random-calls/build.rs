//! Builds the kernels for the software CUDA driver that become part of the program.

#[path = "../kernels/cuda_objects.rs"]
mod cuda_objects;

fn main() {
    cuda_objects::build(&["basic"]);
}
