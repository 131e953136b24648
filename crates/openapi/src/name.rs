//! The names of messages and enumerations in a document.

use std::collections::{HashMap, HashSet};

use prost_reflect::DescriptorPool;

/// From full names to the names of components.
#[derive(Debug)]
pub(crate) struct Names(HashMap<String, String>);

impl Names {
    /// Gives each message and enumeration its short name where that is unique, else with the domain before it.
    pub(crate) fn of(pool: &DescriptorPool) -> Self {
        let messages = pool.all_messages().map(|one| (one.full_name().to_owned(), one.package_name().to_owned()));
        let enums = pool.all_enums().map(|one| (one.full_name().to_owned(), one.package_name().to_owned()));
        let all: Vec<(String, String)> =
            messages.chain(enums).filter(|(_, package)| package.starts_with("pavise.")).collect();
        let mut seen = HashSet::new();
        let mut shared = HashSet::new();
        for (full, package) in &all {
            let short = short(full, package);
            if !seen.insert(short) {
                shared.insert(short);
            }
        }
        let named = all.iter().map(|(full, package)| {
            let short = short(full, package);
            let name = if shared.contains(short) {
                format!("{}.{short}", pavise_contract::domain_of(package))
            } else {
                short.to_owned()
            };
            (full.clone(), name)
        });
        Self(named.collect())
    }

    /// The name of the message or enumeration with that full name.
    pub(crate) fn get(&self, full_name: &str) -> String {
        self.0.get(full_name).cloned().unwrap_or_else(|| full_name.to_owned())
    }
}

fn short<'n>(full: &'n str, package: &str) -> &'n str {
    full.strip_prefix(package).map(|rest| rest.trim_start_matches('.')).unwrap_or(full)
}
