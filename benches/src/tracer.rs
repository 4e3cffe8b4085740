//! Counts the instructions and the system calls of a child process between two breakpoints. The address of each instruction tells
//! its file. Other threads of the child run freely and are not counted.

use std::arch::naked_asm;

use anyhow::{Context, Result, bail, ensure};
use libc::{pid_t, user_regs_struct};

/// An operation with more instructions than this is not counted.
const MOST_STEPS: u64 = 100_000;

/// Stops the child: a measurement of this case and side begins or ends here.
#[unsafe(naked)]
pub(crate) extern "C" fn breakpoint(_case: u64, _side: u64) {
    naked_asm!("int3", "ret")
}

/// Where the child stands when it has stopped.
fn after_breakpoint() -> u64 {
    breakpoint as *const () as u64 + 1
}

/// The addresses of one mapped file's code.
struct Range {
    start: u64,
    end: u64,
    file: String,
}

/// The instructions between two breakpoints.
pub(crate) struct Instructions {
    pub(crate) case: u64,
    pub(crate) side: u64,
    /// Consecutive instructions in one file: its index in `files`, and their number.
    pub(crate) runs: Vec<(usize, u64)>,
}

/// The system calls between two breakpoints.
pub(crate) struct SystemCalls {
    pub(crate) case: u64,
    pub(crate) count: u64,
}

/// A traced child.
pub(crate) struct Tracer {
    pid: pid_t,
    ranges: Vec<Range>,
    /// Every file seen, by index.
    pub(crate) files: Vec<String>,
}

impl Tracer {
    /// The child calls [`allow`] and then stops at its first breakpoint.
    pub(crate) fn new(pid: pid_t) -> Self {
        Self { pid, ranges: Vec::new(), files: vec![String::new()] }
    }

    /// Runs up to the next breakpoint and then step by step to the one after. None when the child has ended.
    pub(crate) fn next_instructions(&mut self) -> Result<Option<Instructions>> {
        let Some(begin) = self.run_to_breakpoint()? else { return Ok(None) };
        self.read_maps()?;
        let end = after_breakpoint();
        let mut runs: Vec<(usize, u64)> = Vec::new();
        let mut last = 0;
        for _ in 0..MOST_STEPS {
            self.request(libc::PTRACE_SINGLESTEP, 0)?;
            let Some(signal) = self.wait()? else {
                bail!("the traced process ended between two breakpoints")
            };
            let rip = self.registers()?.rip;
            ensure!(
                signal == libc::SIGTRAP,
                "signal {signal} at {rip:#x}, case {}, side {}",
                begin.rdi,
                begin.rsi
            );
            if rip == end {
                return Ok(Some(Instructions { case: begin.rdi, side: begin.rsi, runs }));
            }
            // A repeated string instruction counts once.
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
        ensure!(self.run_to_breakpoint()?.is_some(), "the traced process ended between two breakpoints");
        Ok(Some(Instructions { case: begin.rdi, side: begin.rsi, runs: Vec::new() }))
    }

    /// Runs up to the next breakpoint and then from system call to system call to the one after. None when the child has ended.
    pub(crate) fn next_system_calls(&mut self) -> Result<Option<SystemCalls>> {
        let Some(begin) = self.run_to_breakpoint()? else { return Ok(None) };
        let mut stops = 0;
        let mut deliver = 0;
        loop {
            self.request(libc::PTRACE_SYSCALL, deliver)?;
            let Some(signal) = self.wait()? else {
                bail!("the traced process ended between two breakpoints")
            };
            let is_stop = signal == libc::SIGTRAP;
            if is_stop && self.registers()?.rip == after_breakpoint() {
                // Each system call stops the child at its beginning and at its end.
                return Ok(Some(SystemCalls { case: begin.rdi, count: stops / 2 }));
            }
            stops += u64::from(is_stop);
            deliver = if is_stop { 0 } else { signal };
        }
    }

    fn run_to_breakpoint(&mut self) -> Result<Option<user_regs_struct>> {
        loop {
            let Some(signal) = self.wait()? else { return Ok(None) };
            if signal == libc::SIGTRAP {
                let registers = self.registers()?;
                if registers.rip == after_breakpoint() {
                    return Ok(Some(registers));
                }
            }
            let deliver = if signal == libc::SIGTRAP || signal == libc::SIGSTOP { 0 } else { signal };
            self.request(libc::PTRACE_CONT, deliver)?;
        }
    }

    /// Continues after a measurement.
    pub(crate) fn resume(&self) -> Result<()> {
        self.request(libc::PTRACE_CONT, 0)
    }

    /// The signal that stopped the child. None when it has ended.
    fn wait(&self) -> Result<Option<i32>> {
        let mut status = 0;
        // SAFETY: `status` is writable.
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
        // SAFETY: the requests used here touch no memory of this process.
        let answer = unsafe { libc::ptrace(request, self.pid, 0, i64::from(data)) };
        ensure!(answer == 0, "ptrace: {}", std::io::Error::last_os_error());
        Ok(())
    }

    fn registers(&self) -> Result<user_regs_struct> {
        let mut registers = std::mem::MaybeUninit::<user_regs_struct>::zeroed();
        // SAFETY: writable memory of the registers' type.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_calls_between_two_breakpoints_are_counted() {
        // SAFETY: the child only makes system calls.
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            let _ = allow();
            breakpoint(7, 2);
            for _ in 0..5 {
                // SAFETY: no memory is involved.
                unsafe { libc::syscall(libc::SYS_getppid) };
            }
            breakpoint(7, 2);
            // SAFETY: ends the process.
            unsafe { libc::_exit(0) };
        }
        let mut tracer = Tracer::new(pid);
        let found = tracer.next_system_calls().unwrap().unwrap();
        assert_eq!((found.case, found.count), (7, 5));
        tracer.resume().unwrap();
        assert!(tracer.next_system_calls().unwrap().is_none());
    }
}
