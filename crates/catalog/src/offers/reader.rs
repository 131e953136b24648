//! Views of an offer for its readers.

use pavise_kernel::Call;

use crate::contract::roles;
use crate::contract::v1::Offer;

/// Whether the caller works for the platform or a partner.
pub(super) fn is_staff(call: &Call) -> bool {
    call.has_role(roles::STAFF)
}

/// The offer as the caller sees it. Staff see all of its groups. Others see the group that they name and those that they
/// administer: the names of other employers are not theirs to know.
pub(super) fn view_offer(call: &Call, mut offer: Offer, group_id: &str) -> Offer {
    if !is_staff(call) {
        offer.group_ids.retain(|group| group == group_id || call.caller().groups.contains(group));
    }
    offer
}
