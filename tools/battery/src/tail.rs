//! How surprising a statistic is, in logarithms so that no tail runs out.
//!
//! A rejection may lie beyond 1e-300, where an ordinary probability underflows to
//! zero and two bad shufflers can no longer be told apart. Everything here rests on
//! one function, the incomplete gamma function: `statrs` computes it near the middle,
//! and the continued fraction or series, kept in logarithms, takes over in the tails.

use statrs::function::gamma::{gamma_lr, gamma_ur, ln_gamma};

/// Below this the ordinary probability has too few digits left to trust.
const DEEP: f64 = 1e-200;

/// Above this shape the terms of `statrs` come near its iteration limit.
const LARGE_SHAPE: f64 = 1000.0;

/// The natural logarithms of both tail probabilities of one observation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tail {
    /// ln P(at least this much).
    pub upper: f64,
    /// ln P(at most this much).
    pub lower: f64,
}

impl Tail {
    /// ln of the two-sided p-value: too good is as suspicious as too bad.
    pub fn two_sided(self) -> f64 {
        (self.upper.min(self.lower) + std::f64::consts::LN_2).min(0.0)
    }

    /// A tail where only "too much" is evidence; too little cannot happen or proves nothing.
    pub fn only_upper(self) -> Self {
        Self { upper: self.upper - std::f64::consts::LN_2, lower: 0.0 }
    }
}

/// Tails of a standard normal at `z`.
pub fn normal(z: f64) -> Tail {
    let (ln_inner, ln_outer) = ln_gamma_tails(0.5, z * z / 2.0);
    let far = ln_outer - std::f64::consts::LN_2;
    let near = (0.5 + 0.5 * ln_inner.exp()).ln();
    if z >= 0.0 { Tail { upper: far, lower: near } } else { Tail { upper: near, lower: far } }
}

/// Tails of a chi-square with `degrees` degrees of freedom at `x`.
pub fn chi_square(x: f64, degrees: f64) -> Tail {
    let (lower, upper) = ln_gamma_tails(degrees / 2.0, x / 2.0);
    Tail { upper, lower }
}

/// Tails of a Poisson count `k` when `mean` was expected; both include `k` itself.
pub fn poisson(k: u64, mean: f64) -> Tail {
    let upper = if k == 0 { 0.0 } else { ln_gamma_tails(k as f64, mean).0 };
    Tail { upper, lower: ln_gamma_tails(k as f64 + 1.0, mean).1 }
}

/// The chance that the worst of `trials` independent p-values is as small as `ln_p`, in logarithms.
pub fn worst_of(ln_p: f64, trials: f64) -> f64 {
    if ln_p < -30.0 {
        return ln_p + trials.ln();
    }
    (-(trials * (-ln_p.exp()).ln_1p()).exp_m1()).ln()
}

/// ln P(a, x) and ln Q(a, x), the regularised incomplete gamma functions.
pub fn ln_gamma_tails(a: f64, x: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (f64::NEG_INFINITY, 0.0);
    }
    if a < LARGE_SHAPE {
        let (lower, upper) = (gamma_lr(a, x), gamma_ur(a, x));
        if lower > DEEP && upper > DEEP {
            return (lower.ln(), upper.ln());
        }
    }
    if x < a + 1.0 {
        let lower = ln_series(a, x);
        (lower, ln_complement(lower))
    } else {
        let upper = ln_continued_fraction(a, x);
        (ln_complement(upper), upper)
    }
}

fn ln_complement(ln_p: f64) -> f64 {
    (-ln_p.exp_m1()).ln()
}

/// ln of x^a e^-x / gamma(a), arranged so that large terms cancel before they are summed.
fn ln_front(a: f64, x: f64) -> f64 {
    if a < LARGE_SHAPE {
        return a * x.ln() - x - ln_gamma(a);
    }
    let d = (x - a) / a;
    let stirling = 1.0 / (12.0 * a) - 1.0 / (360.0 * a.powi(3));
    a * (d.ln_1p() - d) + 0.5 * (a / (2.0 * std::f64::consts::PI)).ln() - stirling
}

fn ln_series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut k) = (1.0 / a, 1.0 / a, a);
    while term > sum * 1e-17 {
        k += 1.0;
        term *= x / k;
        sum += term;
    }
    ln_front(a, x) + sum.ln()
}

/// Lentz's evaluation of Legendre's continued fraction for Q.
fn ln_continued_fraction(a: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut h = d;
    for i in 1..1_000_000 {
        let i = f64::from(i);
        let an = -i * (i - a);
        b += 2.0;
        d = 1.0 / nonzero(an * d + b);
        c = nonzero(b + an / c);
        let step = d * c;
        h *= step;
        if (step - 1.0).abs() < 1e-15 {
            break;
        }
    }
    ln_front(a, x) + h.ln()
}

fn nonzero(v: f64) -> f64 {
    if v.abs() < 1e-300 { 1e-300 } else { v }
}
