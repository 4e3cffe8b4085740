//! Prints the table of findings.

use crate::check::Finding;

/// Prints a line for each function and type, then the wrong results.
pub(crate) fn print(findings: &[Finding]) {
    println!("| function | type | values | wrong | largest error in ulp | OpenCL's bound |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for finding in findings {
        let bound = finding.bound.map_or_else(|| "none".to_owned(), |bound| bound.to_string());
        let wrong = match finding.failed {
            0 => finding.wrong.to_string(),
            failed => format!("{}, {failed} kernels failed", finding.wrong),
        };
        println!(
            "| {} | {} | {} | {wrong} | {:.4} | {bound} |",
            finding.function, finding.ty, finding.values, finding.ulps
        );
    }
    let bad: Vec<&Finding> = findings.iter().filter(|finding| !finding.is_right()).collect();
    if !bad.is_empty() {
        println!("\nWrong:");
    }
    for finding in &bad {
        println!("{} of {}: {} of {}", finding.function, finding.ty, finding.wrong, finding.values);
        finding.examples.iter().for_each(|example| println!("    {example}"));
    }
    let values: u64 = findings.iter().map(|finding| finding.values).sum();
    let wrong: u64 = findings.iter().map(|finding| finding.wrong).sum();
    let failed: u64 = findings.iter().map(|finding| finding.failed).sum();
    println!(
        "\n{} functions and types, {values} values: {wrong} wrong, {failed} kernels failed",
        findings.len()
    );
}
