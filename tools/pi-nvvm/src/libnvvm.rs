//! The part of libnvvm that this program uses.

use std::ffi::CString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sycl_pi_nvvm_compiler::protocol::{NvvmAnswer, NvvmRequest};

use crate::sys::{NvvmCalls, NvvmProgram};

/// libnvvm and the content of libdevice.
pub(crate) struct LibNvvm {
    calls: NvvmCalls,
    libdevice: Vec<u8>,
}

impl LibNvvm {
    /// Opens libnvvm, and reads libdevice. Returns a message on failure.
    pub(crate) fn open(libnvvm: &Path, libdevice: &Path) -> Result<Self, String> {
        let calls = NvvmCalls::open(libnvvm)?;
        let libdevice = read(libdevice).map_err(|error| format!("{}: {error}", libdevice.display()))?;
        Ok(Self { calls, libdevice })
    }

    /// Compiles a request.
    pub(crate) fn answer(&self, request: &NvvmRequest) -> NvvmAnswer {
        match self.compile(request) {
            Ok((ptx, log)) => NvvmAnswer::Ptx { ptx, log },
            Err(log) => NvvmAnswer::Refused { log },
        }
    }

    fn compile(&self, request: &NvvmRequest) -> Result<(Vec<u8>, String), String> {
        let options = request.options.iter().map(|option| CString::new(option.as_str()));
        let options: Vec<_> =
            options.collect::<Result<_, _>>().map_err(|_| "an option with a NUL".to_owned())?;
        let mut program = NvvmProgram::new(&self.calls)?;
        program.add(&request.ir, c"kernels")?;
        // Lazily, so that only the functions that are called are compiled.
        program.add_lazily(&self.libdevice, c"libdevice")?;
        if request.verify {
            program.verify(&options)?;
        }
        program.compile(&options)?;
        Ok((program.ptx()?, program.log()))
    }
}

/// Larger than any libdevice: NVIDIA's has half a megabyte.
const TOO_LARGE: u64 = 64 << 20;

/// Reads libdevice's file.
fn read(libdevice: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(libdevice)?.take(TOO_LARGE).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == TOO_LARGE { Err(io::Error::other("too large for libdevice")) } else { Ok(bytes) }
}
