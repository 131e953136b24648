//! The migrations of a domain, for both engines: plain SQL, embedded, never changed after they land.

use sha2::{Digest, Sha256};

/// The migrations that make a domain's tables.
#[derive(Debug, Clone, Copy)]
pub struct Migrations {
    /// The domain. Each domain numbers its own migrations.
    pub domain: &'static str,
    /// For SQLite.
    pub sqlite: &'static [Migration],
    /// For PostgreSQL.
    pub postgres: &'static [Migration],
}

/// One migration step.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    /// The step's number within the domain: 1 to 9,999.
    pub number: i64,
    /// A short title for people.
    pub name: &'static str,
    /// The statements.
    pub sql: &'static str,
}

impl Migrations {
    /// The version under which the database records step `number`. It is the same in every build and unique among all
    /// domains. Processes that run different domains can so share a database.
    #[must_use]
    pub fn version(&self, number: i64) -> i64 {
        let digest = Sha256::digest(self.domain.as_bytes());
        let domain = digest.iter().take(4).fold(0_i64, |sum, byte| (sum << 8) | i64::from(*byte));
        domain * 10_000 + number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_stable_and_apart() {
        let of = |domain| Migrations { domain, sqlite: &[], postgres: &[] };
        // Databases hold these numbers, so they must never change.
        assert_eq!(of("kernel").version(1), 17_639_580_430_001);
        assert_ne!(of("billing").version(1), of("orders").version(1));
        assert_eq!(of("orders").version(2) - of("orders").version(1), 1);
    }
}
