//! `members.leave_plans`: takes people who left a relation off the plans of its owner.

use std::collections::BTreeSet;

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Common, Error, Result, async_trait};
use tonic::Request;

use crate::contract::feeds;
use crate::contract::fulfillment::entitlement_service_client::EntitlementServiceClient;
use crate::contract::fulfillment::{
    Entitlement, EntitlementStatus, ListEntitlementsRequest, RemoveAuthorizedUsersRequest, RemoveDelegatesRequest,
};
use crate::contract::v1::relation_service_client::RelationServiceClient;
use crate::contract::v1::{ListRelationsRequest, MemberStatus, Relation};

/// Plans, or relations, that are read at once.
const PAGE: i32 = 200;

/// The worker.
#[derive(Debug)]
pub(crate) struct LeavePlans;

#[async_trait]
impl Worker for LeavePlans {
    fn name(&self) -> &'static str {
        "members.leave_plans"
    }

    fn feed(&self) -> JournalFeed {
        feeds::RELATIONS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(relation) = worker::decode_entity::<Relation>(entry)? else { return Ok(()) };
        let mut left: BTreeSet<String> = relation.left_ids.iter().cloned().collect();
        if !left.is_empty() {
            for person in list_related(work, &relation.owner_id).await? {
                left.remove(&person);
            }
        }
        if left.is_empty() {
            return Ok(());
        }
        for plan in list_plans(work, &relation.owner_id).await? {
            remove_people(work, &plan, &left).await?;
        }
        Ok(())
    }
}

/// The people who belong to the owner by another relation, or again.
async fn list_related(work: &Work, owner: &str) -> Result<Vec<String>> {
    let mut client = RelationServiceClient::new(work.peer_channel("members"));
    let (mut people, mut token) = (Vec::new(), String::new());
    loop {
        let asked = ListRelationsRequest {
            identity_id: owner.to_owned(),
            page_size: PAGE,
            page_token: token,
            ..ListRelationsRequest::default()
        };
        let page = client.list_relations(Request::new(asked)).await?.into_inner();
        let own = page.relations.into_iter().filter(|relation| relation.owner_id == owner);
        let members = own.flat_map(|relation| relation.members);
        let active = members.filter(|member| member.status() != MemberStatus::Inactive);
        people.extend(active.map(|member| member.identity_id));
        token = page.next_page_token;
        if token.is_empty() {
            return Ok(people);
        }
    }
}

/// The plans that the owner holds now.
async fn list_plans(work: &Work, owner: &str) -> Result<Vec<Entitlement>> {
    let mut client = EntitlementServiceClient::new(work.peer_channel("fulfillment"));
    let mut plans = Vec::new();
    for status in [EntitlementStatus::Active, EntitlementStatus::Suspended] {
        let mut token = String::new();
        loop {
            let asked = ListEntitlementsRequest {
                identity_id: owner.to_owned(),
                status: status.into(),
                page_size: PAGE,
                page_token: token,
                ..ListEntitlementsRequest::default()
            };
            let page = client.list_entitlements(Request::new(asked)).await?.into_inner();
            plans.extend(page.entitlements);
            token = page.next_page_token;
            if token.is_empty() {
                break;
            }
        }
    }
    Ok(plans)
}

async fn remove_people(work: &Work, plan: &Entitlement, left: &BTreeSet<String>) -> Result<()> {
    let mut client = EntitlementServiceClient::new(work.peer_channel("fulfillment"));
    let (identity_id, entitlement_id) = (plan.owner_id.clone(), plan.id.clone());
    let person_ids: Vec<String> =
        plan.authorized_users.iter().map(|one| one.id.clone()).filter(|id| left.contains(id)).collect();
    if !person_ids.is_empty() {
        let (identity_id, entitlement_id) = (identity_id.clone(), entitlement_id.clone());
        let request = RemoveAuthorizedUsersRequest { identity_id, entitlement_id, person_ids };
        let request = work.new_request(request, &format!("users {}", plan.id));
        unless_ended(client.remove_authorized_users(request).await)?;
    }
    let person_ids: Vec<String> =
        plan.delegates.iter().map(|one| one.id.clone()).filter(|id| left.contains(id)).collect();
    if !person_ids.is_empty() {
        let request = RemoveDelegatesRequest { identity_id, entitlement_id, person_ids };
        let request = work.new_request(request, &format!("delegates {}", plan.id));
        unless_ended(client.remove_delegates(request).await)?;
    }
    Ok(())
}

/// A plan that ended meanwhile, or went to another holder, covers nobody for this one.
fn unless_ended<T>(answer: std::result::Result<T, tonic::Status>) -> Result<()> {
    match answer.map_err(Error::from) {
        Err(error) if error.is(Common::NotFound) || error.is(Common::StatusNotAllowed) => Ok(()),
        other => other.map(drop),
    }
}
