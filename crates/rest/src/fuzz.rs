//! What fuzz targets reach that nobody else needs.

use pavise_contract::Verb;

use crate::path;
use crate::template::Template;
use crate::trie::{Found, Trie};

/// Whether a text is a path template.
#[must_use]
pub fn template(text: &str) -> bool {
    Template::parse(text).is_ok()
}

/// Whether `address` leads to the only route, at `template`; takes the variables' values if it does.
#[must_use]
pub fn find(template: &str, address: &str) -> bool {
    let (Ok(template), Ok(pieces)) = (Template::parse(template), path::pieces(address)) else { return false };
    let mut trie = Trie::default();
    trie.insert(Verb::Get, &template, 0);
    let found = trie.find(Some(Verb::Get), &pieces, path::ends_with_action(&pieces)) == Found::Route(0);
    if found {
        let action = if template.action.is_empty() { 0 } else { template.action.len() + 1 };
        for variable in &template.variables {
            drop(path::value(&pieces, variable, action));
        }
    }
    found
}
