//! Adds the payment method that was entered on the vendor's page.

use pavise_kernel::{Aggregate, Call, Error, Result};

use crate::contract::actions::payment_method as actions;
use crate::contract::v1::{ErrorReason, FinishHostedEntryRequest, HostedEntry, HostedEntryStatus, PaymentMethod};
use crate::payment_methods::support::{defaults, vendor_token};
use crate::shared::retry::retry_contention;
use crate::shared::tools::Tools as _;
use crate::shared::vendor::{EnteredMethod, EntryState};

/// Asks the vendor what was entered. Of the member's page and the vendor's event, the later one finds it finished.
pub(crate) async fn finish_hosted_entry(call: &Call, request: FinishHostedEntryRequest) -> Result<HostedEntry> {
    let entry: HostedEntry = call.get(&request.hosted_entry_id).await?;
    if entry.status() != HostedEntryStatus::Open {
        return Ok(entry);
    }
    let vendors = call.vendors()?;
    let entered = match vendors.get(entry.vendor())?.find_entry(&entry.vendor_session_id).await? {
        EntryState::Open => {
            return Err(Error::new(ErrorReason::EntryNotFinished, "the vendor's page was not filled in yet"));
        }
        EntryState::Expired => None,
        EntryState::Entered(entered) => Some(entered),
    };
    retry_contention(call, || record_entered(call, &entry.id, entered.as_ref())).await
}

/// Commits the entry with its payment method, or that there is none.
async fn record_entered(call: &Call, id: &str, entered: Option<&EnteredMethod>) -> Result<HostedEntry> {
    let found: Option<HostedEntry> = call.find_unscoped(id).await?;
    let before = found.ok_or_else(|| Error::not_found(HostedEntry::TABLE.noun, id))?;
    if before.status() != HostedEntryStatus::Open {
        return Ok(before);
    }
    let mut unit = call.unit();
    let mut after = before.clone();
    if let Some(entered) = entered {
        let others = defaults::load_active_of(call, &mut unit, &before.owner_id).await?;
        let is_default = before.is_default || !others.iter().any(|other| other.is_default);
        if is_default {
            defaults::clear_default(&mut unit, &others)?;
        }
        let cooldown_until = vendor_token::find_cooldown(call, before.vendor, &entered.token).await?;
        let method = PaymentMethod {
            owner_id: before.owner_id.clone(),
            r#type: before.r#type,
            vendor: before.vendor,
            vendor_token: entered.token.clone(),
            card: entered.card.clone(),
            bank_account: entered.bank_account.clone(),
            is_default,
            cooldown_until,
            ..PaymentMethod::default()
        };
        after.payment_method_id = unit.create_as(method, actions::CREATED)?.id;
        after.set_status(HostedEntryStatus::Completed);
    } else {
        after.set_status(HostedEntryStatus::Expired);
    }
    let after = unit.update(&before, after)?;
    unit.commit_answer(after).await
}
