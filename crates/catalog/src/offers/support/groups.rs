//! The groups through which offers are sold, as the groups service has them.

use futures::future::try_join_all;
use pavise_kernel::error::Common;
use pavise_kernel::{Call, Error, Result};
use tonic::Request;

use crate::contract::groups::group_service_client::GroupServiceClient;
use crate::contract::groups::{GetGroupRequest, Group, GroupStatus};
use crate::contract::v1::Offer;
use crate::shared::violations::Violations;

/// The number of groups that are asked for at once.
const AT_ONCE: usize = 16;

/// Checks that the groups that a change adds to an offer can sell something. `had` are those that it named before.
///
/// # Errors
/// `INVALID_FIELD` with all violations.
pub(in crate::offers) async fn check_groups(call: &Call, had: &[String], group_ids: &[String]) -> Result<()> {
    let added: Vec<(usize, &String)> = group_ids.iter().enumerate().filter(|(_, id)| !had.contains(id)).collect();
    let mut wrong = Violations::default();
    for some in added.chunks(AT_ONCE) {
        let groups = try_join_all(some.iter().map(|(_, id)| find_group(call, id))).await?;
        for ((at, _), group) in some.iter().zip(groups) {
            if !is_open(group.as_ref()) {
                wrong.add(format!("offer.group_ids[{at}]"), "is no group that is ACTIVE or PENDING");
            }
        }
    }
    wrong.into_result()
}

/// Leaves the group among those through which the offer is sold, if it sells the offer, and takes it out otherwise.
///
/// # Errors
/// When the groups service does not answer.
pub(in crate::offers) async fn resolve_group(call: &Call, mut offer: Offer, group_id: &str) -> Result<Offer> {
    if group_id.is_empty() {
        return Ok(offer);
    }
    let sells = is_sold_through(find_group(call, group_id).await?.as_ref(), &offer);
    offer.group_ids.retain(|group| group != group_id);
    if sells {
        offer.group_ids.push(group_id.to_owned());
    }
    Ok(offer)
}

async fn find_group(call: &Call, group_id: &str) -> Result<Option<Group>> {
    let ask = GetGroupRequest { group_id: group_id.to_owned() };
    let mut groups = GroupServiceClient::new(call.peer_channel("groups"));
    match groups.get_group(Request::new(ask)).await.map_err(Error::from) {
        Ok(group) => Ok(Some(group.into_inner())),
        Err(error) if error.is(Common::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

fn is_open(group: Option<&Group>) -> bool {
    group.is_some_and(|group| match group.status() {
        GroupStatus::Active | GroupStatus::Pending => true,
        GroupStatus::Cancelled | GroupStatus::Unspecified => false,
    })
}

/// Whether a group sells an offer: it is ACTIVE, and one of the two names the other.
fn is_sold_through(group: Option<&Group>, offer: &Offer) -> bool {
    group.is_some_and(|group| {
        let is_named = offer.group_ids.contains(&group.id) || group.offer_ids.contains(&offer.id);
        group.status() == GroupStatus::Active && is_named
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(status: GroupStatus, offer_ids: &[&str]) -> Group {
        let offer_ids = offer_ids.iter().map(|id| (*id).to_owned()).collect();
        Group { id: "acme".to_owned(), status: status.into(), offer_ids, ..Group::default() }
    }

    #[test]
    fn a_group_sells_its_offers_while_it_is_active() {
        let offer = |id: &str, groups: &[&str]| Offer {
            id: id.to_owned(),
            group_ids: groups.iter().map(|group| (*group).to_owned()).collect(),
            ..Offer::default()
        };
        let (one, two, named) = (offer("one", &[]), offer("two", &["globex"]), offer("three", &["acme"]));
        let active = group(GroupStatus::Active, &["one"]);
        assert!(is_sold_through(Some(&active), &one), "the group names it");
        assert!(is_sold_through(Some(&active), &named), "it names the group");
        assert!(!is_sold_through(Some(&active), &two));
        for status in [GroupStatus::Cancelled, GroupStatus::Pending] {
            let group = group(status, &["one"]);
            assert!(!is_sold_through(Some(&group), &one) && !is_sold_through(Some(&group), &named), "{status:?}");
        }
        assert!(!is_sold_through(None, &named), "there is no such group");
    }

    #[test]
    fn a_group_that_ended_is_added_to_no_offer() {
        assert!(is_open(Some(&group(GroupStatus::Active, &[]))) && is_open(Some(&group(GroupStatus::Pending, &[]))));
        assert!(!is_open(Some(&group(GroupStatus::Cancelled, &[]))) && !is_open(None));
    }
}
