//! Cooperative matrices, which the work-items of a sub-group hold and multiply.
//!
//! A product needs no exchange of its second operand, because a work-item holds whole columns of it and computes the
//! same columns of the result. The components of the first operand are distributed by shuffles. NVIDIA's matrix
//! instructions cannot be used, because they require a whole warp, while these sub-groups may be parts of one that are
//! in different branches.

use std::fmt::{Arguments, Write};

use super::lanes::{ExchangedType, Shuffle, type_word};
use super::{Helpers, INLINE};
use crate::error::Result;
use crate::matrix_shape::MatrixShape;
use crate::subgroup_size::SubgroupSize;
use crate::types::AddressSpace;

/// The layout of a matrix in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatrixLayout {
    RowMajor,
    ColumnMajor,
    /// Row-major, with as many rows interleaved as components fit into 32 bits: Intel's second operands.
    Packed,
}

/// A cooperative matrix in LLVM's text.
#[derive(Clone, Debug)]
pub(crate) struct MatrixType {
    /// The spelling of the vector.
    pub(crate) text: String,
    /// The spelling of a component.
    pub(crate) component: String,
    pub(crate) bits: u32,
    pub(crate) shape: MatrixShape,
}

/// The interpretation of a matrix's components in a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComponentKind {
    Float(u32),
    Bfloat16,
    Signed(u32),
    Unsigned(u32),
}

/// An operand of a product.
#[derive(Clone, Debug)]
pub(crate) struct Factor {
    pub(crate) ty: MatrixType,
    pub(crate) kind: ComponentKind,
}

/// Lines of a helper with numbered values.
#[derive(Default)]
struct Lines {
    text: String,
    count: u32,
}

impl Lines {
    /// Writes an instruction with a new value, and returns the value's name.
    fn value(&mut self, text: Arguments<'_>) -> String {
        self.count += 1;
        let _ = writeln!(self.text, "  %t{} = {text}", self.count);
        format!("%t{}", self.count)
    }

    fn line(&mut self, text: Arguments<'_>) {
        let _ = writeln!(self.text, "  {text}");
    }
}

impl MatrixType {
    /// Returns a part of a helper's name.
    fn word(&self) -> String {
        format!("{}_{}x{}", type_word(&self.component), self.shape.rows, self.shape.columns)
    }
}

impl MatrixLayout {
    fn word(self) -> &'static str {
        match self {
            Self::RowMajor => "rows",
            Self::ColumnMajor => "columns",
            Self::Packed => "packed",
        }
    }

    /// Returns the offset of a component in memory, in components.
    fn place(self, lines: &mut Lines, bits: u32, row: u32, column: &str) -> String {
        match self {
            Self::RowMajor => {
                let start = lines.value(format_args!("mul i64 %stride, {row}"));
                lines.value(format_args!("add i64 {start}, {column}"))
            }
            Self::ColumnMajor => {
                let start = lines.value(format_args!("mul i64 %stride, {column}"));
                lines.value(format_args!("add i64 {start}, {row}"))
            }
            Self::Packed => {
                let together = (32 / bits).max(1);
                let start = lines.value(format_args!("mul i64 %stride, {}", row / together));
                let before = lines.value(format_args!("mul i64 {column}, {together}"));
                let word = lines.value(format_args!("add i64 {start}, {before}"));
                lines.value(format_args!("add i64 {word}, {}", row % together))
            }
        }
    }
}

impl ComponentKind {
    fn word(self) -> String {
        match self {
            Self::Float(bits) => format!("f{bits}"),
            Self::Bfloat16 => "bf16".to_owned(),
            Self::Signed(bits) => format!("s{bits}"),
            Self::Unsigned(bits) => format!("u{bits}"),
        }
    }

    fn is_float(self) -> bool {
        matches!(self, Self::Float(_) | Self::Bfloat16)
    }

    /// Returns the type in which sums of such numbers are computed.
    fn sum_type(self) -> String {
        match self {
            Self::Float(64) => "double".to_owned(),
            Self::Float(_) | Self::Bfloat16 => "float".to_owned(),
            Self::Signed(bits) | Self::Unsigned(bits) => format!("i{}", bits.max(32)),
        }
    }
}

impl Helpers {
    /// Defines the helper that loads a matrix: `V (T*, i64 stride)`. The stride counts components.
    pub(crate) fn matrix_load(
        &mut self,
        size: SubgroupSize,
        matrix: &MatrixType,
        layout: MatrixLayout,
        space: AddressSpace,
    ) -> String {
        let name =
            format!("__spirv_matrix{size}_load_{}_{}_{}", matrix.word(), layout.word(), space.number());
        self.define(&name, |all| {
            let MatrixType { text: ty, component, shape, .. } = matrix;
            let pointer = space.pointer_to(component);
            let mut lines = Lines::default();
            let lane = all.matrix_lane(&mut lines, size);
            // If there are fewer columns than work-items, those without a column load the last one.
            let column = match shape.columns < size.items() {
                true => {
                    let last = shape.columns - 1;
                    let inside = lines.value(format_args!("icmp ule i64 {lane}, {last}"));
                    lines.value(format_args!("select i1 {inside}, i64 {lane}, i64 {last}"))
                }
                false => lane,
            };
            let mut whole = "undef".to_owned();
            for at in 0..shape.own_components(size) {
                let address = own_address(&mut lines, size, matrix, layout, &pointer, &column, at);
                let value = lines.value(format_args!("load {component}, {pointer} {address}"));
                whole = lines.value(format_args!("insertelement {ty} {whole}, {component} {value}, i32 {at}"));
            }
            format!(
                "define internal {ty} @{name}({pointer} %p, i64 %stride) {INLINE} {{\n{}  ret {ty} {whole}\n}}\n",
                lines.text
            )
        });
        name
    }

    /// Defines the helper that stores a matrix: `void (T*, i64 stride, V)`. The stride counts components.
    pub(crate) fn matrix_store(
        &mut self,
        size: SubgroupSize,
        matrix: &MatrixType,
        layout: MatrixLayout,
        space: AddressSpace,
    ) -> String {
        let name =
            format!("__spirv_matrix{size}_store_{}_{}_{}", matrix.word(), layout.word(), space.number());
        self.define(&name, |all| {
            let MatrixType { text: ty, component, shape, .. } = matrix;
            let pointer = space.pointer_to(component);
            let mut lines = Lines::default();
            let lane = all.matrix_lane(&mut lines, size);
            let inside = lines.value(format_args!("icmp ult i64 {lane}, {}", shape.columns));
            lines.line(format_args!("br i1 {inside}, label %store, label %done\nstore:"));
            for at in 0..shape.own_components(size) {
                let address = own_address(&mut lines, size, matrix, layout, &pointer, &lane, at);
                let value = lines.value(format_args!("extractelement {ty} %x, i32 {at}"));
                lines.line(format_args!("store {component} {value}, {pointer} {address}"));
            }
            format!(
                "define internal void @{name}({pointer} %p, i64 %stride, {ty} %x) {INLINE} {{\n{}  br label %done\ndone:\n  \
                 ret void\n}}\n",
                lines.text
            )
        });
        name
    }

    /// Returns the work-item's lane as an `i64`.
    fn matrix_lane(&mut self, lines: &mut Lines, size: SubgroupSize) -> String {
        let lane = self.lane(size);
        let lane = lines.value(format_args!("call i32 @{lane}()"));
        lines.value(format_args!("zext i32 {lane} to i64"))
    }

    /// Defines the helper that multiplies two matrices and adds a third: `C (A, B, C)`.
    pub(crate) fn matrix_multiply_add(
        &mut self,
        size: SubgroupSize,
        a: &Factor,
        b: &Factor,
        c: &Factor,
    ) -> Result<String> {
        if [a, b].iter().any(|factor| factor.kind.is_float() != c.kind.is_float()) {
            return Err("a product of integers and floating-point numbers is not supported".into());
        }
        if [a, b].iter().any(|factor| factor.ty.bits > c.ty.bits.max(32)) {
            return Err("sums of cooperative matrices are no smaller than their factors on CUDA".into());
        }
        let words = [a, b, c].map(|factor| format!("{}_{}", factor.kind.word(), factor.ty.word()));
        let name = format!("__spirv_matrix{size}_multiply_add_{}", words.join("_"));
        self.define(&name, |all| all.product(&name, size, a, b, c));
        Ok(name)
    }

    /// Returns the text of a product. A loop runs over the inner dimension, for which the second operand is kept in
    /// memory.
    fn product(&mut self, name: &str, size: SubgroupSize, a: &Factor, b: &Factor, c: &Factor) -> String {
        let columns = c.ty.shape.own_columns(size);
        let sum_type = c.kind.sum_type();
        let mut lines = Lines::default();
        let mask = self.subgroup_mask(size);
        let mask = lines.value(format_args!("call i32 @{mask}()"));
        let MatrixType { text: of_b, component: b_component, .. } = &b.ty;
        lines.line(format_args!(
            "%room = alloca {of_b}, align 16\n  store {of_b} %b, {of_b}* %room, align 16"
        ));
        let room = lines.value(format_args!("bitcast {of_b}* %room to {b_component}*"));
        let mut sums = Vec::new();
        for at in 0..a.ty.shape.rows * columns {
            let own = lines.value(format_args!("extractelement {} %c, i32 {at}", c.ty.text));
            sums.push(self.widen(&mut lines, c, &own, &sum_type));
        }
        let words = Words::of(&a.ty);
        let shuffle = self.shuffle(size, Shuffle::Index, &words.exchanged());
        let groups = a.ty.shape.own_columns(size);
        for group in 0..groups {
            let packed: Vec<String> = words
                .chunks(&a.ty)
                .map(|chunk| words.pack(&mut lines, &a.ty, chunk, group, groups))
                .collect();
            let start = format!("start{group}");
            lines.line(format_args!("br label %{start}\n{start}:\n  br label %loop{group}\nloop{group}:"));
            // The sums of an iteration come from the start or from the previous iteration, whose names are known only
            // after it.
            let mut round = Lines { text: String::new(), ..lines };
            let first = group * size.items();
            let at = round.value(format_args!("add i32 %lane{group}, {first}"));
            let at = round.value(format_args!("mul i32 {at}, {columns}"));
            let mut row_of_b = Vec::new();
            for column in 0..columns {
                let place = round.value(format_args!("add i32 {at}, {column}"));
                let place = round
                    .value(format_args!("getelementptr {b_component}, {b_component}* {room}, i32 {place}"));
                let value = round.value(format_args!("load {b_component}, {b_component}* {place}"));
                row_of_b.push(self.widen(&mut round, b, &value, &sum_type));
            }
            let mut after = Vec::new();
            for word in &packed {
                let ty = &words.ty;
                let word = round
                    .value(format_args!("call {ty} @{shuffle}(i32 {mask}, {ty} {word}, i32 %lane{group})"));
                for component in words.unpack(&mut round, &a.ty, &word) {
                    let of_a = self.widen(&mut round, a, &component, &sum_type);
                    for of_b in &row_of_b {
                        let sum = format!("%sum{group}_{}", after.len());
                        after.push(self.multiplied(&mut round, c.kind, &sum_type, &of_a, of_b, &sum));
                    }
                }
            }
            lines.count = round.count;
            lines
                .line(format_args!("%lane{group} = phi i32 [ 0, %{start} ], [ %next{group}, %loop{group} ]"));
            for (at, (before, after)) in sums.iter().zip(&after).enumerate() {
                lines.line(format_args!(
                    "%sum{group}_{at} = phi {sum_type} [ {before}, %{start} ], [ {after}, %loop{group} ]"
                ));
            }
            lines.text += &round.text;
            let rounds = (a.ty.shape.columns - first).min(size.items());
            lines.line(format_args!(
                "%next{group} = add i32 %lane{group}, 1\n  %more{group} = icmp ult i32 %next{group}, {rounds}\n  \
                 br i1 %more{group}, label %loop{group}, label %end{group}\nend{group}:"
            ));
            sums = after;
        }
        let MatrixType { text: ty, component, .. } = &c.ty;
        let mut whole = "undef".to_owned();
        for (at, sum) in sums.iter().enumerate() {
            let value = self.narrow(&mut lines, c, sum, &sum_type);
            whole = lines.value(format_args!("insertelement {ty} {whole}, {component} {value}, i32 {at}"));
        }
        format!(
            "define internal {ty} @{name}({} %a, {of_b} %b, {ty} %c) convergent nounwind {{\n{}  ret {ty} {whole}\n}}\n",
            a.ty.text, lines.text
        )
    }

    /// Narrows a sum to a component of the result.
    fn narrow(&mut self, lines: &mut Lines, result: &Factor, sum: &str, sum_type: &str) -> String {
        match result.kind {
            ComponentKind::Float(16) => lines.value(format_args!("fptrunc float {sum} to half")),
            ComponentKind::Bfloat16 => {
                let helper = self.rounded_bfloat16();
                lines.value(format_args!("call i16 @{helper}(float {sum})"))
            }
            ComponentKind::Signed(bits) | ComponentKind::Unsigned(bits) if bits < 32 => {
                lines.value(format_args!("trunc {sum_type} {sum} to i{bits}"))
            }
            _ => sum.to_owned(),
        }
    }

    /// Widens a component to the type of sums.
    fn widen(&mut self, lines: &mut Lines, factor: &Factor, value: &str, sum_type: &str) -> String {
        let component = &factor.ty.component;
        match factor.kind {
            _ if component == sum_type => value.to_owned(),
            ComponentKind::Bfloat16 => {
                let helper = self.widened_bfloat16();
                let single = lines.value(format_args!("call float @{helper}(i16 {value})"));
                if sum_type == "float" {
                    single
                } else {
                    lines.value(format_args!("fpext float {single} to {sum_type}"))
                }
            }
            ComponentKind::Float(64) => lines.value(format_args!("fptrunc double {value} to {sum_type}")),
            ComponentKind::Float(_) => lines.value(format_args!("fpext {component} {value} to {sum_type}")),
            ComponentKind::Signed(_) => lines.value(format_args!("sext {component} {value} to {sum_type}")),
            ComponentKind::Unsigned(_) => lines.value(format_args!("zext {component} {value} to {sum_type}")),
        }
    }

    fn multiplied(
        &mut self,
        lines: &mut Lines,
        kind: ComponentKind,
        ty: &str,
        a: &str,
        b: &str,
        sum: &str,
    ) -> String {
        if kind.is_float() {
            let function = if ty == "double" { "llvm.fma.f64" } else { "llvm.fma.f32" };
            self.declare(ty, function, &[ty; 3].join(", "), "nounwind readnone");
            return lines.value(format_args!("call {ty} @{function}({ty} {a}, {ty} {b}, {ty} {sum})"));
        }
        let product = lines.value(format_args!("mul {ty} {a}, {b}"));
        lines.value(format_args!("add {ty} {sum}, {product}"))
    }
}

/// Returns the address of a work-item's own component in memory.
fn own_address(
    lines: &mut Lines,
    size: SubgroupSize,
    matrix: &MatrixType,
    layout: MatrixLayout,
    pointer: &str,
    lane: &str,
    at: u32,
) -> String {
    let own = matrix.shape.own_columns(size);
    let column = lines.value(format_args!("add i64 {lane}, {}", at % own * size.items()));
    let place = layout.place(lines, matrix.bits, at / own, &column);
    lines.value(format_args!("getelementptr {}, {pointer} %p, i64 {place}", matrix.component))
}

/// The words in which the components of a column are exchanged, several at a time.
struct Words {
    ty: String,
    bits: u32,
    /// The number of components per word.
    together: u32,
}

impl Words {
    fn of(matrix: &MatrixType) -> Self {
        let bits = matrix.bits.max(32);
        let together = bits / matrix.bits;
        let together = if matrix.shape.rows.is_multiple_of(together) { together } else { 1 };
        Self { ty: format!("i{bits}"), bits, together }
    }

    fn exchanged(&self) -> ExchangedType {
        ExchangedType { text: self.ty.clone(), bits: self.bits, is_pointer: false }
    }

    /// Returns the indices of the words of a column.
    fn chunks(&self, matrix: &MatrixType) -> std::ops::Range<u32> {
        0..matrix.shape.rows / self.together
    }

    /// Packs vertically adjacent components of one of the work-item's columns into a word; `column` is its index among
    /// these.
    fn pack(&self, lines: &mut Lines, matrix: &MatrixType, chunk: u32, column: u32, own: u32) -> String {
        let MatrixType { text, component, bits, .. } = matrix;
        let mut word = "0".to_owned();
        for part in 0..self.together {
            let at = (chunk * self.together + part) * own + column;
            let value = lines.value(format_args!("extractelement {text} %a, i32 {at}"));
            let raw = lines.value(format_args!("bitcast {component} {value} to i{bits}"));
            let raw = if *bits < 32 { lines.value(format_args!("zext i{bits} {raw} to i32")) } else { raw };
            let raw = lines.value(format_args!("shl {} {raw}, {}", self.ty, part * bits));
            word = lines.value(format_args!("or {} {word}, {raw}", self.ty));
        }
        word
    }

    /// Returns the components of a word.
    fn unpack(&self, lines: &mut Lines, matrix: &MatrixType, word: &str) -> Vec<String> {
        let MatrixType { component, bits, .. } = matrix;
        let mut part_of = |part: u32| {
            let raw = lines.value(format_args!("lshr {} {word}, {}", self.ty, part * bits));
            let raw = if *bits < 32 { lines.value(format_args!("trunc i32 {raw} to i{bits}")) } else { raw };
            lines.value(format_args!("bitcast i{bits} {raw} to {component}"))
        };
        (0..self.together).map(&mut part_of).collect()
    }
}
