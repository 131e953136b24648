//! The documents that are made from the contract and the settings: `docs/{errors,permissions,lifecycles,events}.md` with a part
//! in `docs/<domain>/` for each domain, `docs/configuration.md` and `docs/contract-options.md`. `scripts/documents` writes them; a test compares them with
//! the committed ones.

use pavise_contract::Contract;
use prost_reflect::DescriptorPool;

use page::Page;

mod configuration;
mod errors;
mod events;
mod lifecycles;
pub mod options;
mod page;
mod permissions;

/// Every page: its file below `docs/`, and its text.
#[must_use]
pub fn all(pool: &DescriptorPool, contract: &Contract) -> Vec<(String, String)> {
    let divided =
        [errors::page(contract), permissions::page(contract), lifecycles::page(contract), events::page(pool, contract)];
    let mut all: Vec<(String, String)> = divided.into_iter().flat_map(Page::files).collect();
    all.push(("configuration.md".to_owned(), configuration::text()));
    all.push(("contract-options.md".to_owned(), options::text(pool)));
    all
}
