//! `members.make_relations`: makes the relation of the people on a plan: a family, or the people of a business.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use super::fill_from_provisions::has_people;
use crate::contract::feeds;
use crate::contract::fulfillment::Provision;
use crate::contract::v1::relation_service_client::RelationServiceClient;
use crate::contract::v1::{FillRelationRequest, RelationKind, RelationMember};

/// The worker.
#[derive(Debug)]
pub(crate) struct MakeRelations;

#[async_trait]
impl Worker for MakeRelations {
    fn name(&self) -> &'static str {
        "members.make_relations"
    }

    fn feed(&self) -> JournalFeed {
        feeds::PROVISION
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let provision = worker::decode_entity::<Provision>(entry)?;
        let done = provision.filter(|one| has_people(entry, one));
        let Some(request) = done.and_then(build_request) else { return Ok(()) };
        let mut relations = RelationServiceClient::new(work.peer_channel("members"));
        relations.fill_relation(work.new_request(request, "fill")).await?;
        Ok(())
    }
}

/// The request with the people on a plan; `None` for a plan of one person.
fn build_request(provision: Provision) -> Option<FillRelationRequest> {
    let is_business = provision.lines.iter().any(|line| line.business);
    let people = provision.authorized_users.into_iter();
    let known = people.filter(|one| !one.identity_id.is_empty() && one.identity_id != provision.owner_id);
    let members: Vec<RelationMember> = known
        .map(|one| RelationMember {
            identity_id: one.identity_id,
            permission_type: one.relation_type,
            ..RelationMember::default()
        })
        .collect();
    let kind = if is_business { RelationKind::Business } else { RelationKind::Family };
    (!members.is_empty()).then_some(FillRelationRequest {
        identity_id: provision.owner_id,
        r#type: kind.into(),
        members,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::fulfillment::{ProvisionAuthorizedUser, ProvisionLine};

    #[test]
    fn a_plan_of_one_person_makes_no_relation() {
        let person = |identity: &str| ProvisionAuthorizedUser { identity_id: identity.into(), ..Default::default() };
        let provision = |people: Vec<ProvisionAuthorizedUser>, business| Provision {
            owner_id: "ada".into(),
            authorized_users: people,
            lines: vec![ProvisionLine { business, ..ProvisionLine::default() }],
            ..Provision::default()
        };
        assert_eq!(build_request(provision(vec![person("")], false)), None);
        let family = build_request(provision(vec![person("ben"), person("")], false)).unwrap();
        assert_eq!((family.r#type(), family.members.len()), (RelationKind::Family, 1));
        assert_eq!(build_request(provision(vec![person("ben")], true)).unwrap().r#type(), RelationKind::Business);
    }
}
