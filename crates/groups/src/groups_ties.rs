//! The service `groups_ties`: the ties between identities and groups that this domain knows.

mod check_tie;

pub(crate) use check_tie::check_tie;
