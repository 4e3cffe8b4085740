//! The tested functions: every function of OpenCL.std, every conversion, atomic and group operation, with one file
//! for each kind.

mod atomics;
mod conversions;
mod elementary;
mod entry;
mod exact;
mod float_cases;
mod floats;
mod gamma;
mod geometry;
mod groups;
mod integers;
mod memory;
mod power;
mod select;

pub(crate) use entry::{Amount, Entry};

/// Returns all tested functions.
pub(crate) fn entries() -> Vec<Entry> {
    float_cases::entries()
        .chain(geometry::entries())
        .chain(integers::entries())
        .chain(memory::entries())
        .chain(conversions::entries())
        .chain(atomics::entries())
        .chain(groups::entries())
        .collect()
}

#[cfg(test)]
mod tests {
    use sycl_pi_image::spirv::CLOp;

    #[test]
    fn every_function_of_opencl_is_tried() {
        let names: Vec<String> = super::entries().into_iter().map(|entry| entry.name).collect();
        let functions = (0..1000).filter_map(CLOp::from_u32).map(|function| format!("{function:?}"));
        let (mut count, mut untried) = (0, Vec::new());
        for function in functions {
            count += 1;
            if !names.contains(&function) {
                untried.push(function);
            }
        }
        assert!(count >= 162, "the enumeration has {count} functions");
        assert!(untried.is_empty(), "{untried:?}");
    }
}
