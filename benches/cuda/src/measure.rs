//! Alternate sampling: in each round all operations are repeated many times, alternating between the driver's way and
//! the other ways.

use std::time::Instant;

/// The number of rounds that count. In each, every operation is repeated `count` times.
const ROUNDS: usize = 301;
/// The number of rounds before them.
const WARM_UP: usize = 3;

/// Another way to perform an operation, mostly the plugin's.
pub(crate) type Way<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// An operation to time: the number of repetitions, the driver's way, and other ways.
pub(crate) struct Case<'a> {
    pub(crate) name: &'static str,
    pub(crate) count: usize,
    pub(crate) driver: Box<dyn FnMut() + 'a>,
    pub(crate) ways: Vec<Way<'a>>,
    /// The owner of those ways.
    pub(crate) whose: &'static str,
}

fn time(count: usize, work: &mut dyn FnMut(), after: &dyn Fn()) -> f64 {
    let start = Instant::now();
    for _ in 0..count {
        work();
    }
    let nanoseconds = start.elapsed().as_nanos() as f64 / count as f64;
    after();
    nanoseconds
}

pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Only performs the way of that name, `count` times and untimed, for tools that count instructions.
pub(crate) fn repeat(cases: &mut [Case<'_>], way: &str, count: usize) {
    let ways = cases.iter_mut().flat_map(|case| &mut case.ways);
    let (_, work) = ways.into_iter().find(|(name, _)| *name == way).expect("no way has this name");
    (0..count).for_each(|_| work());
}

/// Times and prints all cases. Between the timed parts, `drain` waits for submitted commands. Returns each number as
/// JSON.
pub(crate) fn run(title: &str, cases: &mut [Case<'_>], drain: &dyn Fn()) -> Vec<String> {
    println!(
        "{title}; nanoseconds per call, medians of {ROUNDS} rounds; added is the median of each round's difference"
    );
    let mut json = Vec::new();
    for case in cases {
        let mut of_driver = Vec::new();
        let mut of_way = vec![Vec::new(); case.ways.len()];
        let mut added = of_way.clone();
        for round in 0..ROUNDS + WARM_UP {
            let base = time(case.count, &mut case.driver, drain);
            if round >= WARM_UP {
                of_driver.push(base);
            }
            for (index, (_, work)) in case.ways.iter_mut().enumerate() {
                let value = time(case.count, work, drain);
                if round >= WARM_UP {
                    of_way[index].push(value);
                    added[index].push(value - base);
                }
            }
        }
        let base = median(&mut of_driver);
        println!("{:40} driver {base:9.1}", case.name);
        json.push(format!("{{\"case\":\"{}\",\"way\":\"driver\",\"ns\":{base:.1}}}", case.name));
        for (index, (way, _)) in case.ways.iter().enumerate() {
            let (value, more) = (median(&mut of_way[index]), median(&mut added[index]));
            println!("{:40} {} {value:9.1}  {more:+8.1}  {way}", "", case.whose);
            json.push(format!(
                "{{\"case\":\"{}\",\"way\":\"{way}\",\"ns\":{value:.1},\"added\":{more:.1}}}",
                case.name
            ));
        }
    }
    json
}
