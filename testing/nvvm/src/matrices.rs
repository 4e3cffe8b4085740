//! Products of cooperative matrices for tests, on the software GPU and on a real one.

use anyhow::Result;

use crate::kernel;

/// The order of numbers in memory: the layouts of SPIR-V and Intel's packed one.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Layout {
    /// Row-major.
    Rows,
    /// Column-major.
    Columns,
    /// Row-major, with one number of each of several rows next to each other, so that they fill 32 bits.
    Packed,
    /// The packed layout of a first operand, in which neighbours in a row are adjacent anyway.
    PackedRows,
}

impl Layout {
    /// Returns the operand of an instruction.
    fn number(self) -> u32 {
        match self {
            Self::Rows => 0,
            Self::Columns => 1,
            Self::Packed | Self::PackedRows => 2,
        }
    }
}

/// A type of components, with its name here, its bits, and whether it is a floating-point number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Component {
    /// 16 bits, IEEE.
    Half,
    /// The upper half of a `float`.
    Bfloat16,
    /// 32 bits.
    Float,
    /// 64 bits.
    Double,
    /// 8 bits, signed.
    SignedByte,
    /// 8 bits, unsigned.
    UnsignedByte,
    /// 32 bits, signed.
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

    /// Returns the bytes of a small integer.
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

/// A matrix in memory, as its numbers in row-major order and their representation.
#[derive(Clone, Debug)]
struct Matrix {
    rows: usize,
    columns: usize,
    numbers: Vec<i32>,
    component: Component,
    layout: Layout,
}

impl Matrix {
    /// Creates small integers, which all types can represent.
    fn mixed(rows: usize, columns: usize, component: Component, layout: Layout, seed: u32) -> Self {
        let number = |at: u32| (at.wrapping_add(seed).wrapping_mul(2_654_435_761) >> 27) as i32 - 16;
        let least = if component == Component::UnsignedByte { 16 } else { 0 };
        let numbers = (0..(rows * columns) as u32).map(|at| number(at) + least).collect();
        Self { rows, columns, numbers, component, layout }
    }

    /// Returns the stride. Rows in memory have three more numbers than are used.
    fn stride(&self) -> usize {
        match self.layout {
            Layout::Rows | Layout::PackedRows => self.columns + 3,
            Layout::Columns => self.rows + 3,
            Layout::Packed => (self.columns + 3) * self.together(),
        }
    }

    /// Returns the number of rows that are interleaved in the packed layout: as many components as fill 32 bits.
    fn together(&self) -> usize {
        (4 / self.component.size()).max(1)
    }

    /// Returns the index of a number in memory.
    fn place(&self, row: usize, column: usize) -> usize {
        match self.layout {
            Layout::Rows | Layout::PackedRows => row * self.stride() + column,
            Layout::Columns => column * self.stride() + row,
            Layout::Packed => {
                row / self.together() * self.stride() + column * self.together() + row % self.together()
            }
        }
    }

    /// Returns the number in a row and a column.
    fn at(&self, row: usize, column: usize) -> i32 {
        self.numbers[row * self.columns + column]
    }

    /// Returns the memory. Unused elements are 99.
    fn memory(&self) -> Vec<u8> {
        let most = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (row, column)));
        let length =
            most.clone().map(|(row, column)| self.place(row, column)).max().map_or(0, |last| last + 1);
        let mut all = vec![self.component.write(99); length];
        most.for_each(|(row, column)| {
            all[self.place(row, column)] = self.component.write(self.at(row, column))
        });
        all.concat()
    }

    /// Returns the declaration of the type, and of constants for stride and layout.
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

/// Declares the constants that shapes need.
pub fn sizes(all: &[usize]) -> String {
    let mut all: Vec<usize> = [0, 1, 2].into_iter().chain(all.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all.iter().map(|size| format!("%n_{size} = OpConstant %uint {size}\n")).collect()
}

/// A product of integers whose sums all types represent exactly: its shape (rows, columns, inner size), sub-groups
/// and types.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    shape: [usize; 3],
    /// The work-items of a sub-group.
    width: usize,
    /// The types of the first and of the second factor.
    factors: [Component; 2],
    sum: Component,
    /// The operands of the instruction.
    operands: u32,
    layouts: [Layout; 3],
}

impl Product {
    /// Returns all products of the tests: every type, every shape of llama.cpp and others, every layout.
    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        let rows = [Layout::Rows; 3];
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
            all.push(Self {
                shape: [8, 16, 16],
                width: 16,
                factors: [factors; 2],
                sum,
                operands,
                layouts: rows,
            });
        }
        // One factor is signed, and the other is unsigned.
        for (factors, operands) in [
            ([Component::SignedByte, Component::UnsignedByte], 0xd),
            ([Component::UnsignedByte, Component::SignedByte], 0xe),
        ] {
            let (shape, sum) = ([8, 16, 16], Component::Int);
            all.push(Self { shape, width: 16, factors, sum, operands, layouts: rows });
        }
        for sum in [Component::Half, Component::Float] {
            // Sums of few numbers are small enough for half precision.
            all.push(Self {
                shape: [8, 8, 8],
                width: 8,
                factors: [Component::Half; 2],
                sum,
                operands: 0,
                layouts: rows,
            });
        }
        // Includes fewer columns than work-items, one row, and an odd number of rows.
        for (shape, width) in [
            ([8, 8, 16], 8),
            ([8, 16, 8], 16),
            ([16, 16, 16], 32),
            ([32, 64, 16], 16),
            ([1, 64, 16], 16),
            ([5, 32, 3], 32),
            ([8, 8, 16], 16),
            ([8, 8, 32], 32),
        ] {
            let (factors, sum) = ([Component::Half; 2], Component::Float);
            all.push(Self { shape, width, factors, sum, operands: 0, layouts: rows });
        }
        for (factors, sum, operands) in
            [(Component::Half, Component::Float, 0), (Component::SignedByte, Component::Int, 0xf)]
        {
            for layouts in [
                [Layout::Rows, Layout::Packed, Layout::Rows],
                [Layout::Columns, Layout::Columns, Layout::Columns],
                [Layout::PackedRows, Layout::Rows, Layout::Columns],
            ] {
                let factors = [factors; 2];
                all.push(Self { shape: [8, 16, 32], width: 16, factors, sum, operands, layouts });
            }
        }
        all
    }

    fn matrices(&self) -> [Matrix; 3] {
        let [rows, columns, inner] = self.shape;
        let [of_a, of_b, of_c] = self.layouts;
        [
            Matrix::mixed(rows, inner, self.factors[0], of_a, 1),
            Matrix::mixed(inner, columns, self.factors[1], of_b, 777),
            Matrix::mixed(rows, columns, self.sum, of_c, 31),
        ]
    }

    /// Assembles a module whose kernel `k` takes pointers to the third matrix, the first and the second, and adds
    /// the product of the others to the third.
    ///
    /// # Errors
    ///
    /// Those of [`kernel`].
    pub fn module(&self) -> Result<Vec<u8>> {
        let [a, b, c] = self.matrices();
        let pointer = |matrix: &Matrix| matrix.component.name().replacen('%', "%p_", 1);
        let declarations = format!(
            "OpExecutionMode %k SubgroupSizeMode {}\n{}{}{}{}",
            self.width,
            sizes(&[&self.shape[..], &[self.width]].concat()),
            a.declaration("A", 0),
            b.declaration("B", 1),
            c.declaration("C", 2)
        );
        // Only the second of three sub-groups multiplies, while the others of its warp are elsewhere.
        let code = format!(
            "%own.lane = OpISub %uint %x %n_{}
             %is.second = OpULessThan %bool %own.lane %n_{0}
             OpSelectionMerge %end None
             OpBranchConditional %is.second %second %end
             %second = OpLabel
             %a = OpCooperativeMatrixLoadKHR %A %in.a %layout_A %stride_A 0
             %b = OpCooperativeMatrixLoadKHR %B %in.b %layout_B %stride_B 0
             %c = OpCooperativeMatrixLoadKHR %C %out %layout_C %stride_C 0
             %d = OpCooperativeMatrixMulAddKHR %C %a %b %c {}
             OpCooperativeMatrixStoreKHR %out %d %layout_C %stride_C 0
             OpBranch %end
             %end = OpLabel",
            self.width, self.operands
        );
        kernel(
            &declarations,
            &format!("{} %out, {} %in.a, {} %in.b", pointer(&c), pointer(&a), pointer(&b)),
            &code,
        )
    }

    /// Returns the work-items of the only work-group, which has several sub-groups, of which one multiplies.
    pub fn work_items(&self) -> usize {
        3 * self.width
    }

    /// Returns the memory of the kernel's arguments before it runs.
    pub fn memories(&self) -> [Vec<u8>; 3] {
        let [a, b, c] = self.matrices();
        [c, a, b].map(|matrix| matrix.memory())
    }

    /// Returns the memory of the first argument afterwards.
    pub fn expected(&self) -> Vec<u8> {
        let [a, b, mut c] = self.matrices();
        let [rows, columns, inner] = self.shape;
        let sum = |at: usize| {
            let (row, column) = (at / columns, at % columns);
            c.at(row, column) + (0..inner).map(|at| a.at(row, at) * b.at(at, column)).sum::<i32>()
        };
        c.numbers = (0..rows * columns).map(sum).collect();
        c.memory()
    }
}
