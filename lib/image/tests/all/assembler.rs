//! Builds SPIR-V modules by hand.

use sycl_pi_image::spirv::{Capability, Decoration, Index, Module, Op, SplitOptions, split};

/// A SPIR-V module that is being written.
pub(crate) struct Assembler {
    words: Vec<u32>,
}

impl Assembler {
    /// Creates a module for OpenCL with 64-bit addresses. Ids go up to 999.
    pub(crate) fn new() -> Self {
        let mut module = Self { words: vec![0x0723_0203, 0x0001_0000, 0, 1000, 0] };
        for capability in [Capability::Kernel, Capability::Linkage, Capability::Addresses] {
            module.push(Op::Capability, &[capability as u32]);
        }
        module.push(Op::MemoryModel, &[2, 2]);
        module
    }

    pub(crate) fn push(&mut self, opcode: Op, operands: &[u32]) {
        self.words.push((operands.len() as u32 + 1) << 16 | opcode as u32);
        self.words.extend(operands);
    }

    /// Adds an instruction with a text between operands.
    pub(crate) fn push_text(&mut self, opcode: Op, before: &[u32], text: &str, after: &[u32]) {
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize(text.len() / 4 * 4 + 4, 0);
        let text = bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
        let operands: Vec<u32> = before.iter().copied().chain(text).chain(after.iter().copied()).collect();
        self.push(opcode, &operands);
    }

    pub(crate) fn entry(&mut self, function: u32, name: &str) {
        self.push_text(Op::EntryPoint, &[6, function], name, &[]);
    }

    /// Decorates an id with linkage: 0 exports, 1 imports.
    pub(crate) fn linkage(&mut self, id: u32, name: &str, kind: u32) {
        self.push_text(Op::Decorate, &[id, Decoration::LinkageAttributes as u32], name, &[kind]);
    }

    /// Adds a function that returns nothing: `parameters` are types and ids, `body` instructions with their operands.
    pub(crate) fn function(
        &mut self,
        [void, kind, id]: [u32; 3],
        parameters: &[[u32; 2]],
        label: u32,
        body: &[(Op, &[u32])],
    ) {
        self.push(Op::Function, &[void, id, 0, kind]);
        for parameter in parameters {
            self.push(Op::FunctionParameter, parameter);
        }
        if label != 0 {
            self.push(Op::Label, &[label]);
            for (opcode, operands) in body {
                self.push(*opcode, operands);
            }
            self.push(Op::Return, &[]);
        }
        self.push(Op::FunctionEnd, &[]);
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    pub(crate) fn module(&self) -> Module {
        Module::from_words(self.words.clone()).unwrap()
    }
}

/// Returns the entries and the code of each image of a split.
pub(crate) fn pieces(module: &Module, options: &SplitOptions) -> Vec<(Vec<String>, Module)> {
    let index = Index::new(module).unwrap();
    let images = split(&index, options).unwrap();
    images.into_iter().map(|image| (image.entries, image.module)).collect()
}
