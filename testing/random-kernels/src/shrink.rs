//! Reduces a kernel on which two plugins differ. Statements are omitted as long as the results still differ.

use std::fmt::Write;

use anyhow::Result;

use crate::job::Job;
use crate::kernel::Kernel;
use crate::node::Dropped;
use crate::pool::{Plugin, Runner};
use crate::results::{Answer, difference};

/// A process of each of two plugins.
pub(crate) struct Sides<'a>([Runner<'a>; 2]);

impl<'a> Sides<'a> {
    pub(crate) fn new(reference: &'a Plugin, plugin: &'a Plugin) -> Self {
        Self([Runner::new(reference), Runner::new(plugin)])
    }

    /// Returns both answers to a kernel without some of its statements, if they differ, or if only the second one fails.
    pub(crate) fn differing(
        &mut self,
        seed: u64,
        kernel: &Kernel,
        dropped: &Dropped,
    ) -> Result<Option<[Answer; 2]>> {
        let job = Job::single(seed, kernel.index, dropped);
        let [reference, plugin] = &mut self.0;
        let both = [reference.ask(&job)?, plugin.ask(&job)?];
        let differs = match &both {
            [Answer::Done { .. }, failure @ Answer::Failed(_)] => !failure.is_refused(),
            [one, other] => difference(one, other, &kernel.approximate, kernel.shape.launched()).is_some(),
        };
        Ok(differs.then_some(both))
    }
}

/// Returns the smallest kernel found, its arguments, and both results. `dropped` are statements that it shall not have
/// if it differs without them.
pub(crate) fn shrink(
    sides: &mut Sides<'_>,
    seed: u64,
    kernel: &Kernel,
    mut dropped: Dropped,
) -> Result<String> {
    let mut last = sides.differing(seed, kernel, &dropped)?;
    if last.is_none() {
        dropped.clear();
        last = sides.differing(seed, kernel, &dropped)?;
    }
    let Some(mut last) = last else {
        return Ok("it does not differ when it is alone in a module\n".to_owned());
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
                && let Some(answers) = sides.differing(seed, kernel, &fewer)?
                && failure(&answers) == failure(&last)
            {
                (dropped, last, went) = (fewer, answers, true);
            }
        }
        if size <= 1 && !went {
            break;
        }
        size = if went && size == 1 { 1 } else { size / 2 };
    }
    let without: Vec<String> = dropped.iter().map(usize::to_string).collect();
    let mut text = kernel.text(&dropped);
    writeln!(text, "random-kernels show {seed} {} --without {}", kernel.index, without.join(","))?;
    write_launch(&mut text, kernel)?;
    write_differences(&mut text, kernel, &last)?;
    Ok(text)
}

/// Returns how the second plugin fails, without the details.
fn failure(answers: &[Answer; 2]) -> Option<&str> {
    match answers {
        [_, Answer::Failed(why)] => why.split(':').next(),
        _ => None,
    }
}

fn write_launch(text: &mut String, kernel: &Kernel) -> std::fmt::Result {
    writeln!(text, "{:?}", kernel.shape)?;
    kernel.parameters.iter().try_for_each(|parameter| {
        writeln!(text, "{} = {:02x?} ({})", parameter.id, parameter.bytes, parameter.ty.name())
    })
}

/// Writes the first words that differ, with slot and work-item.
fn write_differences(text: &mut String, kernel: &Kernel, answers: &[Answer; 2]) -> std::fmt::Result {
    if let [_, Answer::Failed(why)] = answers {
        return writeln!(text, "{why}");
    }
    let [Answer::Done { exact, near, .. }, Answer::Done { exact: other, near: other_near, .. }] = answers
    else {
        return Ok(());
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
        writeln!(text, "{place}: {other:#018x} instead of {one:#018x}")?;
    }
    if near != other_near {
        writeln!(text, "near results: {other_near}\n   instead of {near}")?;
    }
    Ok(())
}
