//! Patterns for the whole numbers between two bounds, and texts that match a pattern.

use regex_syntax::hir::{Class, Hir, HirKind};

/// The pattern of the decimal numbers from `low` to `high`. It is exact where neither is near the end of 64 bits.
pub(crate) fn between(low: i64, high: i64) -> String {
    let mut choices = Vec::new();
    if low < 0 {
        // The negative numbers, mirrored.
        let (from, to) = (high.min(-1).unsigned_abs(), low.unsigned_abs());
        choices.extend(ranges(from, to).into_iter().map(|digits| format!("-{digits}")));
    }
    if high >= 0 {
        choices.extend(ranges(low.max(0).unsigned_abs(), high.unsigned_abs()));
    }
    format!("^({})$", choices.join("|"))
}

/// One pattern for each run of numbers that differ only in their last digits.
fn ranges(from: u64, to: u64) -> Vec<String> {
    let mut found = Vec::new();
    let mut start = from;
    while start <= to {
        let end = run(start, to);
        found.push(digits(start, end));
        match end.checked_add(1) {
            Some(next) => start = next,
            None => break,
        }
    }
    found
}

/// The last number of the longest run from `start` with as many digits, whose last digits take every value.
fn run(start: u64, to: u64) -> u64 {
    let mut end = start;
    let mut unit = 1_u64;
    loop {
        // All values of the digit at `unit` from the start's own on, as far as they go.
        let place = start / unit % 10;
        let mut best = None;
        for digit in place..10 {
            let candidate =
                (start / unit + (digit - place)).checked_mul(unit).and_then(|base| base.checked_add(unit - 1));
            match candidate {
                Some(candidate) if candidate <= to && length(candidate) == length(start) => best = Some(candidate),
                _ => break,
            }
        }
        let Some(candidate) = best else { return end };
        end = candidate;
        let Some(next) = unit.checked_mul(10) else { return end };
        // The next digit counts only where all lower digits were zero and went up to nine.
        if !start.is_multiple_of(next) || end % next != next - 1 || start == 0 {
            return end;
        }
        unit = next;
    }
}

fn length(number: u64) -> usize {
    number.to_string().len()
}

/// The pattern of `start` to `end`, which have the same number of digits.
fn digits(start: u64, end: u64) -> String {
    let mut out = String::new();
    let mut free = 0;
    for (one, other) in start.to_string().chars().zip(end.to_string().chars()) {
        match (one, other) {
            (one, other) if one == other => out.push(one),
            ('0', '9') => free += 1,
            (one, other) => out.push_str(&format!("[{one}-{other}]")),
        }
    }
    match free {
        0 => {}
        1 => out.push_str("[0-9]"),
        free => out.push_str(&format!("[0-9]{{{free}}}")),
    }
    out
}

/// A text of at least `shortest` and at most `longest` letters that matches `pattern`.
pub(crate) fn admitted(pattern: &str, shortest: usize, longest: usize) -> Option<String> {
    let hir = regex_syntax::parse(pattern).ok()?;
    let regex = regex::Regex::new(pattern).ok()?;
    let mut candidates = (0..=64).map(|stretch| {
        let mut text = String::new();
        write(&hir, stretch, &mut text);
        text
    });
    candidates.find(|text| (shortest..=longest).contains(&text.chars().count()) && regex.is_match(text))
}

/// Writes a text of the pattern; a repetition is repeated up to `stretch` times.
fn write(hir: &Hir, stretch: u32, out: &mut String) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => out.extend(letter(class)),
        HirKind::Repetition(repetition) => {
            let times = stretch.max(repetition.min).min(repetition.max.unwrap_or(u32::MAX));
            for _ in 0..times {
                write(&repetition.sub, stretch, out);
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, stretch, out),
        HirKind::Concat(parts) => parts.iter().for_each(|part| write(part, stretch, out)),
        HirKind::Alternation(choices) => {
            if let Some(choice) = choices.first() {
                write(choice, stretch, out);
            }
        }
    }
}

/// A readable letter of the class.
fn letter(class: &Class) -> Option<char> {
    match class {
        Class::Unicode(class) => {
            let has = |letter: char| class.iter().any(|range| (range.start()..=range.end()).contains(&letter));
            ['a', 'A', '1', '-']
                .into_iter()
                .find(|letter| has(*letter))
                .or_else(|| class.iter().next().map(|range| range.start()))
        }
        Class::Bytes(class) => class.iter().next().map(|range| char::from(range.start())),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn admits(pattern: &str, number: i64) -> bool {
        regex::Regex::new(pattern).unwrap().is_match(&number.to_string())
    }

    #[test]
    fn a_range_of_numbers_is_a_short_pattern() {
        assert_eq!(between(0, 25), "^([0-9]|1[0-9]|2[0-5])$");
        assert_eq!(between(0, 1000), "^([0-9]|[1-9][0-9]|[1-9][0-9]{2}|1000)$");
        assert_eq!(between(7, 7), "^(7)$");
    }

    proptest! {
        #[test]
        fn a_pattern_admits_what_lies_between(low in -5000_i64..5000, size in 0_i64..5000, number in -12000_i64..12000) {
            let high = low + size;
            prop_assert_eq!(admits(&between(low, high), number), (low..=high).contains(&number));
            prop_assert!(admits(&between(low, high), low) && admits(&between(low, high), high));
        }

        #[test]
        fn wide_ranges_end_where_they_should(low in any::<i32>(), high in any::<i32>()) {
            let (low, high) = (i64::from(low.min(high)), i64::from(low.max(high)));
            let pattern = between(low, high);
            prop_assert!(admits(&pattern, low) && admits(&pattern, high));
            prop_assert!(!admits(&pattern, low - 1) && !admits(&pattern, high + 1));
        }
    }

    #[test]
    fn a_text_is_found_for_a_pattern() {
        for (pattern, shortest, longest) in [
            ("^[0-9]{4}$", 0, 10),
            ("^([0-9]{6})?$", 0, 10),
            ("^[A-Za-z0-9][A-Za-z0-9._-]{2,63}$", 5, 64),
            ("^([0-9]{5}(-[0-9]{4})?|[A-Za-z][0-9][A-Za-z] ?[0-9][A-Za-z][0-9])$", 0, 16),
            ("^(\\+[1-9][0-9]{6,14})?$", 1, 16),
            ("^[^\\x00]*$", 3, 8),
        ] {
            let text = admitted(pattern, shortest, longest).unwrap();
            assert!(regex::Regex::new(pattern).unwrap().is_match(&text), "{pattern}: {text}");
        }
        assert_eq!(admitted("^a$", 2, 3), None);
    }
}
