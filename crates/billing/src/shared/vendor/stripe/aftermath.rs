//! The answer about the thing that an event names: mostly something that happened after the approval.

use pavise_kernel::{Error, Result};

use super::adapter::{StripeVendor, read_object};
use super::client::ApiRequest;
use super::objects::{Charge, Dispute, PaymentIntent, Refund, Session};
use super::standing::OUR_REFERENCE;
use crate::contract::v1::DisputeStatus;
use crate::shared::vendor::Aftermath;

/// A second, in microseconds.
const SECOND: i64 = 1_000_000;

impl StripeVendor {
    /// Asks about an object by its id. The prefix says its kind.
    pub(super) async fn read_aftermath(&self, object_id: &str) -> Result<Aftermath> {
        let kind = object_id.split('_').next().unwrap_or_default();
        match kind {
            "pi" => self.read_payment(object_id).await,
            "seti" => {
                // The question about its transaction is answered by the vendor, too.
                Ok(Aftermath::Payment { vendor_reference: object_id.to_owned(), returned: false })
            }
            "ch" | "py" => {
                let charge = read_object::<Charge>(
                    self.client.ask(&ApiRequest::get(format!("/v1/charges/{object_id}"))).await?,
                )?;
                match charge.filter(|charge| !charge.payment_intent.is_empty()) {
                    Some(charge) => self.read_payment(&charge.payment_intent).await,
                    None => Ok(Aftermath::Foreign),
                }
            }
            "re" | "pyr" => self.read_refund(object_id).await,
            "dp" | "du" => self.read_dispute(object_id).await,
            "cs" => {
                let ask = ApiRequest::get(format!("/v1/checkout/sessions/{object_id}"));
                let session = read_object::<Session>(self.client.ask(&ask).await?)?;
                Ok(session.map_or(Aftermath::Foreign, |session| Aftermath::Entry { session_id: session.id }))
            }
            _ => Ok(Aftermath::Foreign),
        }
    }

    /// A payment that succeeded, or was under way, and has no money now came back from the bank.
    async fn read_payment(&self, id: &str) -> Result<Aftermath> {
        let intent = read_object::<PaymentIntent>(
            self.client.ask(&ApiRequest::get(format!("/v1/payment_intents/{id}"))).await?,
        )?;
        Ok(intent.map_or(Aftermath::Foreign, |intent| Aftermath::Payment {
            returned: intent.status == "requires_payment_method" || intent.status == "canceled",
            vendor_reference: intent.id,
        }))
    }

    /// A refund that succeeded, or was under way, may fail days later.
    async fn read_refund(&self, id: &str) -> Result<Aftermath> {
        let refund = read_object::<Refund>(self.client.ask(&ApiRequest::get(format!("/v1/refunds/{id}"))).await?)?;
        Ok(refund.map_or(Aftermath::Foreign, |mut refund| Aftermath::Refund {
            failed: refund.status == "failed" || refund.status == "canceled",
            reference: refund.metadata.remove(OUR_REFERENCE).unwrap_or_default(),
            vendor_reference: refund.id,
        }))
    }

    async fn read_dispute(&self, id: &str) -> Result<Aftermath> {
        let dispute = read_object::<Dispute>(self.client.ask(&ApiRequest::get(format!("/v1/disputes/{id}"))).await?)?;
        let Some(dispute) = dispute.filter(|dispute| !dispute.payment_intent.is_empty()) else {
            return Ok(Aftermath::Foreign);
        };
        let status = match dispute.status.as_str() {
            "lost" => DisputeStatus::Lost,
            "won" | "warning_closed" | "prevented" => DisputeStatus::Won,
            "needs_response" | "under_review" | "warning_needs_response" | "warning_under_review" => {
                DisputeStatus::Open
            }
            other => return Err(Error::unavailable("the payment vendor", format!("a dispute is {other}"))),
        };
        Ok(Aftermath::Dispute {
            vendor_reference: dispute.payment_intent,
            status,
            opened_at: dispute.created.saturating_mul(SECOND),
        })
    }
}
