//! Functions for the fuzz targets alone.

use std::borrow::Cow;

use pavise_contract::Verb;

use crate::path;
use crate::template::{Segment, Template, Variable};
use crate::trie::{Found, Trie};

/// The result of a look-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Led {
    /// The index of the template.
    pub to: usize,
    /// The values that the address gives its variables.
    pub values: Vec<String>,
}

/// Routes of one verb.
#[derive(Debug, Default)]
pub struct Routes {
    trie: Trie,
    templates: Vec<Template>,
}

impl Routes {
    /// Adds a route. Answers whether its template is valid.
    pub fn add(&mut self, template: &str) -> bool {
        let Ok(template) = Template::parse(template) else { return false };
        self.trie.insert(Verb::Get, &template, self.templates.len());
        self.templates.push(template);
        true
    }

    /// The facade's result for an address.
    #[must_use]
    pub fn find(&self, address: &str) -> Option<Led> {
        let pieces = path::pieces(address).ok()?;
        let Found::Route(to) = self.trie.find(Some(Verb::Get), &pieces, path::ends_with_action(&pieces)) else {
            return None;
        };
        let template = self.templates.get(to)?;
        let action = if template.action.is_empty() { 0 } else { template.action.len() + 1 };
        let value = |variable: &Variable| path::value(&pieces, variable, action).into_owned();
        Some(Led { to, values: template.variables.iter().map(value).collect() })
    }

    /// The result of a plain search, one template after the other: an action before none, then the most literal from
    /// the left, then the first.
    #[must_use]
    pub fn reckoned(&self, address: &str) -> Option<Led> {
        let path = address.strip_prefix('/').unwrap_or(address);
        let raw: Vec<&str> = if path.is_empty() { Vec::new() } else { path.split('/').collect() };
        let fits = |(to, template): (usize, &Template)| {
            let (raw, rank) = if template.action.is_empty() {
                (raw.clone(), 1)
            } else {
                let (last, before) = raw.split_last()?;
                let (stem, action) = last.rsplit_once(':')?;
                (decoded(action)? == template.action).then_some(())?;
                let nothing = before.is_empty() && stem.is_empty();
                (before.iter().copied().chain((!nothing).then_some(stem)).collect(), 0)
            };
            Some((rank, literal(&template.segments, &raw)?, to, raw))
        };
        path::pieces(address).ok()?;
        let (.., to, raw) = self.templates.iter().enumerate().filter_map(fits).min()?;
        let value = |variable: &Variable| {
            let end = variable.count.map_or(raw.len(), |count| variable.start + count);
            let own = raw.get(variable.start..end).unwrap_or_default();
            let several = variable.count != Some(1);
            own.iter()
                .map(|raw| if several { slashes_kept(raw) } else { decoded(raw).unwrap_or_default() })
                .collect::<Vec<_>>()
                .join("/")
        };
        Some(Led { to, values: self.templates.get(to)?.variables.iter().map(value).collect() })
    }

    /// An address of the last template, made of `words`, which have a letter each, and its values. It uses `x` where
    /// there are no more words.
    #[must_use]
    pub fn address(&self, words: &[&str]) -> Option<(String, Led)> {
        let template = self.templates.last()?;
        let mut words = words.iter().copied();
        let mut pieces: Vec<&str> = Vec::new();
        for segment in &template.segments {
            match segment {
                Segment::Literal(word) => pieces.push(word),
                Segment::Any => pieces.push(words.next().unwrap_or("x")),
                Segment::Rest => pieces.extend(words.by_ref()),
            }
        }
        let value = |variable: &Variable| {
            let own = pieces.get(variable.start..variable.count.map_or(pieces.len(), |count| variable.start + count));
            match own.unwrap_or_default() {
                [one] if variable.count.is_some() => (*one).to_owned(),
                several => several.iter().map(|one| one.replace('/', "%2F")).collect::<Vec<_>>().join("/"),
            }
        };
        let values = template.variables.iter().map(value).collect();
        let path = pieces.iter().map(|piece| encoded(piece)).collect::<Vec<_>>().join("/");
        let action = if template.action.is_empty() { String::new() } else { format!(":{}", template.action) };
        Some((format!("/{path}{action}"), Led { to: self.templates.len() - 1, values }))
    }
}

/// How literal the segments are that take these pieces: smaller is more; `None` if they do not match.
fn literal(segments: &[Segment], raw: &[&str]) -> Option<Vec<u8>> {
    let mut ranks = Vec::new();
    let mut rest = raw.iter();
    for segment in segments {
        match segment {
            Segment::Literal(word) => {
                (decoded(rest.next()?)? == *word).then_some(())?;
                ranks.push(0);
            }
            Segment::Any => {
                (!rest.next()?.is_empty()).then_some(())?;
                ranks.push(1);
            }
            Segment::Rest => {
                rest.next().is_none_or(|first| !first.is_empty()).then_some(())?;
                rest = [].iter();
                ranks.push(2);
            }
        }
    }
    rest.next().is_none().then_some(ranks)
}

fn decoded(raw: &str) -> Option<String> {
    percent_encoding::percent_decode_str(raw).decode_utf8().map(Cow::into_owned).ok()
}

/// A slash that was sent encoded stays encoded in a value of several pieces.
fn slashes_kept(raw: &str) -> String {
    let parts = |code: &str, raw: &str| {
        raw.split(code).map(|part| decoded(part).unwrap_or_default()).collect::<Vec<_>>().join(code)
    };
    raw.split("%2F").map(|part| parts("%2f", part)).collect::<Vec<_>>().join("%2F")
}

/// Encodes the reserved characters of a piece of a path.
fn encoded(word: &str) -> String {
    word.chars().fold(String::new(), |mut out, letter| {
        match letter {
            '/' => out.push_str("%2F"),
            '%' => out.push_str("%25"),
            ':' => out.push_str("%3A"),
            other => out.push(other),
        }
        out
    })
}
