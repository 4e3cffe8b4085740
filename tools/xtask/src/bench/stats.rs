//! Medians and their confidence, without assumptions about the distribution of noise.

use serde::Serialize;

/// The median of paired rounds and its spread.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Paired {
    pub(crate) median: f64,
    /// First and third quartile of the rounds.
    pub(crate) quartiles: [f64; 2],
    /// Where the true median lies with 99 % confidence (order statistics of the sign test).
    pub(crate) confidence: [f64; 2],
}

impl Paired {
    /// Of one number per round.
    pub(crate) fn of(rounds: impl Iterator<Item = f64>) -> Paired {
        let mut sorted: Vec<f64> = rounds.collect();
        sorted.sort_by(f64::total_cmp);
        let at = |rank: f64| {
            let last = sorted.len().saturating_sub(1);
            sorted.get((rank.max(0.0) as usize).min(last)).copied().unwrap_or(f64::NAN)
        };
        let count = sorted.len() as f64;
        let half_width = 2.576 * count.sqrt() / 2.0;
        Paired {
            median: at(count / 2.0),
            quartiles: [at(count / 4.0), at(3.0 * count / 4.0)],
            confidence: [at(count / 2.0 - half_width), at(count / 2.0 + half_width)],
        }
    }
}

/// The middle of the numbers.
pub(crate) fn median(numbers: &[f64]) -> f64 {
    Paired::of(numbers.iter().copied()).median
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_is_distinguished_from_noise() {
        let noise = |round: u32| f64::from(round.wrapping_mul(2_654_435_761) >> 16) / 65_536.0 - 0.5;
        let none = Paired::of((0..600).map(|round| 1.0 + noise(round) * 0.1));
        assert!(none.confidence[0] < 1.0 && none.confidence[1] > 1.0, "{none:?}");
        let some = Paired::of((0..600).map(|round| 1.02 + noise(round) * 0.1));
        assert!(some.confidence[0] > 1.0, "{some:?}");
    }

    #[test]
    fn one_round_is_its_own_median() {
        assert_eq!(median(&[3.0]), 3.0);
    }
}
