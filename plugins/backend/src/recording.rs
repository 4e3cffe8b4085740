//! The common part of every backend's command buffers: commands in the order of their sync points, and finalization.

use crate::types::*;

use crate::{Error, Result, SyncPointDependencies};

/// The commands of a command buffer, each as a backend's `T`. Sync point n is command n, counted from 1.
#[derive(Debug)]
pub struct Recording<T> {
    commands: Vec<T>,
    finalized: bool,
}

impl<T> Default for Recording<T> {
    fn default() -> Self {
        Self { commands: Vec::new(), finalized: false }
    }
}

impl<T> Recording<T> {
    /// Adds the command that `make` returns for the commands it waits for, and writes its sync point. Adds nothing on
    /// an error.
    ///
    /// # Errors
    ///
    /// The command buffer is finalized, a sync point is unknown, there are more commands than sync points, or `make`
    /// fails.
    pub fn add(
        &mut self,
        dependencies: SyncPointDependencies<'_>,
        make: impl FnOnce(&[&T]) -> Result<T>,
    ) -> Result<()> {
        if self.finalized {
            return Err(Error::new(
                ErrorCode::INVALID_OPERATION,
                "the command buffer is finalized; no command can be added",
            ));
        }
        let last = self.commands.len();
        let point = SyncPoint::try_from(last + 1).map_err(|_| {
            Error::new(
                ErrorCode::OUT_OF_RESOURCES,
                "the command buffer has as many commands as there are sync points",
            )
        })?;
        let behind = |point: &SyncPoint| {
            let command = (*point as usize).checked_sub(1).and_then(|index| self.commands.get(index));
            command.ok_or_else(|| {
                Error::new(
                    ErrorCode::INVALID_SYNC_POINT_WAIT_LIST_KHR,
                    format!(
                        "a wait for {point}, which is not a sync point of this command buffer; it has {last}"
                    ),
                )
            })
        };
        let waits: Vec<&T> = dependencies.waits.iter().map(behind).collect::<Result<_>>()?;
        let command = make(&waits)?;
        self.commands.push(command);
        dependencies.put(point);
        Ok(())
    }

    /// Ends recording by calling `end`. If that fails, recording stays open.
    ///
    /// # Errors
    ///
    /// The command buffer is already finalized, or `end` fails.
    pub fn finalize<R>(&mut self, end: impl FnOnce(&mut Vec<T>) -> Result<R>) -> Result<R> {
        if self.finalized {
            return Err(Error::new(ErrorCode::INVALID_OPERATION, "the command buffer is finalized already"));
        }
        let ended = end(&mut self.commands)?;
        self.finalized = true;
        Ok(ended)
    }

    /// Returns the commands recorded so far.
    pub fn commands(&self) -> &[T] {
        &self.commands
    }

    /// Returns the command of a sync point.
    pub fn command_mut(&mut self, point: SyncPoint) -> Option<&mut T> {
        (point as usize).checked_sub(1).and_then(|index| self.commands.get_mut(index))
    }

    /// Checks that no more commands can be added, which is required to run them.
    ///
    /// # Errors
    ///
    /// The command buffer is not finalized.
    pub fn check_finalized(&self) -> Result<()> {
        if self.finalized { Ok(()) } else { Err(not_finalized()) }
    }
}

/// Returns the error of running a command buffer that is still being recorded.
#[cold]
pub fn not_finalized() -> Error {
    Error::new(ErrorCode::INVALID_OPERATION, "the command buffer is not finalized; finalize it first")
}

/// Returns the error of updating a command that is not a kernel launch.
#[cold]
pub fn no_launch(point: SyncPoint) -> Error {
    Error::new(
        ErrorCode::INVALID_COMMAND_BUFFER_KHR,
        format!("command {point} of the command buffer is not a kernel launch; only launches can be updated"),
    )
}

/// Returns the error for an object, `what`, that belongs to another context than the command buffer.
#[cold]
pub fn other_context(what: &str) -> Error {
    Error::other_context(what, "the command buffer")
}

/// Returns the error for a queue that belongs to another device than the command buffer.
#[cold]
pub fn other_device() -> Error {
    Error::new(
        ErrorCode::INCOMPATIBLE_COMMAND_QUEUE_KHR,
        "the queue belongs to another device than the command buffer",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(waits: &[SyncPoint]) -> SyncPointDependencies<'_> {
        SyncPointDependencies { waits, point: None }
    }

    #[test]
    fn sync_points_count_from_one_and_name_earlier_commands() {
        let mut recording = Recording::default();
        let mut point = 0;
        let dependencies = SyncPointDependencies { waits: &[], point: Some(&mut point) };
        assert!(recording.add(dependencies, |waits| Ok(format!("{waits:?}"))).is_ok());
        assert_eq!(point, 1);
        assert!(recording.add(after(&[1]), |waits| Ok(format!("{waits:?}"))).is_ok());
        assert_eq!(recording.commands(), ["[]", "[\"[]\"]"]);
        let found = [0, 1, 2, 3].map(|point| recording.command_mut(point).map(|command| command.clone()));
        assert_eq!(found, [None, Some("[]".into()), Some("[\"[]\"]".into()), None]);
    }

    #[test]
    fn unknown_sync_points_add_nothing() {
        let mut recording = Recording::<u8>::default();
        for unknown in [0, 1, u32::MAX] {
            let error = recording.add(after(&[unknown]), |_| Ok(0)).map_err(|error| error.code());
            assert_eq!(error, Err(ErrorCode::INVALID_SYNC_POINT_WAIT_LIST_KHR));
        }
        assert!(recording.add(after(&[]), |_| Err(Error::unsupported("no"))).is_err());
        assert!(recording.commands().is_empty());
    }

    #[test]
    fn a_finalized_recording_runs_and_takes_nothing_more() {
        let mut recording = Recording::<u8>::default();
        assert!(recording.check_finalized().is_err());
        assert!(recording.finalize(|_| Err::<(), _>(Error::unsupported("no"))).is_err());
        assert!(recording.check_finalized().is_err());
        assert!(recording.finalize(|_| Ok(())).is_ok());
        assert!(recording.check_finalized().is_ok());
        let codes = [
            recording.add(after(&[]), |_| Ok(0)).map_err(|error| error.code()),
            recording.finalize(|_| Ok(())).map_err(|error| error.code()),
        ];
        assert_eq!(codes, [Err(ErrorCode::INVALID_OPERATION); 2]);
    }

    #[test]
    fn an_error_of_a_whole_command_buffer_has_its_code() {
        for (error, code, part) in [
            (not_finalized(), ErrorCode::INVALID_OPERATION, "not finalized"),
            (no_launch(7), ErrorCode::INVALID_COMMAND_BUFFER_KHR, "command 7"),
            (other_context("kernel"), ErrorCode::INVALID_CONTEXT, "kernel belongs to another context"),
            (other_device(), ErrorCode::INCOMPATIBLE_COMMAND_QUEUE_KHR, "another device"),
        ] {
            let text = error.to_string();
            assert_eq!(error.code(), code, "{text}");
            assert!(text.contains(part), "{text:?} lacks {part:?}");
        }
    }
}
