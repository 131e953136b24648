//! The fields and keys that an object has given so far.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::error::{Failure, Read};
use crate::schema::Message;

/// The fields and oneofs that an object has given: one bit each.
pub(super) struct Seen {
    low: u128,
    /// For messages with more than 128 of them.
    high: Vec<u128>,
}

impl Seen {
    pub(super) fn of(message: &Message) -> Self {
        let bits = message.fields.len() + message.oneofs as usize;
        Self { low: 0, high: vec![0; bits.saturating_sub(1) / 128] }
    }

    /// Marks a field or oneof as given, and answers whether it was given before.
    #[inline]
    pub(super) fn again(&mut self, index: usize) -> bool {
        let bit = 1 << (index % 128);
        let word = match (index / 128).checked_sub(1) {
            None => &mut self.low,
            Some(word) => match self.high.get_mut(word) {
                Some(word) => word,
                None => return false,
            },
        };
        let again = *word & bit != 0;
        *word |= bit;
        again
    }
}

/// The keys that a map has given.
#[derive(Default)]
pub(crate) struct Keys<'j> {
    few: Vec<Cow<'j, str>>,
    many: HashSet<Cow<'j, str>>,
}

/// Up to this number, keys are compared one by one.
const FEW: usize = 12;

impl<'j> Keys<'j> {
    /// Adds a key. A key that was given before is an error.
    pub(crate) fn add(&mut self, key: Cow<'j, str>, at: usize) -> Read<()> {
        if self.few.contains(&key) || self.many.contains(&key) {
            return Err(Failure::invalid("is given twice", at).inside_key(&key));
        }
        if self.few.len() < FEW {
            self.few.push(key);
        } else {
            self.many.insert(key);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_taken_once() {
        let mut keys = Keys::default();
        for key in 0..40 {
            assert!(keys.add(key.to_string().into(), 0).is_ok());
        }
        for key in 0..40 {
            assert!(keys.add(key.to_string().into(), 0).is_err());
        }
    }

    #[test]
    fn fields_are_taken_once_however_many_there_are() {
        let mut seen = Seen { low: 0, high: vec![0; 2] };
        for index in 0..384 {
            assert!(!seen.again(index));
        }
        for index in 0..384 {
            assert!(seen.again(index));
        }
    }
}
