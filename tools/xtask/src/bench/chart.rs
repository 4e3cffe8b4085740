//! The chart: what each plugin adds to the driver's own cost.

use std::fmt::Write as _;

use crate::bench::costs::Costs;

const NAME_WIDTH: f64 = 300.0;
const BAR_WIDTH: f64 = 420.0;
const LINE: f64 = 22.0;
const TOP: f64 = 64.0;
/// The longest bar. A longer one is cut, with its length beside it.
const MOST_NS: f64 = 60.0;

/// An SVG of all operations.
pub(crate) fn svg(costs: &Costs) -> String {
    let height = TOP + LINE * costs.operations.len() as f64 + 20.0;
    let width = NAME_WIDTH + BAR_WIDTH + 110.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"10\" y=\"22\" font-size=\"15\">Nanoseconds per operation on top of the bare driver, PI {}</text>\n\
         <rect x=\"10\" y=\"34\" width=\"12\" height=\"12\" fill=\"#2a6f97\"/><text x=\"28\" y=\"45\">this plugin</text>\n\
         <rect x=\"120\" y=\"34\" width=\"12\" height=\"12\" fill=\"#b0b0b0\"/><text x=\"138\" y=\"45\">the vendor's plugin</text>\n",
        costs.version
    );
    for ns in [0.0, costs.line.own_ns, 30.0, 45.0, MOST_NS] {
        let x = NAME_WIDTH + ns / MOST_NS * BAR_WIDTH;
        let colour = if ns == costs.line.own_ns { "#c1121f" } else { "#dddddd" };
        let bottom = height - 16.0;
        let _ = writeln!(
            out,
            "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"{colour}\"/>\
             <text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\" fill=\"#666666\">{ns}</text>",
            TOP - 4.0
        );
    }
    for (index, cost) in costs.operations.iter().enumerate() {
        let y = TOP + LINE * index as f64 + 3.0;
        let _ = writeln!(
            out,
            "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{} ({:.0})</text>",
            NAME_WIDTH - 8.0,
            y + 13.0,
            cost.name,
            cost.bare
        );
        bar(&mut out, y, cost.ours - cost.bare, "#2a6f97");
        bar(&mut out, y + 9.0, cost.vendor - cost.bare, "#b0b0b0");
    }
    out.push_str("</svg>\n");
    out
}

fn bar(out: &mut String, y: f64, ns: f64, colour: &str) {
    let length = ns.clamp(0.0, MOST_NS) / MOST_NS * BAR_WIDTH;
    let _ = writeln!(
        out,
        "<rect x=\"{NAME_WIDTH}\" y=\"{y:.1}\" width=\"{length:.1}\" height=\"8\" fill=\"{colour}\"/>"
    );
    if ns > MOST_NS {
        let x = NAME_WIDTH + BAR_WIDTH + 4.0;
        let _ = writeln!(out, "<text x=\"{x:.0}\" y=\"{:.1}\" font-size=\"9\">{ns:.0}</text>", y + 8.0);
    }
}
