//! Texts in Helvetica, the font that every reader of PDFs has.

/// The widths of the letters from the space to the tilde, in thousandths of the size.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];
/// The width of other letters: that of a wide one, so that a text fits.
const OTHER: u16 = 722;
/// The letters of WinAnsiEncoding from 0x80 to 0x9f.
const SPECIAL: [(char, u8); 27] = [
    ('€', 0x80),
    ('‚', 0x82),
    ('ƒ', 0x83),
    ('„', 0x84),
    ('…', 0x85),
    ('†', 0x86),
    ('‡', 0x87),
    ('ˆ', 0x88),
    ('‰', 0x89),
    ('Š', 0x8a),
    ('‹', 0x8b),
    ('Œ', 0x8c),
    ('Ž', 0x8e),
    ('‘', 0x91),
    ('’', 0x92),
    ('“', 0x93),
    ('”', 0x94),
    ('•', 0x95),
    ('–', 0x96),
    ('—', 0x97),
    ('˜', 0x98),
    ('™', 0x99),
    ('š', 0x9a),
    ('›', 0x9b),
    ('œ', 0x9c),
    ('ž', 0x9e),
    ('Ÿ', 0x9f),
];

/// The text in WinAnsiEncoding, or the first letter that it has not.
pub(crate) fn encode(text: &str) -> Result<Vec<u8>, char> {
    text.chars().map(|letter| code_of(letter).ok_or(letter)).collect()
}

fn code_of(letter: char) -> Option<u8> {
    match letter {
        '\t' => Some(b' '),
        ' '..='~' | '\u{a0}'..='\u{ff}' => u8::try_from(u32::from(letter)).ok(),
        _ => SPECIAL.iter().find(|(known, _)| *known == letter).map(|(_, code)| *code),
    }
}

/// The width of a text in a size.
pub(crate) fn width(text: &str, size: f32) -> f32 {
    let of = |letter: char| {
        let place = u32::from(letter).checked_sub(32).and_then(|place| usize::try_from(place).ok());
        f32::from(place.and_then(|place| WIDTHS.get(place)).copied().unwrap_or(OTHER))
    };
    text.chars().map(of).sum::<f32>() * size / 1000.0
}

/// The lines of a text that fit a width. A word that does not is broken.
pub(crate) fn wrap(text: &str, size: f32, room: f32) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if width(&longer, size) <= room {
                line = longer;
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            for letter in word.chars() {
                line.push(letter);
                if width(&line, size) > room && line.chars().count() > 1 {
                    line.pop();
                    lines.push(std::mem::replace(&mut line, letter.to_string()));
                }
            }
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_fits_and_no_letter_is_lost() {
        let text =
            "A long sentence about a house in Saint-Jérôme, with anextraordinarilylongwordwithoutanyspace.\n\nEnd";
        let lines = wrap(text, 10.0, 90.0);
        assert!(lines.iter().all(|line| width(line, 10.0) <= 90.0), "{lines:?}");
        let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>();
        assert_eq!(letters(&lines.concat()), letters(text));
        assert_eq!(wrap("", 10.0, 90.0), Vec::<String>::new());
    }

    #[test]
    fn letters_of_the_locales_are_there() {
        assert_eq!(encode("Año €5 – “œuvre” É").unwrap().len(), 18);
        assert_eq!(encode("a漢"), Err('漢'));
    }
}
