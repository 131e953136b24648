//! The troubles that requests meet.

use std::collections::VecDeque;

use crate::chance::SeededRandom;

/// The trouble of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// None.
    None,
    /// It is answered with 429.
    Busy,
    /// It is answered with 500.
    Failing,
    /// It is never answered, and nothing is done.
    SilentBefore,
    /// It is done, and never answered.
    SilentAfter,
}

/// The troubles to come.
#[derive(Debug, Default)]
pub(super) struct Troubles {
    planned: VecDeque<(String, Trouble)>,
    chance: Option<(SeededRandom, usize, usize)>,
}

impl Troubles {
    pub(super) fn meet(&mut self, path: &str, trouble: Trouble) {
        self.planned.push_back((path.to_owned(), trouble));
    }

    pub(super) fn disturb(&mut self, seed: u64, silent: usize, busy: usize) {
        self.chance = Some((SeededRandom::new(seed), silent, busy));
    }

    pub(super) fn calm(&mut self) {
        *self = Self::default();
    }

    /// The trouble of the next request with that path.
    pub(super) fn next(&mut self, path: &str) -> Trouble {
        let place = self.planned.iter().position(|(end, _)| path.ends_with(end.as_str()));
        if let Some((_, trouble)) = place.and_then(|place| self.planned.remove(place)) {
            return trouble;
        }
        let Some((random, silent, busy)) = &mut self.chance else { return Trouble::None };
        let dice = random.next_below(100);
        if dice < *silent {
            return if random.is_in_percent(50) { Trouble::SilentBefore } else { Trouble::SilentAfter };
        }
        if dice < *silent + *busy { Trouble::Busy } else { Trouble::None }
    }
}
