//! The service `orders_ties`: the ties between identities and scopes that this domain knows.

mod check_tie;

pub(crate) use check_tie::check_tie;
