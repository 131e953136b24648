//! The other domains, as far as members calls them.

use pavise_testkit::scene::PeerDouble;

/// The domains billing, fulfillment, identity and orders.
pub(crate) fn peers() -> PeerDouble {
    PeerDouble::default()
}
