//! A small fixed table from names to numbers.

/// Names with one value each, compiled once and looked up often.
pub(crate) struct Names {
    /// A power of two of slots, at most half of them taken. A name lies in the first free slot from its hash on.
    slots: Box<[Option<Slot>]>,
}

struct Slot {
    name: Box<[u8]>,
    value: u32,
}

impl Names {
    /// The table of `names`. If a name occurs twice, the first one counts.
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = (&'n str, u32)>) -> Self {
        let names: Vec<_> = names.into_iter().collect();
        let size = (names.len() * 2).next_power_of_two();
        let mut slots: Vec<Option<Slot>> = std::iter::repeat_with(|| None).take(size).collect();
        for (name, value) in names {
            let mut at = start(name.as_bytes(), size);
            while let Some(taken) = slots.get(at).and_then(Option::as_ref) {
                if *taken.name == *name.as_bytes() {
                    break;
                }
                at = (at + 1) % size;
            }
            if let Some(slot @ None) = slots.get_mut(at) {
                *slot = Some(Slot { name: name.as_bytes().into(), value });
            }
        }
        Self { slots: slots.into() }
    }

    /// The value of `name`.
    #[inline]
    pub(crate) fn get(&self, name: &[u8]) -> Option<u32> {
        let size = self.slots.len();
        let mut at = start(name, size);
        loop {
            let slot = self.slots.get(at)?.as_ref()?;
            if *slot.name == *name {
                return Some(slot.value);
            }
            at = (at + 1) & (size - 1);
        }
    }
}

/// The slot where the search for `name` starts. Only the first and last eight bytes and the length count: few names of
/// one message share all three.
#[inline]
fn start(name: &[u8], size: usize) -> usize {
    let (head, tail) = match (name.first_chunk::<8>(), name.last_chunk::<8>()) {
        (Some(head), Some(tail)) => (u64::from_le_bytes(*head), u64::from_le_bytes(*tail)),
        _ => name.iter().fold((0, 0), |(head, tail), byte| ((head << 8) | u64::from(*byte), tail)),
    };
    let mixed = (head ^ tail.rotate_left(23) ^ name.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = (mixed >> 32) as usize;
    hash & (size - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_put_in_and_nothing_else() {
        let names: Vec<String> = (0..500).map(|n| format!("a_common_beginning_{n}_and_a_common_end")).collect();
        let table = Names::new(names.iter().zip(0..).map(|(name, value)| (name.as_str(), value)));
        for (name, value) in names.iter().zip(0..) {
            assert_eq!(table.get(name.as_bytes()), Some(value));
        }
        for other in ["", "a", "a_common_beginning_500_and_a_common_end"] {
            assert_eq!(table.get(other.as_bytes()), None);
        }
    }

    #[test]
    fn the_first_of_two_equal_names_counts() {
        assert_eq!(Names::new([("a", 1), ("a", 2)]).get(b"a"), Some(1));
    }

    #[test]
    fn an_empty_table_has_no_names() {
        assert_eq!(Names::new([]).get(b"a"), None);
    }
}
