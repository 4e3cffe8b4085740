//! A GPU on the processor: a kernel's NVVM IR becomes a program, which runs a thread for each work-item.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::{Context, Result, bail, ensure};
use sycl_pi_nvvm::{Options, Translation, translate};
use tempfile::TempDir;

use crate::rewrite::for_host;

/// The compiler. Later ones have no typed pointers, earlier ones lack attributes.
const CLANG: &str = "clang-14";

/// A kernel's argument.
#[derive(Clone, Debug)]
pub enum Arg {
    /// The bytes of a value.
    Value(Vec<u8>),
    /// Global memory with these bytes. What the kernel left in it comes back.
    Buffer(Vec<u8>),
}

/// The size of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Launch {
    /// Work-groups in x, y and z.
    pub groups: [u64; 3],
    /// Work-items of a work-group.
    pub items: [u64; 3],
}

impl Launch {
    /// One work-group of so many work-items.
    pub fn group(items: u64) -> Self {
        Self { groups: [1; 3], items: [items, 1, 1] }
    }
}

/// A compiled kernel.
#[derive(Debug)]
pub struct HostGpu {
    folder: TempDir,
    /// What the translator said of it.
    pub translation: Translation,
}

impl HostGpu {
    /// Translates modules, and compiles the kernel `k` of theirs.
    ///
    /// # Errors
    ///
    /// The translator's or the compiler's.
    pub fn new(modules: &[&[u8]], options: &Options) -> Result<Self> {
        let translation = translate(modules, options)?;
        let kernel =
            translation.kernels.iter().find(|kernel| kernel.name == "k").context("there is no kernel k")?;
        if let Some(reason) = &kernel.refused {
            bail!("{reason}");
        }
        let host = for_host(&translation.ir, &kernel.symbol)?;
        let folder = tempfile::tempdir()?;
        let file = |name: &str| folder.path().join(name);
        fs::write(file("nvvm.ll"), &translation.ir)?;
        fs::write(file("kernel.ll"), &host.ir)?;
        compile(&file("kernel.ll"), &["-O0"]).with_context(|| numbered(&host.ir))?;
        // Most of the time is what clang takes to start, so another program links.
        let (support, mut cc) = (support()?, Command::new("cc"));
        cc.args(["-no-pie", "-o"]).arg(file("program")).arg(file("kernel.o"));
        cc.arg(instructions(host.c)?).args(["gpu.o", "numbers.o"].map(|name| support.join(name)));
        run(cc.args(["-lm", "-lpthread"]))?;
        Ok(Self { folder, translation })
    }

    /// Runs the kernel, and answers its buffers.
    ///
    /// # Errors
    ///
    /// The program crashed, or waited for ever.
    pub fn run(&self, launch: Launch, args: &[Arg]) -> Result<Vec<Vec<u8>>> {
        self.output(launch, args).map(|(buffers, _)| buffers)
    }

    /// The same with what the kernel printed.
    ///
    /// # Errors
    ///
    /// As for [`HostGpu::run`].
    pub fn output(&self, launch: Launch, args: &[Arg]) -> Result<(Vec<Vec<u8>>, String)> {
        let mut input = Vec::new();
        let mut put = |number: u64| input.extend(number.to_le_bytes());
        launch.groups.into_iter().chain(launch.items).for_each(&mut put);
        put(args.len() as u64);
        let mut sizes = Vec::new();
        for arg in args {
            let (is_buffer, bytes) = match arg {
                Arg::Value(bytes) => (0_u64, bytes),
                Arg::Buffer(bytes) => {
                    sizes.push(bytes.len());
                    (1, bytes)
                }
            };
            input.extend([is_buffer, bytes.len() as u64].into_iter().flat_map(u64::to_le_bytes));
            input.extend(bytes);
        }
        let mut command = Command::new(self.folder.path().join("program"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        child.stdin.take().context("standard input")?.write_all(&input)?;
        let output = child.wait_with_output()?;
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(output.status.success(), "the kernel ended with {}: {printed}", output.status);
        let mut rest = output.stdout.as_slice();
        let mut buffers = Vec::new();
        for size in sizes {
            let (buffer, more) = rest.split_at_checked(size).context("a buffer is missing")?;
            buffers.push(buffer.to_vec());
            rest = more;
        }
        Ok((buffers, printed))
    }
}

/// The folder of the object files that every kernel needs, compiled once.
fn support() -> Result<&'static Path> {
    static MADE: OnceLock<std::result::Result<TempDir, String>> = OnceLock::new();
    let made = MADE.get_or_init(|| compile_support().map_err(|error| format!("{error:#}")));
    made.as_ref().map(TempDir::path).map_err(|error| anyhow::anyhow!("{error}"))
}

fn compile_support() -> Result<TempDir> {
    let folder = tempfile::tempdir()?;
    for (name, text) in [("gpu", include_str!("gpu.c")), ("numbers", include_str!("numbers.c"))] {
        let source = folder.path().join(name).with_extension("c");
        fs::write(&source, text)?;
        compile(&source, &["-O1", "-ffp-contract=off"])?;
    }
    Ok(folder)
}

/// The object file of the functions that stand for a kernel's PTX instructions. Many kernels have the same.
fn instructions(c: String) -> Result<PathBuf> {
    static MADE: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(object) = made.get(&c) {
        return Ok(object.clone());
    }
    let source = support()?.join(format!("ptx{}.c", made.len()));
    fs::write(&source, &c)?;
    compile(&source, &["-O0"])?;
    let object = source.with_extension("o");
    made.insert(c, object.clone());
    Ok(object)
}

/// Compiles a file to an object file beside it.
fn compile(source: &Path, options: &[&str]) -> Result<()> {
    let mut clang = Command::new(CLANG);
    clang.args(["-w", "-mfma", "-frounding-math", "-c", "-o"]).arg(source.with_extension("o"));
    run(clang.args(options).arg(source))
}

fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output =
        command.output().with_context(|| format!("{name}: install it (apt-get install {CLANG} gcc)"))?;
    if !output.status.success() {
        bail!("{name} refuses the kernel: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// Text with numbers of lines, for messages.
fn numbered(text: &str) -> String {
    text.lines().enumerate().map(|(at, line)| format!("{:4} {line}\n", at + 1)).collect()
}
