//! Lists that are read to their end.

use pavise_kernel::table::Realm;
use pavise_kernel::{Aggregate, Call, Error, Page, Result};

/// Refuses staff and programs who name no member: the answer would be made of all members' entities.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) fn check_member_is_named(call: &Call, identity_id: &str) -> Result<()> {
    if identity_id.is_empty() && call.caller().realm != Realm::User {
        return Err(Error::missing_field("identity_id"));
    }
    Ok(())
}

/// Loads all entities of the member whom the call names that have these values, newest first.
pub(crate) async fn load_all<A: Aggregate>(call: &Call, filters: &[(&'static str, String)]) -> Result<Vec<A>> {
    let (mut all, mut token) = (Vec::new(), String::new());
    loop {
        let page = Page { size: 500, token: &token, filters: filters.to_vec() };
        let (entities, next) = call.list_page::<A>(page).await?;
        all.extend(entities);
        if next.is_empty() {
            return Ok(all);
        }
        token = next;
    }
}
