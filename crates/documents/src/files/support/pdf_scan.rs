//! Looks for scripts and for actions that start programs in a PDF, while its bytes pass.
//!
//! The names of a PDF stand in its bytes, or in streams of objects, which are compressed. So each stream that zlib can read
//! is read, whatever its dictionary says of it. A file with streams of objects that are packed otherwise is refused. The
//! memory is bounded.

use flate2::{Decompress, FlushDecompress, Status};

/// Names of actions and entries that no file has.
const BANNED: [(&[u8], &str); 5] = [
    (b"JavaScript", "the PDF has JavaScript"),
    (b"Launch", "the PDF has an action that starts a program"),
    (b"ImportData", "the PDF has an action that reads files"),
    (b"RichMedia", "the PDF has rich media"),
    (b"Rendition", "the PDF has rich media"),
];
/// A name that is too short to be looked for in pictures.
const XFA: (&[u8], &str) = (b"XFA", "the PDF is an XFA form, which has scripts");
/// The refusal of a part that nobody can look into.
const UNREADABLE: &str = "a part of the PDF cannot be read";
/// The longest name that is told apart, with its escapes.
const LONGEST: usize = 96;
/// The most bytes that the streams of one file hold.
const MOST_INFLATED: u64 = 1 << 30;
/// Bytes that are inflated at once.
const BLOCK: usize = 16 << 10;

/// A scan in progress.
#[derive(Default)]
pub(crate) struct PdfScan {
    names: Names,
    recent: Recent,
    object: ObjectFacts,
    file: FileFacts,
    /// The first bytes of a stream, until it is known whether zlib can read it.
    opening: Option<StreamHead>,
    inflating: Option<Box<Inflater>>,
    inflated: u64,
}

/// The facts that the names since the last `obj` tell.
#[derive(Debug, Default)]
struct ObjectFacts {
    is_object_stream: bool,
    has_count: bool,
    has_first: bool,
    has_predictor: bool,
}

/// The facts that the names of the whole file tell.
#[derive(Debug, Default)]
struct FileFacts {
    has_object_streams: bool,
    has_other_filters: bool,
    was_flate: bool,
    is_packed_twice: bool,
}

#[derive(Debug, Default)]
struct StreamHead {
    after_return: bool,
    after_line: bool,
    first: Option<u8>,
}

struct Inflater {
    inflate: Decompress,
    names: Names,
    /// It holds objects, so that it must be read to its end.
    is_objects: bool,
}

impl PdfScan {
    /// Reads the next bytes.
    ///
    /// # Errors
    /// The fault of the file, in words for its sender.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), &'static str> {
        let mut left = bytes;
        while let Some((byte, rest)) = left.split_first() {
            if self.inflating.is_some() {
                left = self.inflate(left)?;
                continue;
            }
            self.read(*byte)?;
            left = rest;
        }
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// As [`PdfScan::push`].
    pub(crate) fn end_file(&mut self) -> Result<(), &'static str> {
        if self.inflating.as_ref().is_some_and(|inflating| inflating.is_objects) {
            return Err(UNREADABLE);
        }
        self.inflating = None;
        self.read(b' ')?;
        let is_hidden = self.file.has_other_filters || self.file.is_packed_twice;
        if self.file.has_object_streams && is_hidden { Err(UNREADABLE) } else { Ok(()) }
    }

    fn read(&mut self, byte: u8) -> Result<(), &'static str> {
        if let Some(name) = self.names.push(byte) {
            check_name(&name, true)?;
            self.object.note(&name);
            self.file.note(&name);
        }
        self.recent.push(byte);
        if let Some(opening) = self.opening.take() {
            return self.open(opening, byte);
        }
        if self.recent.ends_with(b"obj") {
            self.object = ObjectFacts::default();
        }
        if self.recent.ends_with(b"stream") && !self.recent.ends_with(b"endstream") {
            self.opening = Some(StreamHead::default());
        }
        Ok(())
    }

    /// Reads on after the word `stream`: the end of the line, and two bytes.
    fn open(&mut self, mut opening: StreamHead, byte: u8) -> Result<(), &'static str> {
        let is_objects = self.object.is_objects();
        if !opening.after_line && opening.first.is_none() {
            match byte {
                b'\n' => opening.after_line = true,
                b'\r' if !opening.after_return => opening.after_return = true,
                // Some readers take a stream after a return alone.
                _ if opening.after_return => opening.first = Some(byte),
                _ if is_objects => return Err(UNREADABLE),
                _ => return Ok(()),
            }
            self.opening = Some(opening);
            return Ok(());
        }
        let Some(first) = opening.first else {
            self.opening = Some(StreamHead { first: Some(byte), ..opening });
            return Ok(());
        };
        let is_zlib = first & 0x0f == 8 && (u16::from(first) * 256 + u16::from(byte)).is_multiple_of(31);
        if !is_zlib {
            return if is_objects { Err(UNREADABLE) } else { Ok(()) };
        }
        if is_objects && self.object.has_predictor {
            return Err(UNREADABLE);
        }
        let (inflate, names) = (Decompress::new(true), Names::default());
        self.inflating = Some(Box::new(Inflater { inflate, names, is_objects }));
        self.inflate(&[first, byte]).map(|_| ())
    }

    /// Inflates a part of a stream. Answers the bytes after it.
    fn inflate<'b>(&mut self, bytes: &'b [u8]) -> Result<&'b [u8], &'static str> {
        let Some(mut inflating) = self.inflating.take() else { return Ok(bytes) };
        let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let (mut left, mut block) = (bytes, vec![0; BLOCK]);
        loop {
            let (read, wrote) = (inflating.inflate.total_in(), inflating.inflate.total_out());
            let status = inflating.inflate.decompress(left, &mut block, FlushDecompress::None);
            let Ok(status) = status else {
                return if inflating.is_objects { Err(UNREADABLE) } else { Ok(left) };
            };
            let (read, wrote) = (inflating.inflate.total_in() - read, inflating.inflate.total_out() - wrote);
            left = left.get(size(read)..).unwrap_or_default();
            self.inflated = self.inflated.saturating_add(wrote);
            if self.inflated > MOST_INFLATED {
                return Err(UNREADABLE);
            }
            let ended = status == Status::StreamEnd;
            let inflated = block.get(..size(wrote)).unwrap_or_default().iter().copied();
            for byte in inflated.chain(ended.then_some(b' ')) {
                if let Some(name) = inflating.names.push(byte) {
                    check_name(&name, inflating.is_objects)?;
                    self.file.note(&name);
                }
            }
            if ended {
                return Ok(left);
            }
            if left.is_empty() && wrote == 0 {
                self.inflating = Some(inflating);
                return Ok(left);
            }
            if read == 0 && wrote == 0 {
                return if inflating.is_objects { Err(UNREADABLE) } else { Ok(left) };
            }
        }
    }
}

impl ObjectFacts {
    fn note(&mut self, name: &[u8]) {
        match name {
            b"ObjStm" => self.is_object_stream = true,
            b"N" => self.has_count = true,
            b"First" => self.has_first = true,
            b"Predictor" => self.has_predictor = true,
            _ => {}
        }
    }

    fn is_objects(&self) -> bool {
        self.is_object_stream || (self.has_count && self.has_first)
    }
}

impl FileFacts {
    fn note(&mut self, name: &[u8]) {
        let is_flate = matches!(name, b"FlateDecode" | b"Fl");
        self.is_packed_twice |= is_flate && self.was_flate;
        self.was_flate = is_flate;
        self.has_object_streams |= name == b"ObjStm";
        self.has_other_filters |= matches!(
            name,
            b"LZWDecode" | b"ASCII85Decode" | b"ASCIIHexDecode" | b"RunLengthDecode" | b"Crypt" | b"BrotliDecode"
        );
    }
}

fn check_name(name: &[u8], is_sure: bool) -> Result<(), &'static str> {
    let banned = BANNED.into_iter().chain(is_sure.then_some(XFA));
    match banned.into_iter().find(|(banned, _)| *banned == name) {
        Some((_, why)) => Err(why),
        None => Ok(()),
    }
}

/// The names that pass, with their escapes undone.
#[derive(Debug, Default)]
struct Names(Option<Vec<u8>>);

impl Names {
    /// The name that ends before this byte, if one does.
    fn push(&mut self, byte: u8) -> Option<Vec<u8>> {
        let ends = byte.is_ascii_whitespace() || byte == 0 || b"()<>[]{}/%".contains(&byte);
        let ended = if ends { self.0.take() } else { None };
        if byte == b'/' {
            self.0 = Some(Vec::new());
        } else if let Some(name) = self.0.as_mut().filter(|name| name.len() < LONGEST) {
            name.push(byte);
        }
        ended.map(|name| unescape(&name))
    }
}

fn unescape(name: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (mut plain, mut left) = (Vec::with_capacity(name.len()), name);
    while let Some((first, rest)) = left.split_first() {
        let escaped = match rest {
            [high, low, after @ ..] if *first == b'#' => {
                digit(*high).zip(digit(*low)).map(|(high, low)| ((high << 4) | low, after))
            }
            _ => None,
        };
        let (byte, after) = escaped.unwrap_or((*first, rest));
        plain.push(byte);
        left = after;
    }
    plain
}

/// The last bytes.
#[derive(Debug, Default)]
struct Recent([u8; 12]);

impl Recent {
    fn push(&mut self, byte: u8) {
        self.0.rotate_left(1);
        if let Some(last) = self.0.last_mut() {
            *last = byte;
        }
    }

    fn ends_with(&self, text: &[u8]) -> bool {
        self.0.ends_with(text)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn scan(bytes: &[u8], piece: usize) -> Result<(), &'static str> {
        let mut scan = PdfScan::default();
        bytes.chunks(piece).try_for_each(|piece| scan.push(piece))?;
        scan.end_file()
    }

    fn packed(text: &str) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    fn object_stream(facts: &str, content: &[u8]) -> Vec<u8> {
        [b"%PDF-1.7\n1 0 obj\n<<", facts.as_bytes(), b">>\nstream\r\n", content, b"\nendstream\nendobj\ntrailer"]
            .concat()
    }

    #[test]
    fn scripts_and_launches_are_found_wherever_they_hide() {
        let packed_script = packed("7 0 <</S/JavaScript/JS(app.alert(1))>>");
        let cut = packed(&"x ".repeat(99));
        let objects = "/Type/ObjStm/N 1/First 4/Filter/FlateDecode";
        for (file, fault) in [
            (b"%PDF-1.7\n1 0 obj <</S /JavaScript /JS (x)>> endobj".to_vec(), "the PDF has JavaScript"),
            (b"%PDF-1.7\n<</S/J#61vaScr#69pt>>".to_vec(), "the PDF has JavaScript"),
            (b"%PDF-1.7\n<</S/Launch/F(cmd.exe)>>".to_vec(), "the PDF has an action that starts a program"),
            (b"%PDF-1.7\n<</XFA 5 0 R>>".to_vec(), "the PDF is an XFA form, which has scripts"),
            (b"%PDF-1.7 /JavaScript".to_vec(), "the PDF has JavaScript"),
            (object_stream(objects, &packed_script), "the PDF has JavaScript"),
            (object_stream("/Type/#4fbjStm/Filter/FlateDecode", &packed_script), "the PDF has JavaScript"),
            (object_stream("/N 1/First 4/Filter/FlateDecode", &packed_script), "the PDF has JavaScript"),
            // A text that looks like the end of the dictionary hides nothing.
            (object_stream("/Type/ObjStm/X(endobj 2 0 obj)", &packed_script), "the PDF has JavaScript"),
            (object_stream("/Type/ObjStm/X(endobj 2 0 obj)/Filter/LZWDecode", b"lzw"), UNREADABLE),
            (object_stream("/Type/ObjStm/N 1/Filter[/FlateDecode/FlateDecode]", &packed("x")), UNREADABLE),
            (object_stream("/Type/ObjStm/N 1/Filter/LZWDecode", b"lzw"), UNREADABLE),
            (object_stream("/Type/ObjStm/N 1/DecodeParms<</Predictor 12>>", &packed("x")), UNREADABLE),
            (object_stream(objects, b"encrypted"), UNREADABLE),
            (object_stream(objects, &cut[..cut.len() - 9]), UNREADABLE),
        ] {
            for piece in [1, 7, 4096] {
                assert_eq!(scan(&file, piece), Err(fault), "{piece}: {:?}", String::from_utf8_lossy(&file));
            }
        }
    }

    #[test]
    fn plain_files_pass() {
        let plain = packed("7 0 <</Type/Font/BaseFont/Helvetica>>");
        for file in [
            b"%PDF-1.7\n1 0 obj <</Type/Catalog/JavaScripted 1>> endobj (JavaScript) Launch".to_vec(),
            object_stream("/Type/ObjStm/N 1/First 4/Filter/FlateDecode", &plain),
            object_stream("/Length 9/Filter/DCTDecode", b"\xff\xd8/JS \xff"),
            object_stream("/Length 9/Filter/FlateDecode", &packed("a picture /XFA ")),
            object_stream("/Length 9/Filter/FlateDecode", b"\x78\x9cbroken"),
        ] {
            for piece in [1, 7, 4096] {
                assert_eq!(scan(&file, piece), Ok(()), "{piece}: {:?}", String::from_utf8_lossy(&file));
            }
        }
    }
}
