//! Opens a page of the vendor for a member.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{BeginHostedEntryRequest, ErrorReason, HostedEntry, PaymentMethodType};
use crate::shared::tools::Tools as _;
use crate::shared::vendor::EntryWish;

/// Asks the vendor for the page. A process that is killed before the commit leaves a page that nobody is led to.
pub(crate) async fn begin_hosted_entry(call: &Call, request: BeginHostedEntryRequest) -> Result<HostedEntry> {
    let vendors = call.vendors()?;
    let vendor = vendors.get(request.vendor())?;
    if !vendor.capabilities().hosted_entry {
        let message = format!("the payment vendor {} has no hosted page", request.vendor().spelling());
        return Err(Error::new(ErrorReason::NoHostedPage, message));
    }
    let entry = HostedEntry {
        id: call.repeatable_id("entry"),
        owner_id: call.owner().to_owned(),
        vendor: request.vendor,
        r#type: request.r#type,
        is_default: request.is_default,
        currency: if request.r#type() == PaymentMethodType::BankDraft { request.currency } else { 0 },
        ..HostedEntry::default()
    };
    if call.validate_only() {
        return Ok(entry);
    }
    let wish = EntryWish {
        reference: entry.id.clone(),
        kind: entry.r#type(),
        currency: entry.currency(),
        return_path: request.return_path,
    };
    let page = vendor.begin_entry(&wish).await?;
    let (redirect_to_url, vendor_session_id) = (page.redirect_to_url, page.session_id);
    call.create(HostedEntry { redirect_to_url, vendor_session_id, ..entry }).await
}
