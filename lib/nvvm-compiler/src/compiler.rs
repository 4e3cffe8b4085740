//! Compilation by a worker, which is repeated without optimization if libnvvm crashes or hangs.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use sycl_pi_host_process::PerProcess;

use crate::assembler_faults;
use crate::error::NvvmError;
use crate::library::NvvmLibrary;
use crate::missing::Missing;
use crate::options::NvvmOptions;
use crate::pool::WorkerPool;
use crate::protocol::{MOST_BYTES, NvvmAnswer, NvvmRequest};
use crate::target::{EMPTY_MODULE, NvvmTarget, architectures, release_of};
use crate::worker::{NoAnswer, WorkerSetup};
use crate::worker_program::worker_program;

/// libnvvm, with its workers. They start with the first compilation.
pub struct NvvmCompiler {
    pool: WorkerPool,
    limit: Duration,
    /// Targets by compute capability. The map is locked while a worker is queried, so a forked child has its own.
    targets: PerProcess<Mutex<HashMap<u32, NvvmTarget>>>,
}

impl fmt::Debug for NvvmCompiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NvvmCompiler").field("limit", &self.limit).finish_non_exhaustive()
    }
}

/// The result of a compilation.
#[derive(Clone, Debug)]
pub struct CompiledPtx {
    /// The PTX text. A stand-in for `pi-nvvm` in tests may return a binary.
    pub ptx: Vec<u8>,
    /// libnvvm's warnings, or empty. For unoptimized code, it begins with this fact and the reason.
    pub log: String,
    /// Whether libnvvm crashed or hung on the IR, so that it was compiled without optimization. Caches should not store
    /// such code, because the next compilation may succeed with optimization.
    pub unoptimized: bool,
}

/// The processor time that a try may use. Real kernels take 20 ms, the slowest known one 250 ms.
const LIMIT: Duration = Duration::from_secs(60);

impl NvvmCompiler {
    /// Returns the compiler of this process, with the libnvvm and the `pi-nvvm` that were found first.
    ///
    /// # Errors
    ///
    /// One of the two is missing. The next call searches again.
    pub fn of_process() -> Result<&'static Self, NvvmError> {
        static FOUND: OnceLock<NvvmCompiler> = OnceLock::new();
        if let Some(found) = FOUND.get() {
            return Ok(found);
        }
        let (library, program) = (NvvmLibrary::find()?, worker_program()?);
        log::info!("libnvvm: {}, run by {}", library.libnvvm.display(), program.display());
        Ok(FOUND.get_or_init(|| Self::new(library, program, LIMIT)))
    }

    /// Checks whether [`of_process`](Self::of_process) has a compiler. Otherwise, returns what is missing, as found at
    /// most five seconds ago. This is for queries about devices and images; a build searches again.
    ///
    /// # Errors
    ///
    /// Same as for [`of_process`](Self::of_process).
    pub fn check_process() -> Result<(), NvvmError> {
        static MISSING: LazyLock<PerProcess<Missing<NvvmError>>> = LazyLock::new(PerProcess::default);
        MISSING.get().or_look(Instant::now(), || Self::of_process().map(|_| ()))
    }

    /// Creates a compiler that uses the given library, run by the given `pi-nvvm`. One try of a compilation may use
    /// `limit` of processor time.
    pub fn new(library: NvvmLibrary, program: PathBuf, limit: Duration) -> Self {
        let pool = WorkerPool::new(WorkerSetup { program, library });
        Self { pool, limit, targets: PerProcess::default() }
    }

    /// Returns the libnvvm in use.
    pub fn library(&self) -> &NvvmLibrary {
        &self.pool.setup().library
    }

    /// Returns the `pi-nvvm` in use.
    pub fn program(&self) -> &Path {
        &self.pool.setup().program
    }

    /// Returns the target for a device of the given compute capability (90 for 9.0): its own architecture, or the
    /// newest older one that this libnvvm supports.
    ///
    /// # Errors
    ///
    /// libnvvm supports none, or no worker starts.
    pub fn target(&self, capability: u32) -> Result<NvvmTarget, NvvmError> {
        // The lock is held all the time, because concurrent threads usually query the same device.
        let targets = self.targets.get();
        let mut targets = targets.lock();
        if let Some(known) = targets.get(&capability) {
            return Ok(known.clone());
        }
        let mut refused = String::new();
        for number in architectures(capability) {
            let target = NvvmTarget::new(number, "");
            match self.compile(&target, EMPTY_MODULE, &NvvmOptions::default()) {
                Ok(compiled) => {
                    let target =
                        NvvmTarget::new(number, &release_of(&String::from_utf8_lossy(&compiled.ptx)));
                    log::info!("libnvvm {} compiles for {}", target.release, target.arch);
                    return Ok(targets.entry(capability).or_insert(target).clone());
                }
                Err(NvvmError::Refused { log }) => refused = log,
                Err(error) => return Err(error),
            }
        }
        Err(NvvmError::NoArchitecture {
            library: self.library().libnvvm.display().to_string(),
            log: refused,
            capability,
        })
    }

    /// Compiles NVVM IR to PTX.
    ///
    /// # Errors
    ///
    /// libnvvm refuses the IR, it also crashes or hangs without optimization, or no worker starts.
    pub fn compile(
        &self,
        target: &NvvmTarget,
        ir: &str,
        options: &NvvmOptions,
    ) -> Result<CompiledPtx, NvvmError> {
        if ir.len() > MOST_BYTES / 2 {
            let log = format!("the IR has {} bytes, more than are compiled", ir.len());
            return Err(NvvmError::Refused { log });
        }
        let start = Instant::now();
        let compiled = match self.attempt(target, ir, options)? {
            Ok((ptx, log)) => CompiledPtx { ptx, log, unoptimized: false },
            Err(why) => self.compile_plain(target, ir, options, &self.says(&why))?,
        };
        log::debug!("libnvvm: {} bytes of IR in {:?}", ir.len(), start.elapsed());
        Ok(compiled)
    }

    /// Compiles NVVM IR to PTX without optimization. The log begins with the reason, which is what happens with
    /// optimization.
    ///
    /// # Errors
    ///
    /// Same as for [`compile`](Self::compile).
    pub fn compile_plain(
        &self,
        target: &NvvmTarget,
        ir: &str,
        options: &NvvmOptions,
        why: &str,
    ) -> Result<CompiledPtx, NvvmError> {
        let notice = format!("compiled without optimization, because with it {why}");
        log::warn!("{notice}");
        let plain = NvvmOptions { optimize: false, verify: false, ..*options };
        let (ptx, log) = self.attempt(target, ir, &plain)?.map_err(|why| self.as_error(&why))?;
        Ok(CompiledPtx { ptx, log: format!("{notice}\n{log}"), unoptimized: true })
    }

    /// Makes one try. Returns PTX with the log, or the reason why the worker gave no answer.
    #[allow(
        clippy::type_complexity,
        reason = "errors of two kinds: final ones, and ones after which to try again"
    )]
    fn attempt(
        &self,
        target: &NvvmTarget,
        ir: &str,
        options: &NvvmOptions,
    ) -> Result<Result<(Vec<u8>, String), NoAnswer>, NvvmError> {
        let request = NvvmRequest {
            ir: ir.as_bytes().to_vec(),
            options: options.list(&target.arch),
            verify: options.verify,
            limit: self.limit,
        };
        let answer = self.pool.call(&request).map_err(|error| self.no_worker(error.to_string()))?;
        match answer {
            Ok(NvvmAnswer::Ptx { ptx, log }) => {
                Ok(Ok((assembler_faults::replaced(ptx), log.trim().to_owned())))
            }
            Ok(NvvmAnswer::Refused { log }) => Err(NvvmError::Refused { log: log.trim().to_owned() }),
            Ok(NvvmAnswer::NoLibrary { why }) => Err(NvvmError::NoLibrary { tried: why }),
            Err(NoAnswer::Garbage(why)) => Err(self.no_worker(format!("its answer is {why}"))),
            Err(why) => Ok(Err(why)),
        }
    }

    fn no_worker(&self, why: String) -> NvvmError {
        NvvmError::NoWorker { program: self.program().display().to_string(), why }
    }

    /// Describes the outcome of a try for users.
    fn says(&self, why: &NoAnswer) -> String {
        match why {
            NoAnswer::TimedOut => format!("libnvvm was not ready after {:?} of the processor", self.limit),
            NoAnswer::Ended(said) => format!("libnvvm ended its process twice: {said}"),
            NoAnswer::Garbage(why) => format!("the answer was {why}"),
        }
    }

    fn as_error(&self, why: &NoAnswer) -> NvvmError {
        match why {
            NoAnswer::TimedOut => NvvmError::TimedOut { limit: self.limit },
            NoAnswer::Ended(said) => NvvmError::Crashed { said: said.clone() },
            NoAnswer::Garbage(why) => self.no_worker(why.clone()),
        }
    }
}
