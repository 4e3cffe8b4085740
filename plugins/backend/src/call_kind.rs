//! Classifies the calls of both interfaces by their names, in which the interfaces use the same verbs.

/// The kind of a call, which decides whether it runs after tear-down and while the process exits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallKind {
    /// Makes an object, starts a command or changes something. Waits while the process exits, and is an error after
    /// tear-down.
    Starts,
    /// Asks or waits. Runs while the process exits, because threads have to come to their end, and is an error after
    /// tear-down.
    Asks,
    /// Gives something back, or counts a reference. Runs while the process exits, and succeeds after tear-down, when there
    /// is nothing left to give back.
    Releases,
}

const RELEASES: [&str; 9] =
    ["Release", "Retain", "Free", "Destroy", "Close", "Put", "Unmap", "TearDown", "GetLastError"];
const ASKS: [&str; 3] = ["Get", "Wait", "Finish"];
/// Calls with such a word start something, whatever else is in their names. `ExternalSemaphore` is a wait in a queue.
const STARTS: [&str; 3] = ["Enqueue", "Update", "ExternalSemaphore"];

impl CallKind {
    /// Returns the kind of the function of that name.
    #[cold]
    pub(crate) fn of(function: &str) -> Self {
        let has = |words: &[&str]| words.iter().any(|word| has_word(function, word));
        if has_word(function, "Enqueue") {
            Self::Starts
        } else if has(&RELEASES) {
            Self::Releases
        } else if has(&ASKS) && !has(&STARTS) {
            Self::Asks
        } else {
            Self::Starts
        }
    }
}

/// Returns whether a name in camel case has these words. `Get` is no word of `Getter`.
fn has_word(name: &str, word: &str) -> bool {
    let ends = |end: usize| !name[end..].starts_with(|next: char| next.is_ascii_lowercase());
    name.match_indices(word).any(|(start, _)| ends(start + word.len()))
}

#[cfg(test)]
mod tests {
    use super::CallKind::{self, Asks, Releases, Starts};

    #[test]
    fn verbs_of_both_interfaces_are_known() {
        for (kind, names) in [
            (
                Releases,
                "piEventRelease urEventRetain urCommandBufferReleaseExp piextUSMFree piTearDown urVirtualMemUnmap",
            ),
            (Releases, "urThingRetain urIPCCloseMemHandleExp urIPCPutMemHandleExp piThingGetLastError"),
            (
                Releases,
                "urBindlessImagesReleaseExternalSemaphoreExp piextDestroyExternalSemaphore piextMemReleaseInterop urThingDestroyExp",
            ),
            (
                Asks,
                "piEventsWait urEventWait urQueueFinish urEventGetInfo urDeviceGet piGetDeviceAndHostTimer",
            ),
            (Starts, "piQueueCreate urUSMSharedAlloc piEnqueueEventsWait urEnqueueEventsWaitWithBarrier"),
            (Starts, "piEnqueueMemUnmap urEnqueueUSMFreeExp piKernelSetExecInfo urThingUpdateWaitExp"),
            (
                Starts,
                "piextWaitExternalSemaphore urBindlessImagesWaitExternalSemaphoreExp piTargetClosedness",
            ),
        ] {
            for name in names.split(' ') {
                assert_eq!(CallKind::of(name), kind, "{name}");
            }
        }
    }
}
