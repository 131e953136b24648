//! The relation that a person reads who belongs to it.

use pavise_kernel::{Call, Common, Error, Result};

use crate::contract::v1::{MemberStatus, Relation};

/// The relation, if the person whom the request names belongs to it. To others it is not there.
pub(crate) async fn read_relation(call: &Call, id: &str, person: &str) -> Result<Relation> {
    let of_another = match call.get::<Relation>(id).await {
        Err(error) if error.is(Common::NotFound) => error,
        other => return other,
    };
    let relation: Option<Relation> = call.find_unscoped(id).await?;
    relation.filter(|relation| relation.has_active(person)).ok_or(of_another)
}

impl Relation {
    /// Whether the person belongs to it now.
    pub(crate) fn has_active(&self, person: &str) -> bool {
        self.members.iter().any(|member| member.identity_id == person && member.status() == MemberStatus::Active)
    }
}

/// The refusal of an identity that is not in the relation.
pub(crate) fn unknown_member_error(field: &str) -> Error {
    let why = "names none of those that are there";
    Error::new(Common::ItemNotFound, format!("{field}: {why}")).violation(field, why)
}
