//! Takes over an identity of another system, with its id and the hash of its password.

use pavise_kernel::{Call, Result};

use crate::contract::roles;
use crate::contract::v1::{Credential, Identity, IdentityType, MigrateIdentityRequest};
use crate::shared::grants::GrantedRights;
use crate::shared::password::formats;

pub(crate) async fn migrate_identity(call: &Call, request: MigrateIdentityRequest) -> Result<Identity> {
    let (id, password_hash) = (request.id.clone(), request.password_hash.clone());
    let made = build_identity(request);
    GrantedRights::new_identity(&made).check(call.caller(), call.has_role(roles::GRANTER))?;
    if !password_hash.is_empty() {
        formats::check_hash("password_hash", &password_hash)?;
    }
    if let Some(known) = call.find_unscoped::<Identity>(&id).await? {
        return call.answer_unchanged(known).await;
    }
    let mut unit = call.unit();
    if !password_hash.is_empty() {
        let owner_id = id.clone();
        // The time of an imported password is unknown. It counts as old, so that an invalidation by date reaches it.
        unit.create(Credential { id, owner_id, password_hash, ..Credential::default() })?;
    }
    let identity = unit.create(made)?;
    unit.commit_answer(identity).await
}

fn build_identity(request: MigrateIdentityRequest) -> Identity {
    let r#type = match request.r#type() {
        IdentityType::Unspecified => IdentityType::Owner,
        other => other,
    };
    Identity {
        owner_id: request.id.clone(),
        id: request.id,
        realm: request.realm,
        sub_type: request.sub_type,
        emails: request.emails,
        usernames: request.usernames,
        classic_ids: request.classic_ids.iter().map(Into::into).collect(),
        okta_id: request.okta_id,
        referrer: request.referrer,
        permissions: request.permissions,
        group_ids: request.group_ids,
        scopes: request.scopes.unwrap_or_default().grants,
        r#type: r#type.into(),
        settings: request.settings,
        ..Identity::default()
    }
}
