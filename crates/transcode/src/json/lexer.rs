//! Reads JSON text token by token.

use std::borrow::Cow;

use crate::error::{Failure, Read};

use super::number;

/// A place in a JSON text that is known to be UTF-8.
#[derive(Clone, Copy)]
pub(crate) struct Lexer<'j> {
    json: &'j str,
    at: usize,
}

/// The text between the quotes of a string.
#[derive(Clone, Copy)]
pub(crate) struct Quoted<'j> {
    text: &'j str,
    escaped: bool,
    /// The offset of its start, after the quote.
    at: usize,
}

const LONGS: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The offset of the first byte that a JSON string must escape: a quote, a backslash or a control character.
#[inline]
pub(crate) fn first_special(text: &[u8]) -> Option<usize> {
    // Eight bytes at a time: the sign bit of a byte in `found` is set if the byte is special. Borrows between the bytes
    // can set bits above the first special byte, never below it, so that the first one is exact.
    let (words, rest) = text.as_chunks::<8>();
    for (word, index) in words.iter().zip(0..) {
        let word = u64::from_le_bytes(*word);
        let quote = word ^ (LONGS * 0x22);
        let backslash = word ^ (LONGS * 0x5c);
        let found = ((word.wrapping_sub(LONGS * 0x20) & !word)
            | (quote.wrapping_sub(LONGS) & !quote)
            | (backslash.wrapping_sub(LONGS) & !backslash))
            & HIGHS;
        if found != 0 {
            return Some(index * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let at = rest.iter().position(|byte| matches!(byte, 0..0x20 | b'"' | b'\\'))?;
    Some(words.len() * 8 + at)
}

impl<'j> Lexer<'j> {
    /// Starts at the beginning of `json`.
    pub(crate) fn new(json: &'j [u8]) -> Read<Self> {
        match std::str::from_utf8(json) {
            Ok(json) => Ok(Self { json, at: 0 }),
            Err(error) => Err(Failure::malformed("text that is not UTF-8", error.valid_up_to())),
        }
    }

    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    #[inline]
    fn next(&self) -> Option<u8> {
        self.json.as_bytes().get(self.at).copied()
    }

    /// The first byte of the next token. `None` at the end.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        loop {
            match self.next() {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                next => return next,
            }
        }
    }

    /// Skips `byte` if it is the next token.
    #[inline]
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let taken = self.peek() == Some(byte);
        self.at += usize::from(taken);
        taken
    }

    /// Skips `byte`, which must be the next token; `expected` names the alternatives for the error.
    #[inline]
    pub(crate) fn expect(&mut self, byte: u8, expected: &str) -> Read<()> {
        if self.take(byte) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// After a member or an element: skips the comma if another one follows, or else `close`.
    #[inline]
    pub(crate) fn more(&mut self, close: u8) -> Read<bool> {
        if self.take(b',') {
            Ok(true)
        } else if self.take(close) {
            Ok(false)
        } else {
            Err(self.unexpected(if close == b'}' { "`,` or `}`" } else { "`,` or `]`" }))
        }
    }

    /// Checks that nothing follows the value.
    pub(crate) fn end(&mut self) -> Read<()> {
        if self.peek().is_none() { Ok(()) } else { Err(self.unexpected("nothing more")) }
    }

    #[cold]
    pub(crate) fn unexpected(&self, expected: &str) -> Box<Failure> {
        Failure::malformed(format!("expected {expected}"), self.at)
    }

    /// The error of a next token whose value has another kind than the field, or that is not even a value.
    #[cold]
    pub(crate) fn mismatch(&mut self, message: &str) -> Box<Failure> {
        match self.peek() {
            Some(b'"' | b'{' | b'[' | b't' | b'f' | b'n' | b'-' | b'0'..=b'9') => Failure::invalid(message, self.at),
            _ => self.unexpected("a value"),
        }
    }

    /// Skips `word`; its first letter is the next token.
    pub(crate) fn word(&mut self, word: &str) -> Read<()> {
        let rest = self.json.get(self.at..).unwrap_or_default();
        if rest.starts_with(word) {
            self.at += word.len();
            Ok(())
        } else {
            Err(self.unexpected("a value"))
        }
    }

    /// Reads a number; its first byte is the next token.
    #[inline]
    pub(crate) fn number(&mut self) -> Read<&'j str> {
        let rest = self.json.get(self.at..).unwrap_or_default();
        let length = number::length(rest.as_bytes()).ok_or_else(|| self.unexpected("a number"))?;
        self.at += length;
        Ok(rest.get(..length).unwrap_or_default())
    }

    /// Reads a string; its quote is the next token.
    #[inline]
    pub(crate) fn string(&mut self) -> Read<Quoted<'j>> {
        let start = self.at + 1;
        self.at = start;
        let mut escaped = false;
        loop {
            let rest = self.json.as_bytes().get(self.at..).unwrap_or_default();
            let Some(ahead) = first_special(rest) else {
                self.at = self.json.len();
                return Err(self.unexpected("`\"`"));
            };
            self.at += ahead;
            match rest.get(ahead) {
                Some(b'"') => {
                    let text = self.json.get(start..self.at).unwrap_or_default();
                    self.at += 1;
                    return Ok(Quoted { text, escaped, at: start });
                }
                Some(b'\\') => {
                    escaped = true;
                    // If a longer character follows the backslash, the search goes on within it; none of its bytes is
                    // special.
                    self.at += 2;
                }
                _ => return Err(Failure::malformed("a control character stands in a string", self.at)),
            }
        }
    }

    /// Reads a key and its colon.
    #[inline]
    pub(crate) fn key(&mut self) -> Read<Quoted<'j>> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a key"));
        }
        let key = self.string()?;
        self.expect(b':', "`:`")?;
        Ok(key)
    }

    /// Skips a value of any kind, in a message that is `depth` messages deep. A message may hold a list, and a list may
    /// hold messages, so each message left allows two brackets.
    pub(crate) fn skip(&mut self, depth: u32) -> Read<()> {
        let most = 2 * crate::DEPTH_LIMIT.saturating_sub(depth) as usize + 1;
        // For each open bracket, whether it belongs to an object.
        let mut open = Vec::new();
        loop {
            match self.peek() {
                Some(bracket @ (b'{' | b'[')) => {
                    if open.len() >= most {
                        return Err(Failure::too_deep(self.at));
                    }
                    self.at += 1;
                    let object = bracket == b'{';
                    if !self.take(if object { b'}' } else { b']' }) {
                        open.push(object);
                        if object {
                            self.key()?.check()?;
                        }
                        continue;
                    }
                }
                Some(b'"') => self.string()?.check()?,
                Some(b't') => self.word("true")?,
                Some(b'f') => self.word("false")?,
                Some(b'n') => self.word("null")?,
                Some(b'-' | b'0'..=b'9') => drop(self.number()?),
                _ => return Err(self.unexpected("a value")),
            }
            // A value has ended, and with it each value whose last part it was.
            loop {
                let Some(object) = open.last().copied() else { return Ok(()) };
                if self.more(if object { b'}' } else { b']' })? {
                    if object {
                        self.key()?.check()?;
                    }
                    break;
                }
                open.pop();
            }
        }
    }
}

impl<'j> Quoted<'j> {
    /// The text, if it has no escapes.
    #[inline]
    pub(crate) fn plain(&self) -> Option<&'j str> {
        (!self.escaped).then_some(self.text)
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text.
    #[inline]
    pub(crate) fn text(&self) -> Read<Cow<'j, str>> {
        if !self.escaped {
            return Ok(Cow::Borrowed(self.text));
        }
        let mut text = String::with_capacity(self.text.len());
        self.pieces(|piece| text.push_str(piece))?;
        Ok(Cow::Owned(text))
    }

    /// Appends the text.
    pub(crate) fn put(&self, out: &mut Vec<u8>) -> Read<()> {
        if !self.escaped {
            out.extend_from_slice(self.text.as_bytes());
            return Ok(());
        }
        self.pieces(|piece| out.extend_from_slice(piece.as_bytes()))
    }

    /// Checks the escapes only.
    pub(crate) fn check(&self) -> Read<()> {
        if self.escaped { self.pieces(|_| ()) } else { Ok(()) }
    }

    fn pieces(&self, mut piece: impl FnMut(&str)) -> Read<()> {
        let mut rest = self.text;
        while let Some((plain, after)) = rest.split_once('\\') {
            piece(plain);
            let at = self.at + self.text.len() - after.len() - 1;
            let refused = || Failure::malformed("a string has an escape that there is not", at);
            let escape = after.as_bytes().first().ok_or_else(refused)?;
            let mut length = 1;
            match escape {
                b'"' => piece("\""),
                b'\\' => piece("\\"),
                b'/' => piece("/"),
                b'b' => piece("\u{8}"),
                b'f' => piece("\u{c}"),
                b'n' => piece("\n"),
                b'r' => piece("\r"),
                b't' => piece("\t"),
                b'u' => {
                    let (character, digits) = unicode(after).ok_or_else(refused)?;
                    piece(character.encode_utf8(&mut [0; 4]));
                    length += digits;
                }
                _ => return Err(refused()),
            }
            rest = after.get(length..).unwrap_or_default();
        }
        piece(rest);
        Ok(())
    }
}

/// The character of `u0041` or of the pair `ud83e\udd80`, and the number of bytes after the `u`. Half a pair is no
/// character.
fn unicode(escape: &str) -> Option<(char, usize)> {
    let unit = |at: usize| {
        let digits = escape.get(at..at + 4)?;
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
    };
    let first = unit(1)?;
    if let Some(character) = char::from_u32(first) {
        return Some((character, 4));
    }
    let second = unit(7).filter(|_| escape.get(5..7) == Some("\\u"))?;
    if (0xd800..0xdc00).contains(&first) && (0xdc00..0xe000).contains(&second) {
        return Some((char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00))?, 10));
    }
    None
}

#[cfg(test)]
mod tests;
