//! The wire format: reads and writes its parts.

use crate::error::WireError;

pub(crate) const VARINT: u32 = 0;
pub(crate) const FIXED64: u32 = 1;
pub(crate) const BYTES: u32 = 2;
pub(crate) const GROUP_START: u32 = 3;
pub(crate) const GROUP_END: u32 = 4;
pub(crate) const FIXED32: u32 = 5;

/// A field's value on the wire.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Raw<'w> {
    Varint(u64),
    Fixed64(u64),
    Bytes(&'w [u8]),
    Fixed32(u32),
}

/// The rest of a message's wire bytes.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'w> {
    rest: &'w [u8],
}

impl<'w> Reader<'w> {
    pub(crate) fn new(wire: &'w [u8]) -> Self {
        Self { rest: wire }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next field's key on the wire: its number times eight plus the wire type. `None` at the end.
    #[inline]
    pub(crate) fn key(&mut self) -> Result<Option<u32>, WireError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let key = self.varint()?;
        match u32::try_from(key) {
            Ok(key) if key >= 8 => Ok(Some(key)),
            _ => Err(WireError::new("a field number is out of range")),
        }
    }

    /// Whether the next field has this key, too; skips the key if so.
    #[inline]
    pub(crate) fn again(&mut self, key: u32) -> Result<bool, WireError> {
        let mut ahead = *self;
        let same = ahead.key()? == Some(key);
        if same {
            *self = ahead;
        }
        Ok(same)
    }

    #[inline]
    pub(crate) fn varint(&mut self) -> Result<u64, WireError> {
        match self.rest {
            [byte, rest @ ..] if *byte < 0x80 => {
                self.rest = rest;
                Ok(u64::from(*byte))
            }
            [low, high, rest @ ..] if *high < 0x80 => {
                self.rest = rest;
                Ok(u64::from(*low & 0x7f) | (u64::from(*high) << 7))
            }
            _ => self.long_varint(),
        }
    }

    fn long_varint(&mut self) -> Result<u64, WireError> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let Some((byte, rest)) = self.rest.split_first() else { return Err(WireError::new("a number is cut off")) };
            self.rest = rest;
            value |= u64::from(*byte & 0x7f) << shift;
            if *byte < 0x80 {
                if shift == 63 && *byte > 1 {
                    break;
                }
                return Ok(value);
            }
        }
        Err(WireError::new("a number has more than 64 bits"))
    }

    #[inline]
    pub(crate) fn fixed32(&mut self) -> Result<u32, WireError> {
        let (bytes, rest) = self.rest.split_first_chunk::<4>().ok_or_else(|| WireError::new("a number is cut off"))?;
        self.rest = rest;
        Ok(u32::from_le_bytes(*bytes))
    }

    #[inline]
    pub(crate) fn fixed64(&mut self) -> Result<u64, WireError> {
        let (bytes, rest) = self.rest.split_first_chunk::<8>().ok_or_else(|| WireError::new("a number is cut off"))?;
        self.rest = rest;
        Ok(u64::from_le_bytes(*bytes))
    }

    #[inline]
    fn bytes(&mut self) -> Result<&'w [u8], WireError> {
        let length = usize::try_from(self.varint()?).unwrap_or(usize::MAX);
        let (bytes, rest) = self.rest.split_at_checked(length).ok_or_else(|| WireError::new("a field is cut off"))?;
        self.rest = rest;
        Ok(bytes)
    }

    /// The value after `key`.
    #[inline]
    pub(crate) fn raw(&mut self, key: u32) -> Result<Raw<'w>, WireError> {
        Ok(match key & 7 {
            VARINT => Raw::Varint(self.varint()?),
            FIXED64 => Raw::Fixed64(self.fixed64()?),
            BYTES => Raw::Bytes(self.bytes()?),
            FIXED32 => Raw::Fixed32(self.fixed32()?),
            _ => return Err(WireError::new("a group stands where a value should")),
        })
    }

    /// Skips the value after `key`, which may be a group.
    pub(crate) fn skip(&mut self, key: u32) -> Result<(), WireError> {
        if key & 7 != GROUP_START {
            return self.raw(key).map(|_| ());
        }
        let mut open = vec![key >> 3];
        while let Some(innermost) = open.last() {
            let key = self.key()?.ok_or_else(|| WireError::new("a group has no end"))?;
            match key & 7 {
                GROUP_START if open.len() >= crate::DEPTH_LIMIT as usize => return Err(WireError::too_deep()),
                GROUP_START => open.push(key >> 3),
                GROUP_END if *innermost == key >> 3 => drop(open.pop()),
                GROUP_END => return Err(WireError::new("a group has the end of another")),
                _ => drop(self.raw(key)?),
            }
        }
        Ok(())
    }
}

/// The lower half. The wire has 32-bit numbers as varints of 64 bits, and their upper half does not count.
#[expect(clippy::cast_possible_truncation, reason = "the upper half does not count")]
#[inline]
pub(crate) const fn low(value: u64) -> u32 {
    value as u32
}

/// The number with the 32-bit zigzag form `zig`.
#[inline]
pub(crate) const fn unzigzag32(zig: u32) -> i32 {
    (zig >> 1).cast_signed() ^ -(zig & 1).cast_signed()
}

/// The number with the 64-bit zigzag form `zig`.
#[inline]
pub(crate) const fn unzigzag64(zig: u64) -> i64 {
    (zig >> 1).cast_signed() ^ -(zig & 1).cast_signed()
}

/// The zigzag form of a number of 32 bits.
#[inline]
pub(crate) const fn zigzag32(value: i32) -> u32 {
    ((value << 1) ^ (value >> 31)).cast_unsigned()
}

/// The zigzag form of a number of 64 bits.
#[inline]
pub(crate) const fn zigzag64(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

#[inline]
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(low_byte(value) | 0x80);
        value >>= 7;
    }
    out.push(low_byte(value));
}

#[expect(clippy::cast_possible_truncation, reason = "the rest follows in the next byte")]
#[inline]
const fn low_byte(value: u64) -> u8 {
    value as u8
}

/// Writes a field's key.
#[inline]
pub(crate) fn put_key(out: &mut Vec<u8>, number: u32, wire: u32) {
    put_varint(out, u64::from((number << 3) | wire));
}

/// Writes bytes with their length before them.
#[inline]
pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// A part whose length stands before it and is known only after it is written. One byte is reserved for the length. The
/// part moves up in the rare case that one byte is not enough.
#[must_use = "a length that is not closed is a wrong length"]
pub(crate) struct Length {
    start: usize,
}

impl Length {
    #[inline]
    pub(crate) fn open(out: &mut Vec<u8>) -> Self {
        out.push(0);
        Self { start: out.len() }
    }

    #[inline]
    pub(crate) fn close(self, out: &mut Vec<u8>) {
        let length = out.len() - self.start;
        if let (true, Some(byte)) = (length < 0x80, out.get_mut(self.start - 1)) {
            *byte = low_byte(length as u64);
        } else {
            self.close_long(out, length);
        }
    }

    #[inline(never)]
    fn close_long(self, out: &mut Vec<u8>, length: usize) {
        let mut digits = [0; 10];
        let mut count = 0;
        let mut rest = length as u64;
        for digit in &mut digits {
            count += 1;
            *digit = low_byte(rest) | 0x80;
            rest >>= 7;
            if rest == 0 {
                *digit &= 0x7f;
                break;
            }
        }
        let end = out.len();
        out.resize(end + count - 1, 0);
        out.copy_within(self.start..end, self.start + count - 1);
        if let (Some(place), Some(digits)) = (out.get_mut(self.start - 1..self.start - 1 + count), digits.get(..count))
        {
            place.copy_from_slice(digits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_come_back() {
        for value in [0, 1, 127, 128, 16_383, 16_384, u64::from(u32::MAX), u64::MAX] {
            let mut out = Vec::new();
            put_varint(&mut out, value);
            let mut reader = Reader::new(&out);
            assert_eq!(reader.varint().unwrap(), value);
            assert!(reader.is_empty());
        }
    }

    #[test]
    fn too_long_varints_are_refused() {
        let mut long = [0xff; 10];
        assert!(Reader::new(&long).varint().is_err());
        long[9] = 2;
        assert!(Reader::new(&long).varint().is_err());
        long[9] = 1;
        assert_eq!(Reader::new(&long).varint().unwrap(), u64::MAX);
        assert!(Reader::new(&[0x80]).varint().is_err());
    }

    #[test]
    fn zigzag_comes_back() {
        for value in [0, 1, -1, i32::MAX, i32::MIN] {
            assert_eq!(unzigzag32(zigzag32(value)), value);
            assert_eq!(unzigzag64(zigzag64(i64::from(value))), i64::from(value));
        }
        assert_eq!(unzigzag64(zigzag64(i64::MIN)), i64::MIN);
    }

    #[test]
    fn lengths_of_any_size_are_closed() {
        for length in [0, 1, 127, 128, 129, 16_383, 16_384, 70_000] {
            let mut out = vec![9];
            let open = Length::open(&mut out);
            out.extend((0..length).map(|at| low_byte(at as u64)));
            open.close(&mut out);
            let mut reader = Reader::new(&out[1..]);
            let bytes = reader.bytes().unwrap();
            assert!(reader.is_empty());
            assert_eq!(bytes.len(), length);
            assert!(bytes.iter().enumerate().all(|(at, byte)| *byte == low_byte(at as u64)));
        }
    }

    #[test]
    fn groups_are_passed_over_only_when_they_close() {
        let skip = |bytes: &[u8]| {
            let mut reader = Reader::new(bytes);
            let key = reader.key().unwrap().unwrap();
            reader.skip(key).map(|()| reader.is_empty())
        };
        assert!(skip(&[0x0b, 0x13, 0x08, 0x01, 0x14, 0x0c]).unwrap());
        assert!(skip(&[0x0b, 0x14]).is_err());
        assert!(skip(&[0x0b]).is_err());
        assert!(skip(&[0x0c]).is_err());
        assert!(skip(&[0x0b; 101]).unwrap_err().is_too_deep());
    }
}
