//! Exponents: the slope of a line through measurements, in logarithms of both, by least squares.

/// Fewer measurements say more about the noise than about the exponent.
const LEAST: usize = 3;

/// The exponent `e` for which `y = c · x^e` fits best; none with fewer than three measurements, or if all are at one `x`.
pub fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let logs: Vec<(f64, f64)> =
        points.iter().filter(|(x, y)| *x > 0.0 && *y > 0.0).map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let (mean_x, mean_y) =
        (logs.iter().map(|(x, _)| x).sum::<f64>() / count, logs.iter().map(|(_, y)| y).sum::<f64>() / count);
    let spread: f64 = logs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let common: f64 = logs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    (logs.len() >= LEAST && spread > 0.0).then(|| common / spread)
}

/// An exponent as text.
pub fn text(exponent: Option<f64>) -> String {
    exponent.map_or("-".to_string(), |exponent| format!("{exponent:.1}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_found() {
        let cubes: Vec<(f64, f64)> = (1..6).map(|x| (f64::from(x), 7.0 * f64::from(x).powi(3))).collect();
        assert!((exponent(&cubes).expect("a slope") - 3.0).abs() < 1e-9);
        assert_eq!((exponent(&cubes[..2]), exponent(&[])), (None, None));
        assert_eq!(exponent(&[(2.0, 5.0); 4]), None, "one size is no curve");
        assert_eq!(text(exponent(&[(2.0, 5.0), (4.0, 5.0), (8.0, 5.0)])), "0.0");
    }
}
