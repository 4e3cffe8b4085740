//! Reduces a kernel on which two plugins differ. Statements are omitted as long as the results still differ.

use std::path::Path;

use anyhow::Result;

use crate::generate;
use crate::job::Job;
use crate::kernel::Kernel;
use crate::node::Dropped;
use crate::pool::ask;
use crate::results::{Answer, difference};

/// Prints the smallest kernel found, its arguments, and both results.
pub(crate) fn shrink(reference: &Path, plugin: &Path, seed: u64, index: u64) -> Result<()> {
    let kernel = generate::kernel(seed, index);
    let mut dropped = Dropped::new();
    let Some(mut last) = differing(reference, plugin, seed, &kernel, &dropped)? else {
        println!("it does not differ when it is alone in a module");
        return Ok(());
    };
    // Omit many statements at once, then fewer, until no single one can be omitted.
    let mut size = kernel.statements().len().div_ceil(2);
    loop {
        let mut went = false;
        let left: Vec<usize> =
            kernel.statements().into_iter().filter(|number| !dropped.contains(number)).collect();
        for part in left.chunks(size.max(1)) {
            let mut fewer = dropped.clone();
            fewer.extend(part);
            if fewer.len() > dropped.len()
                && let Some(answers) = differing(reference, plugin, seed, &kernel, &fewer)?
            {
                (dropped, last, went) = (fewer, answers, true);
            }
        }
        if size <= 1 && !went {
            break;
        }
        size = if went && size == 1 { 1 } else { size / 2 };
    }
    println!("{}", kernel.text(&dropped));
    let without: Vec<String> = dropped.iter().map(usize::to_string).collect();
    println!("random-kernels show {seed} {index} --without {}", without.join(","));
    print_launch(&kernel);
    print_differences(&kernel, &last);
    Ok(())
}

/// Returns both answers if they differ.
fn differing(
    reference: &Path,
    plugin: &Path,
    seed: u64,
    kernel: &Kernel,
    dropped: &Dropped,
) -> Result<Option<[Answer; 2]>> {
    let job = Job::single(seed, kernel.index, dropped);
    let mut both = [reference, plugin].map(|plugin| ask(plugin, &job));
    let [one, other] = both.each_mut().map(|answers| answers.as_mut().ok().and_then(Vec::pop));
    let (Some(one), Some(other)) = (one, other) else { return Ok(None) };
    let what = difference(&one, &other, &kernel.approximate, kernel.shape.launched());
    Ok(what.map(|_| [one, other]))
}

fn print_launch(kernel: &Kernel) {
    println!("{:?}", kernel.shape);
    for parameter in &kernel.parameters {
        println!("{} = {:02x?} ({})", parameter.id, parameter.bytes, parameter.ty.name());
    }
}

/// Prints the first words that differ, with slot and work-item.
fn print_differences(kernel: &Kernel, answers: &[Answer; 2]) {
    let [Answer::Done { exact, near, .. }, Answer::Done { exact: other, near: other_near, .. }] = answers
    else {
        return;
    };
    let items = kernel.shape.launched();
    let words = |bytes: &[u8]| {
        bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect::<Vec<_>>()
    };
    let pairs = words(exact).into_iter().zip(words(other)).enumerate();
    for (at, (one, other)) in pairs.filter(|(_, (one, other))| one != other).take(6) {
        let place = match at < kernel.slots * items {
            true => format!("slot {} of work-item {}", at / items, at % items),
            false => format!("word {} behind the slots", at - kernel.slots * items),
        };
        println!("{place}: {other:#018x} instead of {one:#018x}");
    }
    if near != other_near {
        println!("near results: {other_near}\n   instead of {near}");
    }
}
