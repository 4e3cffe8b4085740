//! Counts instructions exactly, without tools: a child process is stepped between two marks, and each step's address
//! tells which file it belongs to. Other threads of the child run freely and are not counted.

use std::arch::naked_asm;

use anyhow::{Context, Result, bail, ensure};
use libc::{pid_t, user_regs_struct};

/// An operation that takes more steps than this is let go and not counted.
const MOST_STEPS: u64 = 100_000;

/// Says to the tracer: from here on (or up to here), for this case and side.
#[unsafe(naked)]
pub(crate) extern "C" fn mark(_case: u64, _side: u64) {
    naked_asm!("int3", "ret")
}

/// The addresses of one mapped file's code.
struct Range {
    start: u64,
    end: u64,
    file: String,
}

/// One measured stretch: its labels, and each step's file, as an index into `files`.
pub(crate) struct Stretch {
    pub(crate) case: u64,
    pub(crate) side: u64,
    /// Consecutive steps in one file: (file, steps).
    pub(crate) runs: Vec<(usize, u64)>,
}

/// A traced child.
pub(crate) struct Traced {
    pid: pid_t,
    ranges: Vec<Range>,
    /// Every file seen, by index.
    pub(crate) files: Vec<String>,
}

impl Traced {
    /// The child calls [`allow`] and then stops for the first time at a mark.
    pub(crate) fn new(pid: pid_t) -> Self {
        Self { pid, ranges: Vec::new(), files: vec![String::new()] }
    }

    /// Runs up to the next mark and then step by step to the one after; none when the child has ended.
    pub(crate) fn next(&mut self) -> Result<Option<Stretch>> {
        let Some(begin) = self.run_to_mark()? else { return Ok(None) };
        self.read_maps()?;
        let end = mark as *const () as u64 + 1;
        let mut runs: Vec<(usize, u64)> = Vec::new();
        let mut last = 0;
        for _ in 0..MOST_STEPS {
            self.request(libc::PTRACE_SINGLESTEP, 0)?;
            let Some(signal) = self.wait()? else { bail!("the traced process ended between two marks") };
            let rip = self.registers()?.rip;
            ensure!(
                signal == libc::SIGTRAP,
                "signal {signal} at {rip:#x}, case {}, side {}",
                begin.rdi,
                begin.rsi
            );
            if rip == end {
                return Ok(Some(Stretch { case: begin.rdi, side: begin.rsi, runs }));
            }
            // A repeated string instruction is one instruction.
            if rip == last {
                continue;
            }
            last = rip;
            let file = self.file_of(rip);
            match runs.last_mut() {
                Some((current, steps)) if *current == file => *steps += 1,
                _ => runs.push((file, 1)),
            }
        }
        self.resume()?;
        ensure!(self.run_to_mark()?.is_some(), "the traced process ended between two marks");
        Ok(Some(Stretch { case: begin.rdi, side: begin.rsi, runs: Vec::new() }))
    }

    fn run_to_mark(&mut self) -> Result<Option<user_regs_struct>> {
        loop {
            let Some(signal) = self.wait()? else { return Ok(None) };
            if signal == libc::SIGTRAP {
                let registers = self.registers()?;
                if registers.rip == mark as *const () as u64 + 1 {
                    return Ok(Some(registers));
                }
            }
            let deliver = if signal == libc::SIGTRAP || signal == libc::SIGSTOP { 0 } else { signal };
            self.request(libc::PTRACE_CONT, deliver)?;
        }
    }

    /// Goes on after a stretch.
    pub(crate) fn resume(&self) -> Result<()> {
        self.request(libc::PTRACE_CONT, 0)
    }

    /// The signal that stopped the child; none when it has ended.
    fn wait(&self) -> Result<Option<i32>> {
        let mut status = 0;
        // SAFETY: `status` is room for the answer.
        let waited = unsafe { libc::waitpid(self.pid, &mut status, libc::__WALL) };
        ensure!(waited == self.pid, "waitpid: {}", std::io::Error::last_os_error());
        if libc::WIFEXITED(status) {
            ensure!(libc::WEXITSTATUS(status) == 0, "the traced process failed");
            return Ok(None);
        }
        ensure!(
            libc::WIFSTOPPED(status),
            "the traced process was killed by signal {}",
            libc::WTERMSIG(status)
        );
        Ok(Some(libc::WSTOPSIG(status)))
    }

    fn request(&self, request: libc::c_uint, data: i32) -> Result<()> {
        // SAFETY: requests without memory of ours.
        let answer = unsafe { libc::ptrace(request, self.pid, 0, i64::from(data)) };
        ensure!(answer == 0, "ptrace: {}", std::io::Error::last_os_error());
        Ok(())
    }

    fn registers(&self) -> Result<user_regs_struct> {
        let mut registers = std::mem::MaybeUninit::<user_regs_struct>::zeroed();
        // SAFETY: room for the registers, which are plain numbers.
        let answer = unsafe { libc::ptrace(libc::PTRACE_GETREGS, self.pid, 0, registers.as_mut_ptr()) };
        ensure!(answer == 0, "ptrace: {}", std::io::Error::last_os_error());
        // SAFETY: numbers, zeroed or filled.
        Ok(unsafe { registers.assume_init() })
    }

    fn file_of(&self, address: u64) -> usize {
        let range = self.ranges.iter().find(|range| (range.start..range.end).contains(&address));
        range.and_then(|range| self.files.iter().position(|file| *file == range.file)).unwrap_or(0)
    }

    fn read_maps(&mut self) -> Result<()> {
        let maps = std::fs::read_to_string(format!("/proc/{}/maps", self.pid))?;
        self.ranges.clear();
        for line in maps.lines() {
            let mut fields = line.split_whitespace();
            let (Some(addresses), Some(rights)) = (fields.next(), fields.next()) else { continue };
            if !rights.contains('x') {
                continue;
            }
            let (start, end) = addresses.split_once('-').context("a line of /proc/PID/maps")?;
            let file = fields.nth(3).unwrap_or_default().to_owned();
            if !self.files.contains(&file) {
                self.files.push(file.clone());
            }
            let number = |text| u64::from_str_radix(text, 16);
            self.ranges.push(Range { start: number(start)?, end: number(end)?, file });
        }
        Ok(())
    }
}

/// Lets the parent trace the calling process.
pub(crate) fn allow() -> Result<()> {
    // SAFETY: no memory is involved.
    let answer = unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) };
    ensure!(answer == 0, "this system does not let a process be traced: {}", std::io::Error::last_os_error());
    Ok(())
}
