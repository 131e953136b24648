//! The fonts, and the glyphs of a text.

use std::sync::LazyLock;

use krilla::text::{Font, GlyphId, KrillaGlyph};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider as _};
use unicode_normalization::UnicodeNormalization as _;

/// The sign in place of a letter that no font has.
const REPLACEMENT: char = '\u{fffd}';

/// The weight of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    Bold,
}

/// A part of a text whose letters have one font.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) font: Font,
    pub(crate) text: String,
    pub(crate) glyphs: Vec<KrillaGlyph>,
}

/// A font as it is embedded and as it is measured.
struct Face {
    font: Font,
    metrics: FontRef<'static>,
}

struct Faces {
    regular: Face,
    bold: Face,
    /// The letters that the other two do not have.
    further: Face,
}

static FACES: LazyLock<Option<Faces>> = LazyLock::new(|| {
    Some(Faces {
        regular: Face::read(include_bytes!("../fonts/PublicSans-Regular.ttf"))?,
        bold: Face::read(include_bytes!("../fonts/PublicSans-Bold.ttf"))?,
        further: Face::read(include_bytes!("../fonts/NotoSans-GreekCyrillic.ttf"))?,
    })
});

/// A letter of a text: its font, its glyph, and the width of that in a font of size 1.
struct Letter<'a> {
    face: &'a Face,
    glyph: u32,
    width: f32,
}

impl Face {
    fn read(bytes: &'static [u8]) -> Option<Self> {
        Some(Self { font: Font::new(bytes.into(), 0)?, metrics: FontRef::new(bytes).ok()? })
    }

    fn find(&self, letter: char) -> Option<Letter<'_>> {
        let glyph = self.metrics.charmap().map(letter).filter(|glyph| glyph.to_u32() != 0)?;
        let advances = self.metrics.glyph_metrics(Size::unscaled(), LocationRef::default());
        let width = advances.advance_width(glyph).unwrap_or_default() / self.font.units_per_em();
        Some(Letter { face: self, glyph: glyph.to_u32(), width })
    }
}

impl Faces {
    fn find(&self, letter: char, weight: Weight) -> Option<Letter<'_>> {
        let first = if weight == Weight::Bold { &self.bold } else { &self.regular };
        first.find(letter).or_else(|| self.further.find(letter)).or_else(|| self.further.find(REPLACEMENT))
    }
}

/// A text as a paper can show it: composed letters, plain spaces, nothing that controls its direction or is no letter.
pub(crate) fn clean_text(text: &str) -> String {
    let cleaned = text.nfc().filter_map(|letter| match letter {
        '\u{a0}' | '\u{202f}' | '\u{2007}' => Some('\u{a0}'),
        '\u{2010}' | '\u{2011}' => Some('-'),
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => None,
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}' => Some(REPLACEMENT),
        '\u{fdd0}'..='\u{fdef}' => Some(REPLACEMENT),
        other if u32::from(other) & 0xfffe == 0xfffe => Some(REPLACEMENT),
        other if other.is_whitespace() => Some(' '),
        other if other.is_control() => None,
        other => Some(other),
    });
    cleaned.collect()
}

/// The width of a text.
pub(crate) fn measure_text(text: &str, weight: Weight, size: f32) -> f32 {
    let Some(faces) = FACES.as_ref() else { return 0.0 };
    text.chars().filter_map(|letter| faces.find(letter, weight)).map(|letter| letter.width).sum::<f32>() * size
}

/// Splits a text into runs of one font. None if the fonts of this crate cannot be read.
pub(crate) fn shape_text(text: &str, weight: Weight) -> Option<Vec<Run>> {
    let faces = FACES.as_ref()?;
    let mut runs: Vec<Run> = Vec::new();
    for letter in text.chars() {
        let Some(found) = faces.find(letter, weight) else { continue };
        if runs.last().is_none_or(|run| run.font != found.face.font) {
            runs.push(Run { font: found.face.font.clone(), text: String::new(), glyphs: Vec::new() });
        }
        let Some(run) = runs.last_mut() else { continue };
        let start = run.text.len();
        run.text.push(letter);
        let range = start..run.text.len();
        run.glyphs.push(KrillaGlyph::new(GlyphId::new(found.glyph), found.width, 0.0, 0.0, 0.0, range, None));
    }
    Some(runs)
}

/// Breaks a text into lines of at most a width. A line that goes on ends with its space. A word that is too long is broken.
pub(crate) fn wrap_text(text: &str, weight: Weight, size: f32, width: f32) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0.0;
    let space = measure_text(" ", weight, size);
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let mut wide = measure_text(word, weight, size);
        let gap = if line.is_empty() { 0.0 } else { space };
        if used + gap + wide > width && !line.is_empty() {
            line.push(' ');
            lines.push(std::mem::take(&mut line));
            used = 0.0;
        } else if !line.is_empty() {
            line.push(' ');
            used += gap;
        }
        if wide > width {
            wide = 0.0;
            for letter in word.chars() {
                let one = measure_text(letter.encode_utf8(&mut [0; 4]), weight, size);
                if wide + one > width && !line.is_empty() {
                    lines.push(std::mem::take(&mut line));
                    wide = 0.0;
                }
                line.push(letter);
                wide += one;
            }
        } else {
            line.push_str(word);
        }
        used += wide;
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fonts_have_every_letter_that_labels_use() {
        for weight in [Weight::Regular, Weight::Bold] {
            for letter in "ABCXYZabcxyzéèêëàâçîïôùûüÿœŒÉÀÇáíóúñ¿¡’–—·…0123456789$€%,.-\u{a0}".chars()
            {
                let found = FACES.as_ref().unwrap().find(letter, weight).unwrap();
                assert!(found.face.font != FACES.as_ref().unwrap().further.font, "{letter} {weight:?}");
            }
        }
    }

    #[test]
    fn a_text_has_one_run_for_each_font_and_loses_no_letter() {
        let runs = shape_text("Zoë Иван 张", Weight::Regular).unwrap();
        let texts: Vec<&str> = runs.iter().map(|run| run.text.as_str()).collect();
        assert_eq!(texts, ["Zoë ", "Иван", " ", "张"]);
        assert!(runs.iter().flat_map(|run| &run.glyphs).all(|glyph| glyph.glyph_id.to_u32() != 0));
    }

    #[test]
    fn a_text_is_cleaned_of_what_is_no_letter() {
        assert_eq!(clean_text("e\u{301}\u{202e}a\tb\u{0}\u{e000}\u{202f}c\u{fffe}"), "éa b\u{fffd}\u{a0}c\u{fffd}");
    }

    #[test]
    fn no_line_is_wider_than_its_column() {
        let text = "a rather long description with Donaudampfschifffahrtsgesellschaftskapitän inside of it";
        let lines = wrap_text(text, Weight::Regular, 10.0, 90.0);
        assert!(lines.len() > 4, "{lines:?}");
        for line in &lines {
            assert!(measure_text(line.trim_end(), Weight::Regular, 10.0) <= 90.0, "{line}");
        }
        assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
        assert_eq!(wrap_text("ab", Weight::Regular, 10.0, 0.0), ["a", "b"]);
    }
}
