//! The catalog as its callers see it: over REST, on a fresh database, with every journal replayed at the end.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod benefits;
mod choosing;
mod content;
mod demo;
mod depth;
mod documents;
mod families;
mod groups;
mod life_of_an_offer;
mod lists;
mod migrating;
mod offer_maps;
mod products;
mod rules;
mod scene;
mod seeing;
mod shipped;
mod site_names;
mod stories;
mod successors;
mod versions;
