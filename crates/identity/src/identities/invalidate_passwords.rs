//! Takes passwords away, each in a commit of its own.

use std::collections::HashMap;

use pavise_kernel::time::{Micros, to_micros};
use pavise_kernel::{Call, Error, Page, Result};

use super::Identities;
use crate::contract::lookups;
use crate::contract::v1::{
    Credential, CredentialStatus, Identity, InvalidatePasswordsRequest, InvalidatePasswordsResponse,
};
use crate::sessions::revoke_all;
use crate::shared::addresses;
use crate::shared::notices::Template;
use crate::shared::tools::Tools as _;

/// How many are looked at in one call.
const AT_ONCE: i32 = 100;

pub(crate) async fn invalidate_passwords(
    call: &Call,
    request: InvalidatePasswordsRequest,
) -> Result<InvalidatePasswordsResponse> {
    let service = &*call.identities()?;
    let before = request.set_before.as_ref().map(to_micros);
    let (credentials, next_page_token) = match (request.user_id.as_str(), before) {
        ("-", None) => return Err(Error::field("set_before", "is required where everybody is meant")),
        ("-", Some(_)) => {
            let filters = vec![(lookups::credential::STATUS, CredentialStatus::Active.spelling().to_owned())];
            call.list_page::<Credential>(Page { size: AT_ONCE, token: &request.page_token, filters }).await?
        }
        (id, _) => {
            let identity: Identity = call.get(id).await?;
            (call.find_unscoped::<Credential>(&identity.id).await?.into_iter().collect(), String::new())
        }
    };
    let due: Vec<Credential> = credentials.into_iter().filter(|credential| is_due(credential, before)).collect();
    let ids: Vec<String> = due.iter().map(|credential| credential.id.clone()).collect();
    let identities = call.find_many::<Identity>(&ids).await?;
    let identities: HashMap<&str, &Identity> =
        identities.iter().map(|identity| (identity.id.as_str(), identity)).collect();
    for credential in &due {
        invalidate(service, call, credential, identities.get(credential.id.as_str()).copied()).await?;
    }
    Ok(InvalidatePasswordsResponse { invalidated: i32::try_from(due.len()).unwrap_or(i32::MAX), next_page_token })
}

fn is_due(credential: &Credential, before: Option<Micros>) -> bool {
    let set_at = credential.password_set_at.as_ref().map_or(Micros::MIN, to_micros);
    credential.status() == CredentialStatus::Active && before.is_none_or(|before| set_at < before)
}

async fn invalidate(service: &Identities, call: &Call, before: &Credential, identity: Option<&Identity>) -> Result<()> {
    let mut unit = call.unit();
    revoke_all(call, &mut unit, &before.owner_id, None).await?;
    if let Some(identity) = identity {
        for letter in addresses::build_letters(call, identity, Template::PasswordInvalidated).await? {
            service.notices.enqueue_letter(call, &mut unit, letter)?;
        }
    }
    let status = CredentialStatus::Invalidated.into();
    unit.update(before, Credential { status, password_hash: String::new(), ..before.clone() })?;
    unit.commit().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use pavise_kernel::time::to_timestamp;

    use super::*;

    #[test]
    fn passwords_set_before_or_on_an_unknown_day_are_due() {
        let set = |at: Option<Micros>, status: CredentialStatus| Credential {
            status: status.into(),
            password_set_at: at.map(to_timestamp),
            ..Credential::default()
        };
        let active = CredentialStatus::Active;
        assert!(is_due(&set(Some(5), active), None) && is_due(&set(None, active), None));
        assert!(is_due(&set(Some(5), active), Some(6)) && is_due(&set(None, active), Some(6)));
        assert!(!is_due(&set(Some(6), active), Some(6)));
        assert!(!is_due(&set(Some(5), CredentialStatus::Invalidated), None));
    }
}
