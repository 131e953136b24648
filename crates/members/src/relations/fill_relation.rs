//! Makes the relation of a kind that a person owns, or adds the people who are not there.

use pavise_kernel::common::v1::RelationType;
use pavise_kernel::store::Filter;
use pavise_kernel::{Call, Result};

use crate::contract::actions::relation as actions;
use crate::contract::lookups::relation as lookups;
use crate::contract::v1::{FillRelationRequest, Relation, RelationKind, RelationMember, RelationStatus};
use crate::shared::found::find_by;

/// The most people of a relation: who does not fit is left out.
const MOST: usize = 50;

pub(crate) async fn fill_relation(call: &Call, request: FillRelationRequest) -> Result<Relation> {
    if let Some(known) = find_owned(call, &request).await? {
        let add = |relation: &mut Relation| {
            relation.add_people(&request.members);
            Ok(())
        };
        return call.change(&known.id, add).await;
    }
    let mut new = Relation { owner_id: request.identity_id.clone(), r#type: request.r#type, ..Relation::default() };
    new.add_primary();
    new.add_people(&request.members);
    let mut unit = call.unit();
    // Two plans of one holder at once make one relation.
    unit.expects_owned::<Relation>(&request.identity_id).await?;
    let made = unit.create_as(new, actions::CREATED)?;
    unit.commit_answer(made).await
}

/// The relation of that kind which the person owns.
async fn find_owned(call: &Call, request: &FillRelationRequest) -> Result<Option<Relation>> {
    let filter = Filter {
        owner: Some(request.identity_id.clone()),
        statuses: vec![RelationStatus::Active.spelling().to_owned()],
        limit: 1,
        ..Filter::default()
    };
    let kind = request.r#type().spelling();
    Ok(find_by(call, lookups::TYPE, kind, filter).await?.into_iter().next())
}

impl Relation {
    /// Adds the people who are not there. One whose type the relation cannot have, such as a second spouse, comes as
    /// SECONDARY, or as NORMAL_USER of a business.
    fn add_people(&mut self, people: &[RelationMember]) {
        for person in people {
            if self.members.len() >= MOST || self.find_member(&person.identity_id).is_some() {
                continue;
            }
            let mut member = person.clone();
            let is_taken = self.members.iter().any(|known| known.permission_type() == RelationType::Spouse);
            let fits = match (member.permission_type(), self.r#type()) {
                (RelationType::Primary | RelationType::Unspecified, _) => false,
                (RelationType::Spouse, _) => !is_taken,
                (RelationType::Owner, _) => false,
                (RelationType::SubAccount, kind) => kind == RelationKind::Business,
                _ => true,
            };
            if !fits {
                let is_business = self.r#type() == RelationKind::Business;
                let of = if is_business { RelationType::NormalUser } else { RelationType::Secondary };
                member.permission_type = of.into();
            }
            self.members.push(member);
        }
    }
}
