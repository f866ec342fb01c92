//! Hexadecimal floating-point numbers of System/360: sign, exponent of 16 with excess 64, fraction.

/// The value of a short (four bytes) or long (eight bytes) number; nothing for any other length.
pub fn from_hex_float(bytes: &[u8]) -> Option<f64> {
    if bytes.len() != 4 && bytes.len() != 8 {
        return None;
    }
    let fraction = bytes[1..].iter().fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
    let exponent = i32::from(bytes[0] & 0x7F) - 64;
    let digits = 2 * (bytes.len() as i32 - 1);
    let value = fraction as f64 * 16f64.powi(exponent - digits);
    Some(if bytes[0] & 0x80 == 0 { value } else { -value })
}

/// The short number nearest to a value; nothing for what is beyond its range or not a number.
pub fn to_hex_float(value: f64) -> Option<[u8; 4]> {
    if value == 0.0 {
        return Some([0; 4]);
    }
    if !value.is_finite() {
        return None;
    }
    let sign = if value < 0.0 { 0x80 } else { 0 };
    let (mut fraction, mut exponent) = (value.abs(), 0);
    while fraction >= 1.0 {
        fraction /= 16.0;
        exponent += 1;
    }
    while fraction < 1.0 / 16.0 {
        fraction *= 16.0;
        exponent -= 1;
    }
    let mut digits = (fraction * f64::from(1 << 24)).round() as u32;
    if digits == 1 << 24 {
        digits >>= 4;
        exponent += 1;
    }
    if exponent < -64 {
        return Some([0; 4]);
    }
    let head = u8::try_from(exponent + 64).ok().filter(|head| *head < 128)?;
    let [_, a, b, c] = digits.to_be_bytes();
    Some([sign | head, a, b, c])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers_have_their_bytes() {
        for (value, bytes) in
            [(1.0, [0x41, 0x10, 0, 0]), (-118.625, [0xC2, 0x76, 0xA0, 0]), (0.5, [0x40, 0x80, 0, 0]), (0.0, [0; 4])]
        {
            assert_eq!(to_hex_float(value), Some(bytes));
            assert_eq!(from_hex_float(&bytes), Some(value));
        }
    }

    #[test]
    fn a_value_comes_back_to_twenty_one_bits() {
        for value in [3.3, 1e-30, 6.5e9, 123_456.789, 1.0 / 3.0] {
            let back = from_hex_float(&to_hex_float(value).unwrap()).unwrap();
            assert!((back / value - 1.0).abs() < 1.0 / f64::from(1 << 20), "{value} {back}");
        }
    }

    #[test]
    fn whatever_is_read_is_written_to_the_same_value() {
        for head in 1..127u8 {
            let bytes = [head, 0x9A, 0xBC, 0xDE];
            assert_eq!(to_hex_float(from_hex_float(&bytes).unwrap()), Some(bytes));
        }
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        assert_eq!(to_hex_float(1e80), None);
        assert_eq!(to_hex_float(f64::NAN), None);
        assert_eq!(from_hex_float(&[1, 2]), None);
    }
}
