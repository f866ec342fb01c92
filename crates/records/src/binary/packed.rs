//! Packed decimal numbers: two digits a byte, the sign in the last half byte.

/// The value of a packed decimal number; nothing where a half byte is no digit or the sign is none.
pub fn from_packed(bytes: &[u8]) -> Option<i64> {
    let (last, digits) = bytes.split_last()?;
    let mut value = 0i64;
    for byte in digits {
        value = push(push(value, byte >> 4)?, byte & 15)?;
    }
    value = push(value, last >> 4)?;
    match last & 15 {
        0xA | 0xC | 0xE | 0xF => Some(value),
        0xB | 0xD => Some(-value),
        _ => None,
    }
}

fn push(value: i64, digit: u8) -> Option<i64> {
    if digit > 9 { None } else { value.checked_mul(10)?.checked_add(i64::from(digit)) }
}

/// Writes a number with an unsigned-style sign (X'F'), as dates and times of SMF have it; nothing where it does not fit.
pub fn to_packed(bytes: &mut [u8], value: u64) -> Option<()> {
    let mut rest = value;
    let mut take = || {
        let digit = (rest % 10) as u8;
        rest /= 10;
        digit
    };
    let (last, digits) = bytes.split_last_mut()?;
    *last = take() << 4 | 0xF;
    for byte in digits.iter_mut().rev() {
        let low = take();
        *byte = take() << 4 | low;
    }
    (rest == 0).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_of_smf_is_read() {
        assert_eq!(from_packed(&[0x01, 0x26, 0x32, 0x7F]), Some(126_327));
    }

    #[test]
    fn signs_are_those_of_the_architecture() {
        assert_eq!(from_packed(&[0x12, 0x3D]), Some(-123));
        assert_eq!(from_packed(&[0x12, 0x3C]), Some(123));
        assert_eq!(from_packed(&[0x12, 0x34]), None, "a digit is no sign");
        assert_eq!(from_packed(&[0x1A, 0x3F]), None, "a sign is no digit");
        assert_eq!(from_packed(&[]), None);
    }

    #[test]
    fn what_was_packed_is_read() {
        for value in [0, 7, 126_327, 9_999_999] {
            let mut bytes = [0; 4];
            to_packed(&mut bytes, value).unwrap();
            assert_eq!(from_packed(&bytes), Some(value as i64));
        }
        assert_eq!(to_packed(&mut [0; 4], 10_000_000), None);
    }
}
