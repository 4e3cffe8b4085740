//! The tables that `cargo xtask stock-images` writes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::OnDriver;
use super::run::{Described, How, TRIES};
use super::wheels::Library;

const HEAD: &str = "\
## Images

Each image's property sets are decoded and encoded again to the same bytes, and its SPIR-V is read. *Listed* is what the linker wrote into the
section `.tgtimg`: the number of images, counted apart from their descriptors. *Compressed* are images with code in a Zstandard frame.

| package | library | images | listed | compressed | kernels | aspects | unreadable | ms |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
";

/// What the command writes.
pub(super) fn tables(
    how: How,
    libraries: &[Library],
    described: &[Described],
    drivers: &[OnDriver],
) -> String {
    let mut text = HEAD.to_owned();
    let rows = || libraries.iter().zip(described).filter(|(_, found)| found.images + found.listed > 0);
    let mut sum = Described::default();
    let mut unreadable = 0;
    for (library, found) in rows() {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            library.package,
            library.name,
            found.images,
            found.listed,
            found.compressed,
            found.kernels,
            found.aspects,
            found.unreadable.len(),
            found.milliseconds
        );
        sum.images += found.images;
        sum.listed += found.listed;
        sum.compressed += found.compressed;
        sum.kernels += found.kernels;
        sum.milliseconds += found.milliseconds;
        unreadable += found.unreadable.len();
    }
    let Described { images, listed, compressed, kernels, milliseconds, .. } = sum;
    let count = rows().count();
    let _ = writeln!(
        text,
        "| **all** | {count} | {images} | {listed} | {compressed} | {kernels} | | {unreadable} | {milliseconds} |"
    );
    let none = libraries.len() - count;
    let _ = writeln!(text, "\n{none} further libraries of these packages have no image.");
    built(how, libraries, drivers, &mut text);
    for on in drivers {
        launched(on, &mut text);
    }
    text
}

fn built(how: How, libraries: &[Library], drivers: &[OnDriver], text: &mut String) {
    let which = match how.step {
        1 => "Every kernel".to_owned(),
        step => format!("Every {step}th kernel of each library"),
    };
    let scalar = if how.scalar { ", built without the driver's vectorizer" } else { "" };
    let _ = write!(
        text,
        "\n## Builds of dpctl's kernels\n\n{which}{scalar}. *Refused*: the runtime compared the image's requirements with the device. \
         *Failed*: the driver refused the program. *Given up*: the driver ended the process or did not come back, in each of {TRIES} tries. \
         *Driver crashes*: how often it did so at all; it does so without a plugin too.\n\n\
         | driver | package | library | kernels | built | refused | failed | given up | driver crashes | s |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
    );
    for on in drivers {
        let mut sums = [0_u64; 7];
        for (at, built) in &on.built {
            let Some(library) = libraries.get(*at) else { continue };
            let (refused, failed) = (built.refused.values().sum::<u64>(), built.failed.values().sum::<u64>());
            let numbers = [
                built.kernels,
                built.built,
                refused,
                failed,
                built.given_up,
                built.crashed.len() as u64,
                built.milliseconds / 1000,
            ];
            let cells = numbers.map(|number| number.to_string()).join(" | ");
            let _ = writeln!(text, "| {} | {} | {} | {cells} |", on.driver, library.package, library.name);
            for (sum, number) in sums.iter_mut().zip(numbers) {
                *sum += number;
            }
        }
        let cells = sums.map(|number| number.to_string()).join(" | ");
        let _ = writeln!(text, "| {} | **all** | | {cells} |", on.driver);
    }
    text.push_str("\nWhy kernels were not built:\n\n");
    for on in drivers {
        let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
        for (_, built) in &on.built {
            for (reason, count) in built.refused.iter().chain(&built.failed) {
                *reasons.entry(reason.clone()).or_default() += count;
            }
            for (kernel, end) in &built.crashed {
                let kernel = kernel.chars().take(80).collect::<String>();
                *reasons.entry(format!("{end} in `{kernel}...`")).or_default() += 1;
            }
        }
        for (reason, count) in reasons {
            let _ = writeln!(text, "- {}, {count} times: {reason}", on.driver);
        }
    }
}

fn launched(on: &OnDriver, text: &mut String) {
    let count = |outcome: &str| on.launched.iter().filter(|one| one.outcome == outcome).count();
    let _ = write!(
        text,
        "\n## Launches on {}\n\nKernels whose names tell what they do, chosen at random, launched over 1003 elements. Their results are \
         compared with a loop on the host. {} launched: {} right, {} wrong, {} refused.\n\n\
         | library | kernel | result |\n| --- | --- | --- |\n",
        on.driver,
        on.launched.len(),
        count("right"),
        count("wrong") + count("crashed"),
        count("refused")
    );
    for one in &on.launched {
        let detail: String = one.detail.chars().take(120).collect();
        let _ = writeln!(text, "| {} | `{}` | {} {detail} |", one.library, one.kernel, one.outcome);
    }
}
