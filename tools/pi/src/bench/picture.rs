//! The chart of a comparison: three bars for each operation, on a logarithmic scale.

use std::fmt::Write as _;

use super::comparison::Comparison;

const MARGIN: f64 = 12.0;
const NAMES: f64 = 300.0;
const BARS: f64 = 480.0;
/// Room for the number after the longest bar.
const NUMBERS: f64 = 80.0;
const BAR: f64 = 7.0;
const ROW: f64 = 3.0 * BAR + 9.0;
/// The height of title, device, legend and scale.
const TOP: f64 = 104.0;

/// The bars of one operation, from top to bottom.
const SERIES: [(&str, &str); 3] =
    [("the driver alone", "#e0a458"), ("with the vendor's library", "#9a9a9a"), ("with ours", "#2a6f97")];

/// Returns the chart as SVG.
pub fn svg(measured: &Comparison) -> String {
    let all = measured.calls.iter().flat_map(|call| [call.bare, call.vendor, call.ours]);
    let decades = all.fold(10.0, f64::max).log10().ceil();
    let left = MARGIN + NAMES;
    let length = |nanoseconds: f64| nanoseconds.max(1.0).log10() / decades * BARS;
    let (width, height) = (left + BARS + NUMBERS, TOP + ROW * measured.calls.len() as f64 + MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#222222\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"24\" font-size=\"16\">Time of one call, {}</text>\n\
         <text x=\"{MARGIN}\" y=\"44\" fill=\"#666666\">{}</text>\n",
        escaped(&measured.version),
        escaped(&measured.device)
    );
    legend(&mut out);
    for power in 0..=decades as i32 {
        let x = left + length(10_f64.powi(power));
        let _ = writeln!(
            out,
            "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{:.0}\" stroke=\"#dddddd\"/>\
             <text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\" fill=\"#666666\">{}</text>",
            height - MARGIN,
            TOP - 6.0,
            time(10_f64.powi(power))
        );
    }
    for (index, call) in measured.calls.iter().enumerate() {
        let top = TOP + ROW * index as f64 + 4.0;
        let _ = writeln!(
            out,
            "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            left - 8.0,
            top + 15.0,
            escaped(&call.name)
        );
        for (offset, ((_, colour), nanoseconds)) in
            SERIES.iter().zip([call.bare, call.vendor, call.ours]).enumerate()
        {
            let (y, length) = (top + BAR * offset as f64, length(nanoseconds));
            let _ = writeln!(
                out,
                "<rect x=\"{left}\" y=\"{y:.1}\" width=\"{length:.1}\" height=\"{:.0}\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"8\">{}</text>",
                BAR - 1.0,
                left + length + 4.0,
                y + BAR - 1.0,
                time(nanoseconds)
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

fn legend(out: &mut String) {
    for (index, (word, colour)) in SERIES.iter().enumerate() {
        let x = MARGIN + 190.0 * index as f64;
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"60\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"71\">{word}</text>",
            x + 18.0
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{MARGIN}\" y=\"{:.0}\" fill=\"#666666\">logarithmic scale; shorter is better</text>",
        TOP - 6.0
    );
}

/// Returns a time with its unit, in three digits.
fn time(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        ..1e3 => (nanoseconds, "ns"),
        ..1e6 => (nanoseconds / 1e3, "µs"),
        ..1e9 => (nanoseconds / 1e6, "ms"),
        _ => (nanoseconds / 1e9, "s"),
    };
    let digits = if value < 10.0 && value.fract() != 0.0 { 1 } else { 0 };
    format!("{value:.digits$} {unit}")
}

/// Escapes text for XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::super::comparison::MeasuredCall;
    use super::*;

    fn call(name: &str, longest: f64) -> MeasuredCall {
        MeasuredCall { name: name.into(), ours: 12.0, vendor: longest, bare: 10.0 }
    }

    #[test]
    fn every_operation_has_three_bars_and_names_are_xml() {
        let calls = vec![call("a & b", 1200.0), call("c < d", 1200.0)];
        let svg = svg(&Comparison { version: "PI 15.47".into(), device: "d".into(), calls });
        assert!(svg.contains("a &amp; b") && svg.contains("c &lt; d"));
        // The white background, three squares of the legend, and three bars for each call.
        assert_eq!(svg.matches("<rect").count(), 1 + 3 + 6);
        for (word, _) in SERIES {
            assert_eq!(svg.matches(word).count(), 1, "{word}");
        }
        // A scale of four decades: 1200 is at 77 %.
        assert!(svg.contains(&format!("width=\"{:.1}\"", 1200_f64.log10() / 4.0 * BARS)));
    }

    #[test]
    fn no_bar_leaves_the_picture() {
        for longest in [0.2, 1.0, 60.0, 66_469.0, 3e9] {
            let svg = svg(&Comparison {
                version: String::new(),
                device: String::new(),
                calls: vec![call("x", longest)],
            });
            let widths =
                svg.split("width=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
            let bars = widths.filter(|width| *width < MARGIN + NAMES + BARS);
            let bars: Vec<f64> = bars.collect();
            assert!(bars.iter().all(|length| (0.0..=BARS).contains(length)), "{longest}: {bars:?}");
        }
    }

    #[test]
    fn times_have_units() {
        assert_eq!(
            [1.4, 85.8, 750.0, 2157.0, 66_469.0, 5e6, 2e9].map(time),
            ["1.4 ns", "86 ns", "750 ns", "2.2 µs", "66 µs", "5 ms", "2 s"]
        );
    }
}
