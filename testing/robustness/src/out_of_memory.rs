//! Calls that need more memory than the process gets: `programs/out_of_memory.c`, `programs/runtime_out_of_memory.c`,
//! and `pi image` with `programs/failing_malloc.c`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::code::{Code, compile};
use crate::exit_order::{INCLUDE, PROGRAMS};
use crate::totals::Totals;

/// The time limit for all calls.
const LIMIT: Duration = Duration::from_secs(120);

/// The size of what the commands read: twice that of an allocation that may fail (`programs/failing_malloc.h`).
const SIZE: usize = 1 << 20;

/// More large allocations than any command makes.
const MOST: usize = 100;

/// The commands of `pi image` that read or write whole modules, in the folder of [`write_inputs`].
const COMMANDS: [&[&str]; 5] = [
    &["show", "nops.spv"],
    &["show", "long.prop"],
    &["specialize", "nops.spv", "-o", "plain.spv"],
    &["split", "nops.spv", "-o", "parts.table"],
    &["link", "nops.spv", "nops.spv", "-o", "linked.spv"],
];

/// Builds the programs and runs them. Each must end well, and print nothing to its standard error.
pub(crate) fn run(
    plugin: &Path,
    runtime: Option<&Path>,
    pi: Option<&Path>,
    image: Option<PathBuf>,
) -> Result<Totals> {
    let plugin = plugin.canonicalize().with_context(|| plugin.display().to_string())?;
    let code = Code::of(&plugin, image)?;
    let folder = tempfile::tempdir()?;
    let built = |name: &str| -> Result<Command> {
        let program = folder.path().join(name);
        let mut cc = Command::new("cc");
        cc.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", INCLUDE]);
        cc.arg(Path::new(PROGRAMS).join(name).with_extension("c")).arg("-o").arg(&program).arg("-ldl");
        compile(&mut cc)?;
        let mut command = Command::new(&program);
        command.env("PI_ROBUST_PLUGIN", &plugin);
        Ok(command)
    };
    let mut of_plugin = built("out_of_memory")?;
    of_plugin.env("PI_ROBUST_CODE", &code.file).env("PI_ROBUST_KIND", code.kind.name());
    let mut totals = calls(&mut of_plugin)?;
    if let Some(runtime) = runtime {
        let mut of_runtime = built("runtime_out_of_memory")?;
        of_runtime.env("PI_ROBUST_RUNTIME", runtime.canonicalize()?).env("PI_ROBUST_FOLDER", folder.path());
        totals.add(&calls(&mut of_runtime)?);
    }
    if let Some(pi) = pi {
        totals.add(&commands(&pi.canonicalize()?, folder.path())?);
    }
    Ok(totals)
}

/// Runs a program that has a line for each call that answered as it must.
fn calls(command: &mut Command) -> Result<Totals> {
    let finished = testing_support::process::run(command, LIMIT)?;
    let (calls, errors) = (finished.stdout_text(), finished.stderr_text());
    if finished.end.code() == Some(0) && errors.is_empty() {
        return Ok(Totals { passed: calls.lines().count(), ..Totals::default() });
    }
    println!("{}: {}{}", finished.end, calls, errors.trim());
    Ok(Totals { failed: 1, ..Totals::default() })
}

/// Each large allocation of each command fails once: the command ends with 1 and says that there is no memory.
fn commands(pi: &Path, folder: &Path) -> Result<Totals> {
    let shim = folder.join("failing_malloc.so");
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-shared"]);
    compile(cc.arg(Path::new(PROGRAMS).join("failing_malloc.c")).arg("-o").arg(&shim))?;
    write_inputs(folder)?;
    let counted = folder.join("made");
    let mut totals = Totals::default();
    'commands: for arguments in COMMANDS {
        for failing in 1..MOST {
            let mut command = Command::new(pi);
            command.arg("image").args(arguments).current_dir(folder);
            command.env("LD_PRELOAD", &shim).env("PI_ROBUST_FAILING", failing.to_string());
            command.env("PI_ROBUST_MADE", &counted);
            let finished = testing_support::process::run(&mut command, LIMIT)?;
            let errors = finished.stderr_text();
            // A process that was ended by force has written nothing.
            let made = std::fs::read_to_string(&counted).unwrap_or_else(|_| MOST.to_string());
            let _ = std::fs::remove_file(&counted);
            let is_over = made.trim().parse::<usize>()? < failing;
            let is_right = match is_over {
                true => finished.end.code() == Some(0),
                false => finished.end.code() == Some(1) && errors.contains("memory"),
            };
            if !is_right {
                println!(
                    "pi image {}, allocation {failing}: {}: {}",
                    arguments.join(" "),
                    finished.end,
                    errors.trim()
                );
                totals.failed += 1;
                continue 'commands;
            }
            if is_over {
                ensure!(failing > 1, "pi image {}: no large allocation", arguments.join(" "));
                totals.passed += 1;
                continue 'commands;
            }
        }
        totals.failed += 1;
    }
    Ok(totals)
}

/// A module of OpNop, which says that it has half a million ids, and a property file with one long value.
fn write_inputs(folder: &Path) -> Result<()> {
    const START: [u32; 14] = [
        0x0723_0203,
        0x0001_0200,
        0,
        500_000,
        0,
        0x0002_0011,
        4,
        0x0002_0011,
        6,
        0x0002_0011,
        5,
        0x0003_000e,
        2,
        2,
    ];
    const NOP: u32 = 0x0001_0000;
    let words = START.into_iter().chain(std::iter::repeat_n(NOP, SIZE / 4 - START.len()));
    let module: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    std::fs::write(folder.join("nops.spv"), module)?;
    let value = "A".repeat(SIZE);
    std::fs::write(folder.join("long.prop"), format!("[SYCL/of another compiler]\nlong=2|{value}\n"))?;
    Ok(())
}
