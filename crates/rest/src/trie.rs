//! Finds the call at a path. At every segment a literal is tried before a parameter, from left to right, with
//! backtracking where a more literal beginning has no match.

use std::collections::HashMap;

use pavise_contract::Verb;

use crate::template::{Segment, Template};

/// The result of a look-up.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// This route matches.
    Route(usize),
    /// The path exists, with these verbs only.
    OtherVerbs(Vec<Verb>),
    /// The path does not exist.
    Nothing,
}

/// The paths of one host.
#[derive(Debug, Default)]
pub(crate) struct Trie {
    literals: HashMap<String, Trie>,
    any: Option<Box<Trie>>,
    rest: Vec<Leaf>,
    leaves: Vec<Leaf>,
}

#[derive(Debug)]
struct Leaf {
    verb: Verb,
    action: String,
    route: usize,
}

impl Trie {
    /// Adds a route. Answers the route that is there already, if there is one, which stays.
    pub(crate) fn insert(&mut self, verb: Verb, template: &Template, route: usize) -> Option<usize> {
        let mut node = self;
        let mut open = false;
        for segment in &template.segments {
            match segment {
                Segment::Literal(word) => node = node.literals.entry(word.clone()).or_default(),
                Segment::Any => node = node.any.get_or_insert_default(),
                Segment::Rest => open = true,
            }
        }
        let leaves = if open { &mut node.rest } else { &mut node.leaves };
        if let Some(there) = leaves.iter().find(|leaf| leaf.verb == verb && leaf.action == template.action) {
            return Some(there.route);
        }
        leaves.push(Leaf { verb, action: template.action.clone(), route });
        None
    }

    /// The route for `verb` at the decoded `segments` of a path. `colon` says that the last segment has a colon that
    /// was not percent-encoded, so that it may name an action.
    pub(crate) fn find<S: AsRef<str>>(&self, verb: Option<Verb>, segments: &[S], colon: bool) -> Found {
        let mut allowed = Vec::new();
        if colon
            && let Some((last, before)) = segments.split_last()
            && let Some((stem, action)) = last.as_ref().rsplit_once(':')
            && !action.is_empty()
        {
            // `/:action` is an action of the root, which has no segment.
            let stem = (!stem.is_empty() || !before.is_empty()).then_some(stem);
            let with_stem: Vec<&str> = before.iter().map(AsRef::as_ref).chain(stem).collect();
            if let Some(route) = self.walk(verb, &with_stem, action, &mut allowed) {
                return Found::Route(route);
            }
        }
        match self.walk(verb, segments, "", &mut allowed) {
            Some(route) => Found::Route(route),
            None if allowed.is_empty() => Found::Nothing,
            None => {
                allowed.sort_unstable();
                allowed.dedup();
                Found::OtherVerbs(allowed)
            }
        }
    }

    fn walk<S: AsRef<str>>(
        &self,
        verb: Option<Verb>,
        segments: &[S],
        action: &str,
        allowed: &mut Vec<Verb>,
    ) -> Option<usize> {
        let Some((first, rest)) = segments.split_first() else {
            // A rest may also have zero segments, where nothing more literal ends here.
            let known = allowed.len();
            return pick(&self.leaves, verb, action, allowed).or_else(|| {
                let literal = allowed.len();
                let route = pick(&self.rest, verb, action, allowed);
                if literal > known {
                    allowed.truncate(literal);
                }
                route
            });
        };
        let first = first.as_ref();
        // The verbs of a path are those of its most literal match: a parameter's verbs belong to another call.
        let known = allowed.len();
        if let Some(next) = self.literals.get(first)
            && let Some(route) = next.walk(verb, rest, action, allowed)
        {
            return Some(route);
        }
        let literal = allowed.len();
        // An empty segment is no value: /v1/orders//offers names no order.
        if first.is_empty() {
            return None;
        }
        if let Some(next) = &self.any
            && let Some(route) = next.walk(verb, rest, action, allowed)
        {
            return Some(route);
        }
        let route = pick(&self.rest, verb, action, allowed);
        if literal > known {
            allowed.truncate(literal);
        }
        route
    }
}

fn pick(leaves: &[Leaf], verb: Option<Verb>, action: &str, allowed: &mut Vec<Verb>) -> Option<usize> {
    let here = || leaves.iter().filter(|leaf| leaf.action == action);
    let found = here().find(|leaf| Some(leaf.verb) == verb).map(|leaf| leaf.route);
    if found.is_none() {
        allowed.extend(here().map(|leaf| leaf.verb));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trie(routes: &[(Verb, &str)]) -> Trie {
        let mut trie = Trie::default();
        for (at, (verb, path)) in routes.iter().enumerate() {
            trie.insert(*verb, &Template::parse(path).unwrap(), at);
        }
        trie
    }

    fn find(trie: &Trie, verb: Verb, path: &str) -> Found {
        let segments: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        trie.find(Some(verb), &segments, path.contains(':'))
    }

    #[test]
    fn the_leftmost_literal_wins_and_dead_ends_go_back() {
        let trie = trie(&[
            (Verb::Get, "/v1/orders/{id}"),
            (Verb::Get, "/v1/orders/journal"),
            (Verb::Get, "/v1/orders/{id}/offers"),
            (Verb::Get, "/v1/orders/by/{name}"),
            (Verb::Get, "/v1/files/{path=**}"),
            (Verb::Post, "/v1/orders/{id}:close"),
            (Verb::Delete, "/v1/orders/{id}"),
        ]);
        assert_eq!(find(&trie, Verb::Get, "/v1/orders/7"), Found::Route(0));
        assert_eq!(find(&trie, Verb::Get, "/v1/orders/journal"), Found::Route(1));
        assert_eq!(find(&trie, Verb::Get, "/v1/orders/journal/offers"), Found::Route(2), "goes back to the parameter");
        assert_eq!(find(&trie, Verb::Get, "/v1/orders/by/offers"), Found::Route(3), "the leftmost literal wins");
        assert_eq!(find(&trie, Verb::Get, "/v1/files/a/b/c"), Found::Route(4));
        assert_eq!(find(&trie, Verb::Get, "/v1/files"), Found::Route(4), "** is of zero segments too");
        assert_eq!(find(&trie, Verb::Post, "/v1/orders/7:close"), Found::Route(5));
        assert_eq!(
            find(&trie, Verb::Delete, "/v1/orders/journal"),
            Found::Route(6),
            "another verb's literal does not hide it"
        );
        assert_eq!(
            find(&trie, Verb::Get, "/v1/orders/a:b"),
            Found::Route(0),
            "a colon without such a call is part of the value"
        );
    }

    #[test]
    fn the_rest_of_the_root_may_be_nothing() {
        let trie = trie(&[(Verb::Get, "/{path=**}"), (Verb::Get, "/{path=**}:move")]);
        assert_eq!(trie.find(Some(Verb::Get), &[] as &[&str], false), Found::Route(0));
        assert_eq!(find(&trie, Verb::Get, "/:move"), Found::Route(1));
        assert_eq!(find(&trie, Verb::Get, "/a/b:move"), Found::Route(1));
    }

    #[test]
    fn a_path_without_the_verb_names_the_verbs_it_has() {
        let trie = trie(&[
            (Verb::Get, "/v1/orders/{id}"),
            (Verb::Delete, "/v1/orders/{id}"),
            (Verb::Put, "/v1/orders/journal"),
        ]);
        assert_eq!(find(&trie, Verb::Post, "/v1/orders/journal"), Found::OtherVerbs(vec![Verb::Put]));
        assert_eq!(
            find(&trie, Verb::Get, "/v1/orders/journal"),
            Found::Route(0),
            "another verb's literal does not hide it"
        );
        assert_eq!(find(&trie, Verb::Post, "/v1/orders/7"), Found::OtherVerbs(vec![Verb::Get, Verb::Delete]));
        assert_eq!(find(&trie, Verb::Get, "/v1/orders"), Found::Nothing);
        assert_eq!(find(&trie, Verb::Get, "/v1/orders/"), Found::Nothing);
        assert_eq!(find(&trie, Verb::Get, "/v1//journal"), Found::Nothing);
    }

    #[test]
    fn the_first_route_of_a_shape_stays() {
        let mut trie = trie(&[(Verb::Get, "/v1/keys/{key_id}")]);
        assert_eq!(trie.insert(Verb::Get, &Template::parse("/v1/keys/{id}").unwrap(), 9), Some(0));
        assert_eq!(find(&trie, Verb::Get, "/v1/keys/a"), Found::Route(0));
    }
}
