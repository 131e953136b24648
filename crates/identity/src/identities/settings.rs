//! GetSettings and UpdateSettings.

use pavise_kernel::{Call, Error, Result};

use super::Identities;
use crate::contract::v1::{GetSettingsRequest, Identity, IdentitySettings, UpdateSettingsRequest};
use crate::notices::{Letter, Template};

pub(super) async fn get_settings(call: &Call, request: &GetSettingsRequest) -> Result<IdentitySettings> {
    let identity: Identity = call.get(&request.identity_id).await?;
    Ok(identity.settings.unwrap_or_default())
}

pub(super) async fn update_settings(
    service: &Identities,
    call: &Call,
    request: UpdateSettingsRequest,
) -> Result<IdentitySettings> {
    let wanted = request.settings.ok_or_else(|| Error::field("settings", "is required"))?;
    let before: Identity = call.get(&request.identity_id).await?;
    call.permit(&before)?;
    let had = before.settings.unwrap_or_default();
    if wanted == had {
        return Ok(had);
    }
    let kind = wanted.multifactor_type != had.multifactor_type;
    let mut unit = call.unit();
    if (kind || wanted.multifactor_required != had.multifactor_required)
        && let Some(letter) = Letter::to(&before, Template::FactorChanged)
    {
        service.notices.enqueue(call, &mut unit, letter)?;
    }
    let action = if kind { "MULTIFACTOR_TYPE_UPDATED" } else { "SETTINGS_UPDATED" };
    unit.update_as(&before, Identity { settings: Some(wanted), ..before.clone() }, action)?;
    unit.answer(wanted).await
}
