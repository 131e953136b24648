//! Views of an offer for its readers.

use pavise_kernel::table::ScopeKind;
use pavise_kernel::{Call, Caller, Show};

use crate::contract::roles;
use crate::contract::v1::Offer;

/// Whether the caller works for the platform or a partner.
pub(crate) fn is_staff(call: &Call) -> bool {
    call.has_role(roles::STAFF)
}

impl Show for Offer {
    /// The offer as others than staff see it: with the groups that they administer. The names of other employers are not
    /// theirs to know.
    fn show(self, caller: &Caller) -> Self {
        show_groups(self, caller, "")
    }
}

/// The offer as the caller sees it. Staff see all of its groups. Others see the group that they name and those that they
/// administer.
pub(crate) fn view_offer(call: &Call, offer: Offer, group_id: &str) -> Offer {
    if is_staff(call) { offer } else { show_groups(offer, call.caller(), group_id) }
}

fn show_groups(mut offer: Offer, caller: &Caller, group_id: &str) -> Offer {
    offer.group_ids.retain(|group| group == group_id || caller.scopes.has_administrator(ScopeKind::Group, group));
    offer
}
