//! SPIR-V modules written by hand.

use sycl_pi_image::spirv::{Index, Module, SplitOptions, op, split};

/// A SPIR-V module being written.
pub(crate) struct Assembler {
    words: Vec<u32>,
}

impl Assembler {
    /// A module for OpenCL with 64-bit addresses; ids go up to 999.
    pub(crate) fn new() -> Self {
        let mut module = Self { words: vec![0x0723_0203, 0x0001_0000, 0, 1000, 0] };
        for capability in [op::capability::Kernel, op::capability::Linkage, 4] {
            module.push(op::OpCapability, &[capability]);
        }
        module.push(op::OpMemoryModel, &[2, 2]);
        module
    }

    pub(crate) fn push(&mut self, opcode: u16, operands: &[u32]) {
        self.words.push((operands.len() as u32 + 1) << 16 | u32::from(opcode));
        self.words.extend(operands);
    }

    /// An instruction with a text between operands.
    pub(crate) fn push_text(&mut self, opcode: u16, before: &[u32], text: &str, after: &[u32]) {
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize(text.len() / 4 * 4 + 4, 0);
        let text = bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
        let operands: Vec<u32> = before.iter().copied().chain(text).chain(after.iter().copied()).collect();
        self.push(opcode, &operands);
    }

    pub(crate) fn entry(&mut self, function: u32, name: &str) {
        self.push_text(op::OpEntryPoint, &[6, function], name, &[]);
    }

    /// Linkage: 0 exports, 1 imports.
    pub(crate) fn linkage(&mut self, id: u32, name: &str, kind: u32) {
        self.push_text(op::OpDecorate, &[id, op::decoration::LinkageAttributes], name, &[kind]);
    }

    /// A function that returns nothing: `parameters` are types and ids, `body` instructions with their operands.
    pub(crate) fn function(
        &mut self,
        [void, kind, id]: [u32; 3],
        parameters: &[[u32; 2]],
        label: u32,
        body: &[(u16, &[u32])],
    ) {
        self.push(op::OpFunction, &[void, id, 0, kind]);
        for parameter in parameters {
            self.push(op::OpFunctionParameter, parameter);
        }
        if label != 0 {
            self.push(op::OpLabel, &[label]);
            for (opcode, operands) in body {
                self.push(*opcode, operands);
            }
            self.push(RETURN, &[]);
        }
        self.push(op::OpFunctionEnd, &[]);
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    pub(crate) fn module(&self) -> Module {
        Module::from_words(self.words.clone()).unwrap()
    }
}

const RETURN: u16 = 253;

/// The entries and the code of each image of a split.
pub(crate) fn pieces(module: &Module, options: &SplitOptions) -> Vec<(Vec<String>, Module)> {
    let index = Index::new(module).unwrap();
    let images = split(&index, options).unwrap();
    images.into_iter().map(|image| (image.entries, image.module)).collect()
}
