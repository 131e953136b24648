//! Takes a group back to PENDING before it begins.

use pavise_kernel::time::to_days;
use pavise_kernel::{Call, CheckRequest, Error, Result};

use crate::contract::v1::{ErrorReason, Group, GroupStatus, SetPendingRequest};

impl CheckRequest<SetPendingRequest> for Group {
    async fn check_request(call: &Call, group: Option<&Self>, _: &SetPendingRequest) -> Result<()> {
        let active = group.filter(|group| group.status() == GroupStatus::Active);
        match active.and_then(|group| group.effective_date) {
            Some(day) if to_days(day) <= to_days(call.today()) => {
                let message =
                    format!("the group began on {:04}-{:02}-{:02}; cancel it instead", day.year, day.month, day.day);
                Err(Error::new(ErrorReason::GroupHasBegun, message))
            }
            _ => Ok(()),
        }
    }
}
