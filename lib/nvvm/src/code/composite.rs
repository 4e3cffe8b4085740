//! Vectors, arrays and structures as values.

use crate::code::body::Body;
use crate::error::Result;
use crate::types::TypeKind;

impl Body<'_, '_> {
    /// Extracts the scalar of a vector at a dynamic index.
    pub(crate) fn vector_extract(&mut self) -> Result<()> {
        let (vector, at) = (self.vector(self.operand(2))?, self.typed(self.operand(3))?);
        self.set_result(format_args!("extractelement {vector}, {at}"));
        Ok(())
    }

    /// Inserts a scalar into a vector at a dynamic index.
    pub(crate) fn vector_insert(&mut self) -> Result<()> {
        let (vector, part) = (self.vector(self.operand(2))?, self.typed(self.operand(3))?);
        let at = self.typed(self.operand(4))?;
        self.set_result(format_args!("insertelement {vector}, {part}, {at}"));
        Ok(())
    }

    pub(crate) fn copy_object(&mut self) -> Result<()> {
        let value = self.value(self.operand(2))?;
        self.copy(self.result_type(), &value)
    }

    pub(crate) fn undefined(&mut self) -> Result<()> {
        self.copy(self.result_type(), "undef")
    }

    fn vector(&self, id: u32) -> Result<String> {
        match self.program.types.scalar(self.type_of(id)?)?.1 {
            Some(_) => self.typed(id),
            None => Err("a vector is expected".into()),
        }
    }

    pub(crate) fn vector_shuffle(&mut self) -> Result<()> {
        let (a, b) = (self.operand(2), self.operand(3));
        let picks = self.inst.operands.get(4..).unwrap_or_default();
        let counts = (self.count(a)?, self.count(b)?);
        let element = self.program.types.scalar(self.result_type())?.0;
        let (whole, element) =
            (self.type_text(self.result_type())?.to_owned(), self.type_text(element)?.to_owned());
        if counts.0 == counts.1 {
            let mask: Vec<String> = picks
                .iter()
                .map(|&from| if from == u32::MAX { "i32 undef".into() } else { format!("i32 {from}") })
                .collect();
            let (a, b, count) = (self.vector(a)?, self.vector(b)?, mask.len());
            self.set_result(format_args!("shufflevector {a}, {b}, <{count} x i32> <{}>", mask.join(", ")));
            return Ok(());
        }
        let mut all = String::from("undef");
        for (lane, &from) in picks.iter().enumerate() {
            if from == u32::MAX {
                continue;
            }
            let value =
                if from < counts.0 { self.lane_of(a, from)? } else { self.lane_of(b, from - counts.0)? };
            all = self.new_value(format_args!("insertelement {whole} {all}, {element} {value}, i32 {lane}"));
        }
        self.copy(self.result_type(), &all)
    }

    fn count(&self, id: u32) -> Result<u32> {
        self.program.types.scalar(self.type_of(id)?)?.1.ok_or_else(|| "a vector is expected".into())
    }

    pub(crate) fn construct(&mut self) -> Result<()> {
        let ty = self.result_type();
        let parts = self.inst.operands.get(2..).unwrap_or_default();
        let whole = self.type_text(ty)?.to_owned();
        let mut all = String::from("undef");
        if let (TypeKind::Matrix { element, .. }, &[component]) = (self.kind(ty)?, parts) {
            if self.type_text(self.type_of(component)?)? != self.type_text(*element)? {
                return Err("the components of a matrix have another type than their value".into());
            }
            // All components of a cooperative matrix are this value.
            return self.lanes(&[component], |_, values| {
                values.first().cloned().ok_or_else(|| "an operand is missing".into())
            });
        }
        if let TypeKind::Vector { count, .. } = *self.kind(ty)? {
            let element = self.type_text(self.program.types.scalar(ty)?.0)?.to_owned();
            let mut at = 0;
            for &part in parts {
                for lane in 0..self.program.types.scalar(self.type_of(part)?)?.1.unwrap_or(1) {
                    let value = self.lane_of(part, lane)?;
                    all = self
                        .new_value(format_args!("insertelement {whole} {all}, {element} {value}, i32 {at}"));
                    at += 1;
                }
            }
            if at != count {
                return Err(format!("{at} scalars are given for {count}").into());
            }
        } else {
            for (at, &part) in parts.iter().enumerate() {
                let part = self.typed(part)?;
                all = self.new_value(format_args!("insertvalue {whole} {all}, {part}, {at}"));
            }
        }
        self.copy(ty, &all)
    }

    /// Returns the type of a part of a composite.
    pub(crate) fn part(&self, ty: u32, at: u64) -> Result<u32> {
        let missing = || format!("there is no part {at} in type %{ty}");
        match self.kind(ty)? {
            TypeKind::Vector { element, count } | TypeKind::Matrix { element, count, .. }
                if at < u64::from(*count) =>
            {
                Ok(*element)
            }
            TypeKind::Array { element, count } if at < *count => Ok(*element),
            TypeKind::Struct { members, .. } => usize::try_from(at)
                .ok()
                .and_then(|at| members.get(at))
                .copied()
                .ok_or_else(|| missing().into()),
            _ => Err(missing().into()),
        }
    }

    pub(crate) fn extract(&mut self) -> Result<()> {
        let from = self.operand(2);
        let (mut ty, mut value) = (self.type_of(from)?, self.value(from)?);
        for &at in self.inst.operands.get(3..).unwrap_or_default() {
            let part = self.part(ty, at.into())?;
            let text = self.type_text(ty)?.to_owned();
            value = match self.kind(ty)? {
                TypeKind::Vector { .. } | TypeKind::Matrix { .. } => {
                    self.new_value(format_args!("extractelement {text} {value}, i32 {at}"))
                }
                _ => self.new_value(format_args!("extractvalue {text} {value}, {at}")),
            };
            ty = part;
        }
        if self.type_text(ty)? != self.type_text(self.result_type())? {
            return Err("the part has another type than the result".into());
        }
        self.copy(ty, &value)
    }

    pub(crate) fn insert(&mut self) -> Result<()> {
        let (part, whole) = (self.operand(2), self.operand(3));
        let path = self.inst.operands.get(4..).unwrap_or_default();
        let mut ty = self.type_of(whole)?;
        let mut steps: Vec<(u32, String, u32)> = Vec::new();
        let mut value = self.value(whole)?;
        for (place, &at) in path.iter().enumerate() {
            let next = self.part(ty, at.into())?;
            steps.push((ty, value.clone(), at));
            if place + 1 < path.len() {
                let text = self.type_text(ty)?.to_owned();
                value = self.new_value(format_args!("extractvalue {text} {value}, {at}"));
            }
            ty = next;
        }
        if self.type_text(ty)? != self.type_text(self.type_of(part)?)? {
            return Err("the part has another type than its place".into());
        }
        let (mut new, mut new_type) = (self.value(part)?, ty);
        while let Some((ty, old, at)) = steps.pop() {
            let (text, part) = (self.type_text(ty)?.to_owned(), self.type_text(new_type)?.to_owned());
            new = match self.kind(ty)? {
                TypeKind::Vector { .. } | TypeKind::Matrix { .. } => {
                    self.new_value(format_args!("insertelement {text} {old}, {part} {new}, i32 {at}"))
                }
                _ => self.new_value(format_args!("insertvalue {text} {old}, {part} {new}, {at}")),
            };
            new_type = ty;
        }
        self.copy(new_type, &new)
    }
}
