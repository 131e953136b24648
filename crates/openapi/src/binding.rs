//! One binding of a call, with its names.

use pavise_contract::options::v1::Realm;
use pavise_contract::{Binding, Method, Service};

use crate::path::Path;

/// One binding of a call, at its path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operation<'a> {
    pub(crate) service: &'a Service,
    pub(crate) method: &'a Method,
    pub(crate) binding: &'a Binding,
    /// The index of this binding among the call's.
    pub(crate) at: usize,
    pub(crate) path: &'a Path,
}

/// The id of a binding of a call. The first binding has the call's own, `orders_purchaseOrder`. Another adds the words
/// of its path that the first lacks, `orders_purchaseOrder_v2Groups`, or all words where it has none of its own.
pub(crate) fn operation_id(service: &Service, method: &Method, at: usize) -> String {
    let call = format!("{}_{}", service.name, camel(&[method.descriptor.name()]));
    let (Some(first), Some(own)) = (method.bindings.first(), method.bindings.get(at)) else { return call };
    if at == 0 {
        return call;
    }
    let mut others = path_words(&first.path);
    let (all, mut words) = (path_words(&own.path), Vec::new());
    for word in &all {
        match others.iter().position(|other| other == word) {
            Some(at) => drop(others.swap_remove(at)),
            None => words.push(*word),
        }
    }
    format!("{call}_{}", camel(if words.is_empty() { &all } else { &words }))
}

/// The words of a path without its variables: `/.well-known/jwks.json` has well, known, jwks and json.
fn path_words(path: &str) -> Vec<&str> {
    let literals = path.split('/').filter(|segment| !segment.starts_with('{'));
    literals
        .flat_map(|segment| segment.split(|letter: char| !letter.is_ascii_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect()
}

/// Several words as one: `v2Groups`.
fn camel(words: &[&str]) -> String {
    let mut out = String::new();
    for word in words {
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        let first = if out.is_empty() { first.to_lowercase() } else { first.to_uppercase() };
        out.push_str(&first);
        out.push_str(rest);
    }
    out
}

/// A realm as the specification spells it.
pub(crate) fn realm(realm: Realm) -> &'static str {
    match realm {
        Realm::Unspecified => "",
        Realm::User => "User",
        Realm::Machine => "Machine",
        Realm::Internal => "Internal",
        Realm::Partner => "Partner",
        Realm::GroupAdmin => "GroupAdmin",
    }
}
