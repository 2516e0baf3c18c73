//! Tail probabilities against values computed with forty digits.

use battery::tail::{chi_square, normal, poisson, worst_of};

fn near(name: &str, got: f64, exact: f64) {
    // Nine digits of ln p; where ln p is next to nothing, the same for p itself.
    assert!((got - exact).abs() <= 1e-9 * exact.abs() + 1e-12, "{name}: {got} instead of {exact}");
}

#[test]
fn normal_tails_agree_beyond_the_smallest_double() {
    let exact = [
        (0.1, -0.7761545927302733),
        (1.0, -1.8410216450092636),
        (5.44, -17.44084127023683),
        (10.0, -53.23128515051247),
        (37.0, -689.0305855768906),
        (60.0, -1805.0135606805673),
    ];
    for (z, ln_upper) in exact {
        near("upper", normal(z).upper, ln_upper);
        near("lower of the mirror image", normal(-z).lower, ln_upper);
    }
}

#[test]
fn chi_square_tails_agree_from_six_to_a_hundred_thousand_degrees() {
    let exact = [
        (6.0, 1.0, -4.241383135455768, -0.014492184218299193),
        (6.0, 16.81, -0.010057892359389756, -4.604422374412418),
        (6.0, 2000.0, 0.0, -986.875636623927),
        (36.0, 58.6, -0.010094691679266347, -4.600788669502062),
        (51.0, 20.0, -10.450181373309768, -2.89434421875696e-05),
        (51.0, 900.0, 0.0, -356.65675387618563),
        (1326.0, 1326.0, -0.6828709861639849, -0.7035300725207715),
        (1326.0, 2000.0, 0.0, -68.01947179860792),
        (1326.0, 1000.0, -26.858983906690728, -2.1641706343501217e-12),
        (1326.0, 5000.0, 0.0, -962.2066189792014),
        (2601.0, 2601.0, -0.6857991846401257, -0.7005495694496714),
        (2601.0, 2900.0, -3.090958767264823e-05, -10.384459596273466),
        (2601.0, 2300.0, -11.837430569135492, -7.228876307421901e-06),
        (86320.0, 86320.0, -0.6918677983698793, -0.6944282016658231),
        (86320.0, 90000.0, 0.0, -41.254250236435155),
        (86320.0, 83000.0, -35.77768167507135, 0.0),
        (172225.0, 172225.0, -0.692241262321074, -0.6940539202308786),
        (172225.0, 176000.0, 0.0, -23.192250767663335),
        (172225.0, 168000.0, -29.254373202445, 0.0),
        (132599.0, 133000.0, -0.24581560726003696, -1.5235649369309767),
    ];
    for (degrees, x, ln_lower, ln_upper) in exact {
        let tail = chi_square(x, degrees);
        // The reference for the largest shapes comes from quadrature of the density.
        let slack = if degrees > 50_000.0 { 1e-7 } else { 0.0 };
        assert!(
            (tail.upper - ln_upper).abs() <= 1e-9 * ln_upper.abs() + 1e-10 + slack,
            "{degrees} {x}: {tail:?}"
        );
        assert!(
            (tail.lower - ln_lower).abs() <= 1e-9 * ln_lower.abs() + 1e-10 + slack,
            "{degrees} {x}: {tail:?}"
        );
    }
}

#[test]
fn poisson_tails_include_the_count_itself() {
    near("none", poisson(0, 2.0).upper, 0.0);
    near("at most none", poisson(0, 2.0).lower, -2.0);
    near("at least one", poisson(1, 2.0).upper, (1.0 - (-2f64).exp()).ln());
    near("at most one", poisson(1, 2.0).lower, (3.0 * (-2f64).exp()).ln());
    // Next to never: P(at least two) is mean squared over two.
    near("twice", poisson(2, 1e-60).upper, 2.0 * 1e-60f64.ln() - 2f64.ln());
}

#[test]
fn worst_of_many_keeps_its_digits_in_the_far_tail() {
    near("near", worst_of(0.5f64.ln(), 2.0), 0.75f64.ln());
    near("far", worst_of(-1000.0, 415.0), -1000.0 + 415f64.ln());
}
