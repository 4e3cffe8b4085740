//! The page docs/reports/images.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::Stack;

/// `80 ran, 1 refused`
pub(super) fn sum(stack: &Stack) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in &stack.images {
        *counts.entry(&line.outcome).or_default() += 1;
    }
    counts.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect::<Vec<_>>().join(", ")
}

/// What the page says of every run.
const HEAD: &str = "\
# Device images through the runtime

`cargo xtask images` writes this page. It builds each image with all images that it needs, and launches each of its kernels, in a process of
its own. It then does the same with the programs from the cache on disk. The property sets decide which result is right.

The runtime rewrites SPIR-V for drivers ([runtime.md](../guide/runtime.md#spir-v-for-more-drivers)), so images run through plugins that crash the
bare driver.

| outcome | meaning |
| --- | --- |
| ran | every kernel was launched and waited for; images without kernels were built |
| refused | the runtime refused the image for its requirements, or the driver for a capability that it lacks |
| driver crash | the driver ended the process, and does so without a plugin |
| builds, refuses, dies | the bare driver: `clBuildProgram` of the unchanged file |
| wrong | anything else |

";

/// The page.
pub(super) fn page(stacks: &[Stack]) -> String {
    let mut text =
        format!("{HEAD}## Stacks\n\n| | plugin | driver | device | sum |\n| --- | --- | --- | --- | --- |\n");
    for (number, stack) in stacks.iter().enumerate() {
        let (plugin, driver, device) = (&stack.plugin, &stack.driver, &stack.device);
        let _ = writeln!(text, "| {} | {plugin} | {driver} | {device} | {} |", number + 1, sum(stack));
    }
    text.push_str("\n## Images\n\n| image |");
    let numbers = 1..=stacks.len();
    for number in numbers.clone() {
        let _ = write!(text, " {number} |");
    }
    text.push_str("\n| --- |");
    numbers.for_each(|_| text.push_str(" --- |"));
    text.push('\n');
    let names: BTreeSet<&str> =
        stacks.iter().flat_map(|stack| &stack.images).map(|line| line.image.as_str()).collect();
    let mut notes: BTreeSet<String> = BTreeSet::new();
    for name in names {
        let _ = write!(text, "| {name} |");
        for stack in stacks {
            let line = stack.images.iter().find(|line| line.image == name);
            let _ = write!(text, " {} |", line.map_or("", |line| line.outcome.as_str()));
            let explained = ["refused", "wrong", "driver crash"];
            if let Some(line) = line.filter(|line| explained.contains(&line.outcome.as_str())) {
                notes.insert(format!("- {name}, {}: {}", line.outcome, short(&line.detail)));
            }
        }
        text.push('\n');
    }
    text.push_str("\n## Why\n\n");
    for note in &notes {
        let _ = writeln!(text, "{note}");
    }
    text
}

/// The beginning, without what would break a list.
fn short(detail: &str) -> String {
    let mut text: String = detail.chars().take(240).collect();
    if text.len() < detail.len() {
        text.push('…');
    }
    text
}
