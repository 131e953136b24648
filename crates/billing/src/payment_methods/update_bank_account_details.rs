//! Replaces the details of a bank account.

use pavise_kernel::{Call, Result};

use super::support::details::{check_type, replace_address, replace_token};
use super::support::vendor_token;
use crate::contract::v1::{PaymentMethod, PaymentMethodType, UpdateBankAccountDetailsRequest};

/// Replaces the details of a bank account, and its token when the account was replaced.
pub(crate) async fn update_bank_account_details(
    call: &Call,
    request: UpdateBankAccountDetailsRequest,
) -> Result<PaymentMethod> {
    vendor_token::check_token("vendor_token", &request.vendor_token)?;
    let found: PaymentMethod = call.get(&request.payment_method_id).await?;
    let cooldown = vendor_token::find_cooldown(call, found.vendor, &request.vendor_token).await?;
    call.change::<PaymentMethod>(&request.payment_method_id, |method| {
        check_type(method, PaymentMethodType::BankDraft, "bank account details")?;
        method.bank_account.clone_from(&request.bank_account);
        replace_token(call, method, &request.vendor_token, cooldown)?;
        method.refused_for_good = false;
        replace_address(method, request.billing_address.as_ref());
        Ok(())
    })
    .await
}
