//! Cooperative matrices: products of every type and layout, components, and sub-groups that multiply alone.

use sycl_pi_nvvm::{Options, translate};
use testing_nvvm::{Arg, HostGpu, Launch, bytes, kernel, numbers};

use crate::groups::{WIDTHS, sized};

/// How numbers lie in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Layout {
    Rows,
    Columns,
    Packed,
    /// The packed layout of a first operand: neighbours in a row are together anyway.
    PackedRows,
}

impl Layout {
    /// The operand of an instruction.
    fn number(self) -> u32 {
        match self {
            Self::Rows => 0,
            Self::Columns => 1,
            Self::Packed | Self::PackedRows => 2,
        }
    }
}

/// A type of components: its name here, its bits, and whether it is a floating-point number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Component {
    Half,
    Bfloat16,
    Float,
    Double,
    SignedByte,
    UnsignedByte,
    Int,
}

impl Component {
    fn name(self) -> &'static str {
        match self {
            Self::Half => "%half",
            Self::Bfloat16 => "%ushort",
            Self::Float => "%float",
            Self::Double => "%double",
            Self::SignedByte | Self::UnsignedByte => "%uchar",
            Self::Int => "%uint",
        }
    }

    fn size(self) -> usize {
        match self {
            Self::SignedByte | Self::UnsignedByte => 1,
            Self::Half | Self::Bfloat16 => 2,
            Self::Float | Self::Int => 4,
            Self::Double => 8,
        }
    }

    /// The bytes of a small whole number.
    fn write(self, value: i32) -> Vec<u8> {
        let single = (value as f32).to_bits();
        match self {
            Self::SignedByte | Self::UnsignedByte => vec![value as u8],
            Self::Half if value == 0 => vec![0; 2],
            Self::Half => {
                let half =
                    (single >> 31 << 15) | (((single >> 23 & 0xff) - 112) << 10) | (single >> 13 & 0x3ff);
                (half as u16).to_le_bytes().to_vec()
            }
            Self::Bfloat16 => ((single >> 16) as u16).to_le_bytes().to_vec(),
            Self::Float => single.to_le_bytes().to_vec(),
            Self::Double => f64::from(value).to_le_bytes().to_vec(),
            Self::Int => value.to_le_bytes().to_vec(),
        }
    }
}

/// A matrix in memory: its numbers, row by row, and how they are written.
struct Matrix {
    rows: usize,
    columns: usize,
    numbers: Vec<i32>,
    component: Component,
    layout: Layout,
}

impl Matrix {
    /// Small whole numbers, which all types have.
    fn mixed(rows: usize, columns: usize, component: Component, layout: Layout, seed: u32) -> Self {
        let number = |at: u32| (at.wrapping_add(seed).wrapping_mul(2_654_435_761) >> 27) as i32 - 16;
        let least = if component == Component::UnsignedByte { 16 } else { 0 };
        let numbers = (0..(rows * columns) as u32).map(|at| number(at) + least).collect();
        Self { rows, columns, numbers, component, layout }
    }

    /// Rows of memory have three numbers more than are used.
    fn stride(&self) -> usize {
        match self.layout {
            Layout::Rows | Layout::PackedRows => self.columns + 3,
            Layout::Columns => self.rows + 3,
            Layout::Packed => (self.columns + 3) * self.together(),
        }
    }

    /// How many rows stand together in the packed layout: as many components as fill 32 bits.
    fn together(&self) -> usize {
        (4 / self.component.size()).max(1)
    }

    fn place(&self, row: usize, column: usize) -> usize {
        match self.layout {
            Layout::Rows | Layout::PackedRows => row * self.stride() + column,
            Layout::Columns => column * self.stride() + row,
            Layout::Packed => {
                row / self.together() * self.stride() + column * self.together() + row % self.together()
            }
        }
    }

    fn at(&self, row: usize, column: usize) -> i32 {
        self.numbers[row * self.columns + column]
    }

    /// The memory. What no number of the matrix lies in has 99.
    fn memory(&self) -> Vec<u8> {
        let most = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (row, column)));
        let length = most.clone().map(|(row, column)| self.place(row, column)).max().unwrap() + 1;
        let mut all = vec![self.component.write(99); length];
        most.for_each(|(row, column)| {
            all[self.place(row, column)] = self.component.write(self.at(row, column))
        });
        all.concat()
    }

    fn declaration(&self, name: &str, usage: usize) -> String {
        format!(
            "%{name} = OpTypeCooperativeMatrixKHR {} %subgroup %n_{} %n_{} %n_{usage}
             %stride_{name} = OpConstant %ulong {}
             %layout_{name} = OpConstant %uint {}\n",
            self.component.name(),
            self.rows,
            self.columns,
            self.stride(),
            self.layout.number()
        )
    }
}

/// Constants that shapes need.
fn sizes(all: &[usize]) -> String {
    let mut all: Vec<usize> = [0, 1, 2].into_iter().chain(all.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all.iter().map(|size| format!("%n_{size} = OpConstant %uint {size}\n")).collect()
}

/// Shape, sub-group size and types of a product: rows, columns, inner size.
struct Product {
    shape: [usize; 3],
    width: usize,
    factors: Component,
    sum: Component,
    /// Operands of the instruction.
    operands: u32,
    layouts: [Layout; 3],
}

impl Product {
    fn check(&self) {
        let [rows, columns, inner] = self.shape;
        let [of_a, of_b, of_c] = self.layouts;
        let a = Matrix::mixed(rows, inner, self.factors, of_a, 1);
        let b = Matrix::mixed(inner, columns, self.factors, of_b, 777);
        let mut c = Matrix::mixed(rows, columns, self.sum, of_c, 31);
        let pointer = |matrix: &Matrix| matrix.component.name().replacen('%', "%p_", 1);
        let declarations = format!(
            "{}\n{}{}{}{}",
            sized(self.width),
            sizes(&[rows, columns, inner]),
            a.declaration("A", 0),
            b.declaration("B", 1),
            c.declaration("C", 2)
        );
        let code = format!(
            "%a = OpCooperativeMatrixLoadKHR %A %in.a %layout_A %stride_A 0
             %b = OpCooperativeMatrixLoadKHR %B %in.b %layout_B %stride_B 0
             %c = OpCooperativeMatrixLoadKHR %C %out %layout_C %stride_C 0
             %d = OpCooperativeMatrixMulAddKHR %C %a %b %c {}
             OpCooperativeMatrixStoreKHR %out %d %layout_C %stride_C 0",
            self.operands
        );
        let parameters = format!("{} %out, {} %in.a, {} %in.b", pointer(&c), pointer(&a), pointer(&b));
        let module = kernel(&declarations, &parameters, &code).unwrap();
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        let args = [&c, &a, &b].map(|matrix| Arg::Buffer(matrix.memory()));
        let out = gpu.run(Launch::group(self.width as u64), &args).unwrap();
        let mut sums = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let products = (0..inner).map(|at| a.at(row, at) * b.at(at, column));
                sums.push(c.at(row, column) + products.sum::<i32>());
            }
        }
        c.numbers = sums;
        assert_eq!(
            out[0],
            c.memory(),
            "{:?} of {:?} in sub-groups of {}, {:?}",
            self.shape,
            self.factors,
            self.width,
            self.layouts
        );
    }
}

const ROWS: [Layout; 3] = [Layout::Rows; 3];

/// Whole numbers whose sums all the types have exactly.
#[test]
#[ignore = "needs clang-14"]
fn products_are_exact_in_every_type() {
    let shape = [8, 16, 16];
    for (factors, sum, operands) in [
        (Component::Half, Component::Float, 0),
        (Component::Bfloat16, Component::Float, 0x40),
        (Component::Float, Component::Float, 0),
        (Component::Float, Component::Float, 0x20),
        (Component::Double, Component::Double, 0),
        (Component::SignedByte, Component::Int, 0xf),
        (Component::UnsignedByte, Component::Int, 0),
        (Component::Int, Component::Int, 0xf),
    ] {
        Product { shape, width: 16, factors, sum, operands, layouts: ROWS }.check();
    }
    // Sums of halves are small enough.
    let shape = [8, 8, 8];
    for (sum, operands) in [(Component::Half, 0), (Component::Float, 0)] {
        Product { shape, width: 8, factors: Component::Half, sum, operands, layouts: ROWS }.check();
    }
}

/// The shapes that llama.cpp has, and others: fewer columns than work-items, one row, an odd number of rows.
#[test]
#[ignore = "needs clang-14"]
fn products_have_any_shape_that_fits_the_sub_group() {
    for (shape, width) in [
        ([8, 8, 16], 8),
        ([8, 16, 16], 16),
        ([8, 16, 8], 16),
        ([16, 16, 16], 32),
        ([32, 64, 16], 16),
        ([1, 64, 16], 16),
        ([5, 32, 3], 32),
        ([8, 8, 16], 16),
        ([8, 8, 32], 32),
    ] {
        let (factors, sum) = (Component::Half, Component::Float);
        Product { shape, width, factors, sum, operands: 0, layouts: ROWS }.check();
    }
}

#[test]
#[ignore = "needs clang-14"]
fn matrices_lie_in_rows_in_columns_and_packed() {
    use Layout::{Columns, Packed, PackedRows, Rows};
    for factors in [Component::Half, Component::SignedByte] {
        let (sum, operands) =
            if factors == Component::Half { (Component::Float, 0) } else { (Component::Int, 0xf) };
        for layouts in [[Rows, Packed, Rows], [Columns, Columns, Columns], [PackedRows, Rows, Columns]] {
            Product { shape: [8, 16, 32], width: 16, factors, sum, operands, layouts }.check();
        }
    }
}

/// Of the two sub-groups of a warp only the second multiplies.
#[test]
#[ignore = "needs clang-14"]
fn a_sub_group_multiplies_while_its_neighbour_does_not() {
    let [a, b] = [
        Matrix::mixed(8, 16, Component::Half, Layout::Rows, 5),
        Matrix::mixed(16, 16, Component::Half, Layout::Rows, 6),
    ];
    let c = Matrix {
        numbers: vec![3; 128],
        component: Component::Float,
        ..Matrix::mixed(8, 16, Component::Half, Layout::Rows, 0)
    };
    let declarations = format!(
        "{}\n{}{}{}{}%three = OpConstant %float 3\n%fill = OpConstantComposite %C %three",
        sized(16),
        sizes(&[8, 16]),
        a.declaration("A", 0),
        b.declaration("B", 1),
        c.declaration("C", 2)
    );
    let code = "
        %is.second = OpUGreaterThanEqual %bool %x %u_16
        OpSelectionMerge %end None
        OpBranchConditional %is.second %second %end
        %second = OpLabel
        %a = OpCooperativeMatrixLoadKHR %A %in.a %layout_A %stride_A 0
        %b = OpCooperativeMatrixLoadKHR %B %in.b %layout_B %stride_B 0
        %d = OpCooperativeMatrixMulAddKHR %C %a %b %fill 0
        OpCooperativeMatrixStoreKHR %out %d %layout_C %stride_C 0
        OpBranch %end
        %end = OpLabel";
    let module = kernel(&declarations, "%p_float %out, %p_half %in.a, %p_half %in.b", code).unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let args = [&c, &a, &b].map(|matrix| Arg::Buffer(matrix.memory()));
    let out = numbers::<f32>(&gpu.run(Launch::group(32), &args).unwrap()[0]);
    for row in 0..8 {
        for column in 0..16 {
            let sum: i32 = (0..16).map(|at| a.at(row, at) * b.at(at, column)).sum();
            assert_eq!(out[c.place(row, column)], (3 + sum) as f32, "{row}, {column}");
        }
    }
}

/// Components are computed with, one by one in memory and all at once, whoever holds them.
#[test]
#[ignore = "needs clang-14"]
fn components_are_numbers_like_others() {
    for width in WIDTHS {
        let declarations = format!(
            "{}\n{}%m = OpTypeCooperativeMatrixKHR %float %subgroup %n_8 %n_16 %n_2
             %f_m = OpTypePointer Function %m
             %f_float = OpTypePointer Function %float
             %half_m = OpTypeCooperativeMatrixKHR %half %subgroup %n_8 %n_16 %n_2
             %stride = OpConstant %ulong 16
             %two = OpConstant %float 2
             %ten = OpConstant %float 10",
            sized(width),
            sizes(&[8, 16])
        );
        // (x * x + 2 * x) as a half; then each component in memory by 10, and the first one is what an extraction gives.
        let code = "
            %room = OpVariable %f_m Function
            %v = OpCooperativeMatrixLoadKHR %m %in %n_0 %stride 0
            %square = OpFMul %m %v %v
            %twice = OpMatrixTimesScalar %m %v %two
            %sum = OpFAdd %m %square %twice
            %small = OpFConvert %half_m %sum
            %large = OpFConvert %m %small
            OpStore %room %large
            %length = OpCooperativeMatrixLengthKHR %uint %m
            OpBranch %check
            %check = OpLabel
            %at = OpPhi %uint %u_0 %entry %next %again
            %more = OpULessThan %bool %at %length
            OpLoopMerge %done %again None
            OpBranchConditional %more %again %done
            %again = OpLabel
            %place = OpAccessChain %f_float %room %at
            %old = OpLoad %float %place
            %new = OpFAdd %float %old %ten
            OpStore %place %new
            %next = OpIAdd %uint %at %u_1
            OpBranch %check
            %done = OpLabel
            %changed = OpLoad %m %room
            %first = OpCompositeExtract %float %changed 0
            %back = OpCompositeInsert %m %first %changed 0
            OpCooperativeMatrixStoreKHR %out %back %n_0 %stride 0
            %len.at = OpPtrAccessChain %p_uint %lengths %l
            OpStore %len.at %length";
        let module = kernel(&declarations, "%p_float %out, %p_float %in, %p_uint %lengths", code).unwrap();
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        let column: Vec<f32> = (0..128).map(|at| (at % 23) as f32).collect();
        let args = [vec![0; 512], bytes(&column), vec![0; width * 4]].map(Arg::Buffer);
        let out = gpu.run(Launch::group(width as u64), &args).unwrap();
        let expected: Vec<f32> = column.iter().map(|x| x * x + 2.0 * x + 10.0).collect();
        assert_eq!(numbers::<f32>(&out[0]), expected, "{width}");
        // Together the work-items hold each component once.
        assert_eq!(numbers::<u32>(&out[2]).iter().sum::<u32>(), 128, "{width}");
    }
}

/// What is refused says which matrix or operand it is.
#[test]
fn what_no_work_item_can_hold_is_refused() {
    let refused = |declarations: &str, code: &str| {
        let declarations = format!("{}\n{}{declarations}", sized(16), sizes(&[8, 16, 24]));
        let module = kernel(&declarations, "%p_float %out", code).unwrap();
        translate(&[&module], &Options::default()).unwrap().kernels.remove(0).refused.unwrap()
    };
    let matrix = |scope: &str, columns: usize| {
        format!("%m = OpTypeCooperativeMatrixKHR %float {scope} %n_8 %n_{columns} %n_2\n")
    };
    let load = "%v = OpCooperativeMatrixLoadKHR %m %out %n_0 %l_1 0";
    for (declarations, code, why) in [
        (matrix("%group", 16), load, "cooperative matrices belong to a sub-group on CUDA"),
        (
            matrix("%subgroup", 24),
            load,
            "cooperative matrices of 24 columns in sub-groups of 16 work-items are not supported on CUDA",
        ),
        (
            matrix("%subgroup", 16),
            "%v = OpCooperativeMatrixLoadKHR %m %out %n_2 %l_1 0",
            "the layout 2 of a cooperative matrix is not supported on CUDA",
        ),
        (
            matrix("%subgroup", 16),
            "%v = OpCooperativeMatrixLoadKHR %m %out %n_0 %l_1 0\n%w = OpCooperativeMatrixMulAddKHR %m %v %v %v 0",
            "an operand of a product of cooperative matrices has another use",
        ),
        (
            matrix("%subgroup", 16),
            "%v = OpCooperativeMatrixLoadKHR %m %out %n_0 %l_1 0\n%w = OpCooperativeMatrixMulAddKHR %m %v %v %v 16",
            "products of cooperative matrices that saturate are not supported on CUDA",
        ),
    ] {
        let reason = refused(&declarations, code);
        assert!(reason.ends_with(why), "{reason}");
    }
}
