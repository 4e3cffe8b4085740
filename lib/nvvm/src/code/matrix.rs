//! Cooperative matrices, SYCL's `joint_matrix`. `helpers/matrix.rs` describes which work-item holds which components.

use sycl_pi_image::spirv::{CooperativeMatrixLayout, CooperativeMatrixOperands, CooperativeMatrixUse};

use crate::code::body::{Body, emit};
use crate::error::Result;
use crate::helpers::matrix::{ComponentKind, Factor, MatrixLayout, MatrixType};
use crate::types::{AddressSpace, TypeKind};

/// `PackedINTEL`, a layout of `SPV_INTEL_joint_matrix` that the grammar lacks.
const PACKED: u64 = 2;

// Additional operands that `SPV_INTEL_joint_matrix` defines for a product.
const BOTH_TF32: CooperativeMatrixOperands = CooperativeMatrixOperands::from_bits_retain(0x20);
const BOTH_BFLOAT16: CooperativeMatrixOperands = CooperativeMatrixOperands::from_bits_retain(0x40);
const SUMMAND_BFLOAT16: CooperativeMatrixOperands = CooperativeMatrixOperands::from_bits_retain(0x80);
const RESULT_BFLOAT16: CooperativeMatrixOperands = CooperativeMatrixOperands::from_bits_retain(0x100);

/// A matrix in memory.
struct MatrixPlace {
    ty: MatrixType,
    layout: MatrixLayout,
    space: AddressSpace,
    /// The address of a component.
    address: String,
    /// The stride in components.
    stride: String,
}

impl MatrixPlace {
    /// Returns the spelling of the address's type.
    fn pointer(&self) -> String {
        self.space.pointer_to(&self.ty.component)
    }
}

impl Body<'_, '_> {
    /// SPIR-V specification, OpCooperativeMatrixLoadKHR.
    pub(crate) fn matrix_load(&mut self) -> Result<()> {
        let (pointer, stride) = (self.operand(2), self.inst.operands.get(4).copied());
        let place = self.matrix_place(self.result_type(), pointer, self.operand(3), stride)?;
        let helper = self.helpers.matrix_load(self.size, &place.ty, place.layout, place.space);
        let operands = [(&*place.pointer(), &*place.address), ("i64", &*place.stride)];
        let call = self.call_on_memory(pointer, &place.ty.text, &helper, operands)?;
        self.set_result(format_args!("{call}"));
        Ok(())
    }

    /// SPIR-V specification, OpCooperativeMatrixStoreKHR.
    pub(crate) fn matrix_store(&mut self) -> Result<()> {
        let (pointer, matrix, stride) =
            (self.operand(0), self.operand(1), self.inst.operands.get(3).copied());
        let place = self.matrix_place(self.type_of(matrix)?, pointer, self.operand(2), stride)?;
        let helper = self.helpers.matrix_store(self.size, &place.ty, place.layout, place.space);
        let matrix = (&*place.ty.text, &*self.value(matrix)?);
        let operands = [(&*place.pointer(), &*place.address), ("i64", &*place.stride), matrix];
        let call = self.call_on_memory(pointer, "void", &helper, operands)?;
        emit!(self, "{call}");
        Ok(())
    }

    /// SPIR-V specification, OpCooperativeMatrixMulAddKHR: the product of the first two, plus the third.
    pub(crate) fn matrix_multiply_add(&mut self) -> Result<()> {
        let [a, b, c] = [2, 3, 4].map(|at| self.operand(at));
        let operands = CooperativeMatrixOperands::from_bits_retain(self.operand(5));
        let known = CooperativeMatrixOperands::MATRIX_A_SIGNED_COMPONENTS_KHR
            | CooperativeMatrixOperands::MATRIX_B_SIGNED_COMPONENTS_KHR
            | CooperativeMatrixOperands::MATRIX_C_SIGNED_COMPONENTS_KHR
            | CooperativeMatrixOperands::MATRIX_RESULT_SIGNED_COMPONENTS_KHR
            | BOTH_TF32
            | BOTH_BFLOAT16
            | SUMMAND_BFLOAT16
            | RESULT_BFLOAT16;
        if operands.contains(CooperativeMatrixOperands::SATURATING_ACCUMULATION_KHR) {
            return Err("products of cooperative matrices that saturate are not supported on CUDA".into());
        }
        if !known.contains(operands) {
            return Err(format!(
                "operands {:#x} of a product of cooperative matrices are not known",
                operands.bits()
            )
            .into());
        }
        if operands.contains(SUMMAND_BFLOAT16) != operands.contains(RESULT_BFLOAT16) {
            return Err("the summand and the result have different types".into());
        }
        let signed_a = operands.contains(CooperativeMatrixOperands::MATRIX_A_SIGNED_COMPONENTS_KHR);
        let signed_b = operands.contains(CooperativeMatrixOperands::MATRIX_B_SIGNED_COMPONENTS_KHR);
        let signed_c = operands.contains(CooperativeMatrixOperands::MATRIX_C_SIGNED_COMPONENTS_KHR);
        let first =
            self.factor(a, CooperativeMatrixUse::MatrixAKHR, signed_a, operands.contains(BOTH_BFLOAT16))?;
        let second =
            self.factor(b, CooperativeMatrixUse::MatrixBKHR, signed_b, operands.contains(BOTH_BFLOAT16))?;
        let sum = self.factor(
            c,
            CooperativeMatrixUse::MatrixAccumulatorKHR,
            signed_c,
            operands.contains(SUMMAND_BFLOAT16),
        )?;
        let [shape_a, shape_b, shape_c] = [&first, &second, &sum].map(|factor| factor.ty.shape);
        if shape_a.columns != shape_b.rows
            || shape_a.rows != shape_c.rows
            || shape_b.columns != shape_c.columns
        {
            return Err("the shapes of the cooperative matrices do not fit together".into());
        }
        if self.matrix_type(self.result_type())?.shape != shape_c
            || self.type_text(self.result_type())? != sum.ty.text
        {
            return Err("the summand and the result have different types".into());
        }
        let helper = self.helpers.matrix_multiply_add(self.size, &first, &second, &sum)?;
        let (text, a, b, c) = (sum.ty.text, self.typed(a)?, self.typed(b)?, self.typed(c)?);
        self.set_result(format_args!("call {text} @{helper}({a}, {b}, {c})"));
        Ok(())
    }

    /// SPIR-V specification, OpCooperativeMatrixLengthKHR: the number of components that the work-item holds.
    pub(crate) fn matrix_length(&mut self) -> Result<()> {
        let shape = self.matrix_type(self.operand(2))?.shape;
        if self.int_bits(self.result_type())? != 32 {
            return Err("a number of components has 32 bits".into());
        }
        let components = shape.own_components(self.size);
        if shape.columns >= self.size.items() {
            return self.copy(self.result_type(), &components.to_string());
        }
        let lane = self.own_lane();
        let has_column = self.new_value(format_args!("icmp ult i32 {lane}, {}", shape.columns));
        self.set_result(format_args!("select i1 {has_column}, i32 {components}, i32 0"));
        Ok(())
    }

    fn matrix_type(&self, ty: u32) -> Result<MatrixType> {
        let (element, shape) = self.program.types.matrix(ty)?;
        if shape.columns > self.size.items() && !shape.columns.is_multiple_of(self.size.items()) {
            return Err(format!(
                "cooperative matrices of {} columns in sub-groups of {} work-items are not supported on CUDA",
                shape.columns,
                self.size.items()
            )
            .into());
        }
        let bits = match *self.kind(element)? {
            TypeKind::Int(bits) | TypeKind::Float(bits) => bits,
            _ => 16,
        };
        Ok(MatrixType {
            text: self.type_text(ty)?.to_owned(),
            component: self.type_text(element)?.to_owned(),
            bits,
            shape,
        })
    }

    /// Returns an operand of a product, which must have this use.
    fn factor(
        &self,
        id: u32,
        usage: CooperativeMatrixUse,
        signed: bool,
        is_bfloat16: bool,
    ) -> Result<Factor> {
        let ty = self.matrix_type(self.type_of(id)?)?;
        if ty.shape.usage != usage {
            return Err("an operand of a product of cooperative matrices has another use".into());
        }
        let (element, _) = self.program.types.matrix(self.type_of(id)?)?;
        let kind = match *self.kind(element)? {
            TypeKind::Int(16) if is_bfloat16 => ComponentKind::Bfloat16,
            TypeKind::Bfloat16 => ComponentKind::Bfloat16,
            TypeKind::Float(bits) => ComponentKind::Float(bits),
            TypeKind::Int(bits) if signed => ComponentKind::Signed(bits),
            TypeKind::Int(bits) => ComponentKind::Unsigned(bits),
            _ => return Err("the components of a cooperative matrix are numbers".into()),
        };
        Ok(Factor { ty, kind })
    }

    /// Describes a matrix of a type in memory, from the ids of pointer, layout and stride.
    fn matrix_place(
        &mut self,
        ty: u32,
        pointer: u32,
        layout: u32,
        stride: Option<u32>,
    ) -> Result<MatrixPlace> {
        let ty = self.matrix_type(ty)?;
        let layout = self.number(layout).ok_or("the layout of a cooperative matrix is not a constant")?;
        let layout = match (u32::try_from(layout).ok().and_then(CooperativeMatrixLayout::from_u32), layout) {
            (Some(CooperativeMatrixLayout::RowMajorKHR), _) => MatrixLayout::RowMajor,
            (Some(CooperativeMatrixLayout::ColumnMajorKHR), _) => MatrixLayout::ColumnMajor,
            // Neighbors in a row of a first operand are adjacent anyway.
            (None, PACKED) if ty.shape.usage == CooperativeMatrixUse::MatrixAKHR => MatrixLayout::RowMajor,
            (None, PACKED) if ty.shape.usage == CooperativeMatrixUse::MatrixBKHR => MatrixLayout::Packed,
            _ => {
                return Err(
                    format!("the layout {layout} of a cooperative matrix is not supported on CUDA").into()
                );
            }
        };
        let (space, pointee) = self.program.types.pointer(self.type_of(pointer)?)?;
        // The stride counts elements of the pointer's type.
        let (size, component) = (self.program.types.layout(pointee)?.size, u64::from(ty.bits / 8));
        if !size.is_multiple_of(component) {
            return Err("a cooperative matrix lies in memory of smaller numbers".into());
        }
        let stride = stride.ok_or("the stride of a cooperative matrix is missing")?;
        let (bits, value) = (self.int_bits(self.type_of(stride)?)?, self.value(stride)?);
        let mut stride = self.resize(&value, bits, 64);
        if size > component {
            stride = self.new_value(format_args!("mul i64 {stride}, {}", size / component));
        }
        let (want, typed) = (space.pointer_to(&ty.component), self.typed(pointer)?);
        let address = self.new_value(format_args!("bitcast {typed} to {want}"));
        Ok(MatrixPlace { ty, layout, space, address, stride })
    }
}
