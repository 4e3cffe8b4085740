//! The picture of a comparison: two bars for each operation, on a scale of powers of ten.

use std::fmt::Write as _;

use super::Comparison;

const NAMES: f64 = 320.0;
const BARS: f64 = 420.0;
const ROW: f64 = 24.0;
const TOP: f64 = 64.0;

const OURS: &str = "#2a6f97";
const VENDOR: &str = "#b0b0b0";

/// An SVG.
pub fn svg(measured: &Comparison) -> String {
    let most = measured.calls.iter().map(|call| call.ours.max(call.vendor)).fold(10.0, f64::max);
    let decades = most.log10().ceil();
    let x = |nanoseconds: f64| NAMES + nanoseconds.max(1.0).log10() / decades * BARS;
    let (width, height) = (NAMES + BARS + 80.0, TOP + ROW * measured.calls.len() as f64 + 16.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"10\" y=\"20\" font-size=\"15\">Nanoseconds per operation, {}</text>\n\
         <text x=\"10\" y=\"42\">{}</text>\n",
        escaped(&measured.version),
        escaped(&measured.device)
    );
    for (index, (colour, word)) in [(VENDOR, "the vendor's"), (OURS, "ours")].into_iter().enumerate() {
        let left = NAMES + BARS - 140.0 + 100.0 * index as f64;
        let _ = writeln!(
            out,
            "<rect x=\"{left}\" y=\"10\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"21\">{word}</text>",
            left + 18.0
        );
    }
    for power in 0..=decades as i32 {
        let left = x(10_f64.powi(power));
        let _ = writeln!(
            out,
            "<line x1=\"{left:.1}\" y1=\"{TOP}\" x2=\"{left:.1}\" y2=\"{:.0}\" stroke=\"#dddddd\"/>\
             <text x=\"{left:.1}\" y=\"{:.0}\" text-anchor=\"middle\" fill=\"#666666\">{}</text>",
            height - 12.0,
            TOP - 5.0,
            10_f64.powi(power)
        );
    }
    for (index, call) in measured.calls.iter().enumerate() {
        let top = TOP + ROW * index as f64 + 3.0;
        let _ = writeln!(
            out,
            "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            NAMES - 8.0,
            top + 13.0,
            escaped(&call.name)
        );
        for (offset, colour, nanoseconds) in [(0.0, VENDOR, call.vendor), (9.0, OURS, call.ours)] {
            let length = x(nanoseconds) - NAMES;
            let _ = writeln!(
                out,
                "<rect x=\"{NAMES}\" y=\"{:.1}\" width=\"{length:.1}\" height=\"8\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"9\">{nanoseconds:.0}</text>",
                top + offset,
                NAMES + length + 4.0,
                top + offset + 8.0
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Text as XML has it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::super::MeasuredCall;
    use super::*;

    #[test]
    fn every_operation_has_two_bars_and_names_are_xml() {
        let call = |name: &str| MeasuredCall { name: name.into(), ours: 12.0, vendor: 1200.0, bare: 10.0 };
        let calls = vec![call("a & b"), call("c < d")];
        let svg = svg(&Comparison { version: "PI 15.47".into(), device: "d".into(), calls });
        assert!(svg.contains("a &amp; b") && svg.contains("c &lt; d"));
        // The white ground, two squares that explain the colours, and two bars each.
        assert_eq!(svg.matches("<rect").count(), 1 + 2 + 4);
        // A scale of four decades: 1200 is at 77 %.
        assert!(svg.contains(&format!("width=\"{:.1}\"", 1200_f64.log10() / 4.0 * BARS)));
    }
}
