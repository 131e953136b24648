//! The form of the pages.

use pavise_contract::{Contract, Service};

/// The text after the title of every page.
pub(super) const MADE: &str = "Made by `scripts/documents`; do not edit.\n";

/// A page with a part for each domain, which is a file in the domain's own folder.
pub(super) struct Page {
    /// Its file: `errors`.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// The text before the list of the parts.
    pub(super) text: String,
    /// The parts, by domain.
    pub(super) parts: Vec<(String, String)>,
}

impl Page {
    pub(super) fn files(self) -> Vec<(String, String)> {
        let Self { name, title, text, parts } = self;
        let list: String = parts.iter().map(|(domain, _)| format!("- [{domain}]({domain}/{name}.md)\n")).collect();
        let whole = format!("# {title}\n\n{MADE}\n{text}\n## By domain\n\n{list}");
        let part = |(domain, part): (String, String)| {
            (
                format!("{domain}/{name}.md"),
                format!("# {title} of {domain}\n\n{MADE}\nSee [{title}](../{name}.md).\n{part}"),
            )
        };
        std::iter::once((format!("{name}.md"), whole)).chain(parts.into_iter().map(part)).collect()
    }
}

/// A Markdown table. A cell keeps no line break, and its pipes are escaped.
pub(super) fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut out = format!("| {} |\n|{}\n", head.join(" | "), " --- |".repeat(head.len()));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    out
}

/// The services by domain, both in the order of the contract.
pub(super) fn domains(contract: &Contract) -> Vec<(&str, Vec<&Service>)> {
    let mut found: Vec<(&str, Vec<&Service>)> = Vec::new();
    for service in &contract.services {
        match found.iter_mut().find(|(domain, _)| *domain == service.domain) {
            Some((_, services)) => services.push(service),
            None => found.push((&service.domain, vec![service])),
        }
    }
    found.sort_by_key(|(domain, _)| *domain);
    found
}

/// Text in the font of code; nothing for no text.
pub(super) fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{text}`") }
}
