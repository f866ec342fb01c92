//! What can happen to an input: single bytes, runs, lines, numbers, tokens, encodings.

use crate::Mutator;

/// No input grows beyond this many bytes.
pub(crate) const LONGEST: usize = 1 << 18;

/// One way to change bytes at a place within them or at their end.
pub(crate) type Mutation = fn(&mut Vec<u8>, usize, &mut Mutator);

/// Every way, each as likely as the others.
pub(crate) const MUTATIONS: [Mutation; 15] = [
    |input, at, draw| flip_bit(input, at, draw),
    |input, at, draw| set_byte(input, at, draw),
    insert_byte,
    remove_run,
    repeat_run,
    cut_short,
    splice,
    insert_token,
    overwrite_with_token,
    alter_number,
    remove_line,
    repeat_line,
    swap_lines,
    change_line_ends,
    widen,
];

/// Numbers that readers stumble over.
const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "NaN",
    "inf",
    "1e999",
    ".",
    "..",
    "-.0",
    "18446744073709551616",
    "00000000000000000001",
    ".00",
    "9.9.9",
];

fn flip_bit(input: &mut [u8], at: usize, draw: &mut Mutator) {
    if let Some(byte) = input.get_mut(at) {
        *byte ^= 1 << draw.below(8);
    }
}

fn set_byte(input: &mut [u8], at: usize, draw: &mut Mutator) {
    if let Some(byte) = input.get_mut(at) {
        *byte = draw.byte();
    }
}

fn insert_byte(input: &mut Vec<u8>, at: usize, draw: &mut Mutator) {
    input.insert(at, draw.byte());
}

fn remove_run(input: &mut Vec<u8>, at: usize, draw: &mut Mutator) {
    replace(input, at, 1 + draw.below(32), b"");
}

fn repeat_run(input: &mut Vec<u8>, at: usize, draw: &mut Mutator) {
    let end = (at + 1 + draw.below(32)).min(input.len());
    let piece = input[at..end].repeat(1 + draw.below(8));
    replace(input, at, 0, &piece);
}

fn cut_short(input: &mut Vec<u8>, at: usize, _: &mut Mutator) {
    input.truncate(at);
}

/// Keeps the head and takes the tail of another input.
fn splice(input: &mut Vec<u8>, at: usize, draw: &mut Mutator) {
    let other = draw.parent();
    let from = draw.below(other.len() + 1);
    input.truncate(at);
    input.extend_from_slice(&other[from..]);
}

fn insert_token(input: &mut Vec<u8>, at: usize, draw: &mut Mutator) {
    replace(input, at, 0, &draw.token());
}

fn overwrite_with_token(input: &mut Vec<u8>, at: usize, draw: &mut Mutator) {
    let token = draw.token();
    replace(input, at, token.len(), &token);
}

/// Puts a troublesome number in place of the first number from `at` on.
fn alter_number(input: &mut Vec<u8>, at: usize, draw: &mut Mutator) {
    let numeric = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let Some(start) = input[at..].iter().position(numeric).map(|offset| at + offset) else { return };
    let length = input[start..].iter().take_while(|byte| numeric(byte)).count();
    replace(input, start, length, NUMBERS[draw.below(NUMBERS.len())].as_bytes());
}

fn remove_line(input: &mut Vec<u8>, _: usize, draw: &mut Mutator) {
    change_lines(input, draw, |lines, one, _| drop(lines.remove(one)));
}

fn repeat_line(input: &mut Vec<u8>, _: usize, draw: &mut Mutator) {
    change_lines(input, draw, |lines, one, other| lines.insert(other, lines[one].clone()));
}

fn swap_lines(input: &mut Vec<u8>, _: usize, draw: &mut Mutator) {
    change_lines(input, draw, |lines, one, other| lines.swap(one, other));
}

fn change_line_ends(input: &mut Vec<u8>, _: usize, draw: &mut Mutator) {
    let ends: [&[u8]; 4] = [b"\r\n", b"\r", b"", b" \t\n"];
    let end = ends[draw.below(ends.len())];
    *input = input.split(|byte| *byte == b'\n').collect::<Vec<_>>().join(end);
}

/// Makes the text, one time in eight, what an editor saves as UTF-16, little end first.
fn widen(input: &mut Vec<u8>, _: usize, draw: &mut Mutator) {
    if draw.below(8) == 0 {
        let wide = input.iter().flat_map(|byte| [*byte, 0]);
        *input = [0xFF, 0xFE].into_iter().chain(wide).collect();
    }
}

/// Replaces up to `length` bytes from `at` on.
fn replace(input: &mut Vec<u8>, at: usize, length: usize, by: &[u8]) {
    let end = (at + length).min(input.len());
    input.splice(at..end, by.iter().copied());
}

fn change_lines(input: &mut Vec<u8>, draw: &mut Mutator, change: fn(&mut Vec<Vec<u8>>, usize, usize)) {
    let mut lines: Vec<Vec<u8>> = input.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    if !lines.is_empty() {
        let (one, other) = (draw.below(lines.len()), draw.below(lines.len()));
        change(&mut lines, one, other);
        *input = lines.concat();
    }
}
