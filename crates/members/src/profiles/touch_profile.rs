//! Announces a profile again.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{Profile, TouchProfileRequest};

pub(crate) async fn touch_profile(call: &Call, request: TouchProfileRequest) -> Result<Profile> {
    let profile: Profile = call.get(&request.identity_id).await?;
    call.check_transition(&profile)?;
    let mut unit = call.unit();
    let touched = unit.update(&profile, profile.clone())?;
    unit.commit_answer(touched).await
}
