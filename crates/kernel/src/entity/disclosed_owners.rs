//! The owners whose personal data an answer has.

use std::collections::HashSet;

/// The owners of one answer that are noted.
const OWNERS: usize = 50;

/// The owners whose personal data an answer has.
#[derive(Debug, Default)]
pub struct DisclosedOwners {
    /// The owners, each with the kind of its first entity; the first [`OWNERS`] of them.
    pub(crate) owners: Vec<(&'static str, String)>,
    /// The other owners.
    pub(crate) others: HashSet<String>,
    /// The kind of the data that belong to the owner whom the request names.
    pub(crate) named: Option<&'static str>,
}

impl DisclosedOwners {
    /// For generated code: the answer has an entity of that kind and owner.
    pub fn add_owner(&mut self, kind: &'static str, owner: &str) {
        if owner.is_empty() || self.owners.iter().any(|(_, known)| known == owner) {
            return;
        }
        if self.owners.len() < OWNERS {
            self.owners.push((kind, owner.to_owned()));
        } else if !self.others.contains(owner) {
            self.others.insert(owner.to_owned());
        }
    }

    /// For generated code: the answer has data of the owner whom the request names.
    pub fn add_named(&mut self, kind: &'static str) {
        self.named = Some(kind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_names_fifty_owners_and_counts_all() {
        let mut disclosed = DisclosedOwners::default();
        for owner in 0..80 {
            disclosed.add_owner("Order", &owner.to_string());
            disclosed.add_owner("Order", &owner.to_string());
        }
        disclosed.add_owner("Order", "");
        assert_eq!((disclosed.owners.len(), disclosed.others.len()), (50, 30));
    }
}
