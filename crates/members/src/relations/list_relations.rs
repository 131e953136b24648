//! Lists the relations that a person belongs to.

use pavise_kernel::table::Realm;
use pavise_kernel::{Call, Page, Result};

use crate::contract::lookups::relation as lookups;
use crate::contract::v1::{ListRelationsRequest, ListRelationsResponse, Relation, RelationKind, RelationStatus};

/// Members see those that they belong to now. Staff and programs see all.
pub(crate) async fn list_relations(call: &Call, request: ListRelationsRequest) -> Result<ListRelationsResponse> {
    let status = match request.status() {
        RelationStatus::Unspecified => RelationStatus::Active,
        status => status,
    };
    let kind = request.r#type();
    let kind = if kind == RelationKind::Unspecified { String::new() } else { kind.spelling().to_owned() };
    let page = Page {
        size: request.page_size,
        token: &request.page_token,
        filters: vec![("status", status.spelling().to_owned()), (lookups::TYPE, kind)],
    };
    let (mut relations, next_page_token) = call.page_of::<Relation>(Some(lookups::MEMBERS_IDENTITY_ID), page).await?;
    if call.caller().realm == Realm::User {
        let person = call.owner();
        relations.retain(|relation| relation.has_active(person));
    }
    Ok(ListRelationsResponse { relations, next_page_token })
}
