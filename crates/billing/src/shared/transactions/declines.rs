//! The limit of declined payments of one payer, and from one address: nobody tries out cards here.
//!
//! A payment counts before the vendor is asked, so that many at once do not all pass. It no longer counts when the vendor
//! approves it. The cooldown of a payment method is another limit: it is of one card, and this one is of its payer.

use std::time::Duration;

use pavise_kernel::counts::network_of_address;
use pavise_kernel::hex::to_hex;
use pavise_kernel::store::Decay;
use pavise_kernel::table::Realm;
use pavise_kernel::time::{HOUR, Micros};
use pavise_kernel::{Call, Common, Error, Result};
use sha2::{Digest as _, Sha256};

use super::plan::Plan;
use crate::contract::v1::{Transaction, TransactionStatus, TransactionType};

/// The declines of one payer in an hour, and from one address.
const OF_PAYER: i64 = 10;
const FROM_ADDRESS: i64 = 50;

/// The counts that a payment is part of: their keys, and what it adds.
pub(crate) struct Try(Vec<(String, Micros)>);

impl Try {
    /// Counts a payment of the call's owner.
    ///
    /// # Errors
    /// `TOO_MANY_DECLINES`.
    pub(crate) fn count_try(call: &Call, plan: &Plan) -> Result<Self> {
        let mut counted = Self(Vec::new());
        if plan.kind == TransactionType::Refund || call.validate_only() {
            return Ok(counted);
        }
        // One call may run twice at once, as with the worker that finishes it. Only the first run counts: if the second were
        // refused, its caller would take for declined what the first one charges.
        let request = plan.request_key(call);
        if !request.is_empty() {
            let run = key("run", &request);
            if call.kernel().counts().take_share(&run, HOUR, HOUR, call.machine_now()).is_err() {
                return Ok(counted);
            }
            counted.0.push((run, HOUR));
        }
        // Of the others, workers have no address, and staff take payments for many at one.
        let is_member = call.caller().realm == Realm::User;
        let network = if is_member { network_of_address(call.address()) } else { String::new() };
        for (what, who, most) in [("payer", call.owner(), OF_PAYER), ("address", network.as_str(), FROM_ADDRESS)] {
            if who.is_empty() {
                continue;
            }
            let (key, each) = (key(what, who), HOUR / most);
            if let Err(excess) = call.kernel().counts().take_share(&key, each, HOUR, call.machine_now()) {
                counted.withdraw_try(call);
                return Err(too_many_declines_error(excess));
            }
            counted.0.push((key, each));
        }
        Ok(counted)
    }

    /// The payment was never tried.
    pub(crate) fn withdraw_try(&self, call: &Call) {
        for (key, each) in &self.0 {
            call.kernel().counts().add(key, Decay::Steady, -each, call.machine_now());
        }
    }

    /// Ends a try: it counts only if the payment was declined.
    pub(crate) fn end_try(&self, call: &Call, transaction: &Transaction) {
        if !matches!(transaction.status(), TransactionStatus::Declined | TransactionStatus::HardDeclined) {
            self.withdraw_try(call);
        }
    }
}

/// A digest, because keys are stored: they name addresses and people.
fn key(what: &str, who: &str) -> String {
    let digest = Sha256::digest(format!("{what}\n{who}"));
    format!("declines/{}", to_hex(digest.get(..16).unwrap_or_default()))
}

fn too_many_declines_error(wait: Micros) -> Error {
    let seconds = u64::try_from((wait + 999_999) / 1_000_000).unwrap_or(1).max(1);
    let message = format!("too many payments were declined; try again in {seconds} s");
    Error::new(Common::TooManyDeclines, message).retry_after(Duration::from_secs(seconds))
}
