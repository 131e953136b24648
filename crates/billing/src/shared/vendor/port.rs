//! The port to a payment vendor.
//!
//! A vendor owes two things. A reference moves money at most once, however often it is submitted. A question about a
//! reference is answered with the outcome. The rest of billing relies on both and on nothing else.
//!
//! A vendor that forgets our references after a while gives one of its own first, which moves nothing
//! ([`PaymentVendor::prepare`]). It is recorded before money moves, and every later question is about it.

use std::fmt;

use async_trait::async_trait;
use pavise_kernel::common::v1::{Currency, Money};
use pavise_kernel::time::Micros;
use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{BankAccount, Card, DeclineReason, DisputeStatus, PaymentMethodType, Transaction, Vendor};
use crate::shared::admission::admitted::AdmittedUse;

/// The decision of a vendor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// Whether it was accepted.
    pub(crate) decision: Decision,
    /// The vendor's reference.
    pub(crate) vendor_reference: String,
    /// Where the member confirms a payment that was refused for want of that; empty for nowhere.
    pub(crate) redirect_to_url: String,
}

impl Verdict {
    /// A verdict that leads the member nowhere.
    pub(crate) fn new(decision: Decision, vendor_reference: impl Into<String>) -> Self {
        Self { decision, vendor_reference: vendor_reference.into(), redirect_to_url: String::new() }
    }
}

/// Whether a vendor accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// It accepted.
    Approved,
    /// It refused; another attempt may succeed.
    Declined(DeclineReason),
    /// It refused for good.
    HardDeclined(DeclineReason),
}

/// The state of a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ReferenceState {
    /// The vendor has decided.
    Decided(Verdict),
    /// The vendor has received it, or may have, and has not said the outcome.
    Undecided,
    /// The vendor has never received it, or was never told to move money for it.
    Unknown,
}

/// The answer of a vendor before it moves money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Preparation {
    /// Our own reference is enough.
    NotNeeded,
    /// Its reference, which is recorded before the submission.
    Reference(String),
    /// It refused already.
    Refused(Verdict),
}

/// How often an amount that was set aside can be charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Captures {
    /// Once; the rest is let go.
    One,
    /// In several parts.
    Several,
}

/// The capabilities of a vendor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Capabilities {
    /// Members enter cards and accounts on its own page, and their tokens come from there alone.
    pub(crate) hosted_entry: bool,
    /// How often an amount that was set aside can be charged.
    pub(crate) captures: Captures,
    /// The days after a payment in which it is refunded; none without a limit.
    pub(crate) refund_days: Option<u16>,
    /// It lists its movements of money.
    pub(crate) movements: bool,
}

/// A page of the vendor that is asked for.
#[derive(Debug, Clone)]
pub(crate) struct EntryWish {
    /// Our reference.
    pub(crate) reference: String,
    /// The kind of method that is entered.
    pub(crate) kind: PaymentMethodType,
    /// The currency of an account.
    pub(crate) currency: Currency,
    /// The page of this platform to which the browser is led back, as a path.
    pub(crate) return_path: String,
}

/// A page of the vendor.
#[derive(Debug, Clone)]
pub(crate) struct EntryPage {
    /// The vendor's id of the visit.
    pub(crate) session_id: String,
    /// The page.
    pub(crate) redirect_to_url: String,
}

/// The state of a visit to the vendor's page.
#[derive(Debug, Clone)]
pub(crate) enum EntryState {
    /// The page waits.
    Open,
    /// The vendor closed it.
    Expired,
    /// It was filled in.
    Entered(EnteredMethod),
}

/// A card or an account that was entered.
#[derive(Clone)]
pub(crate) struct EnteredMethod {
    /// The vendor's token.
    pub(crate) token: String,
    /// The card.
    pub(crate) card: Option<Card>,
    /// The account.
    pub(crate) bank_account: Option<BankAccount>,
}

impl fmt::Debug for EnteredMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Token and holder are left out: they would end in a log.
        f.debug_struct("EnteredMethod").finish_non_exhaustive()
    }
}

/// A movement of money at the vendor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Movement {
    /// The vendor's reference of the payment or the refund.
    pub(crate) vendor_reference: String,
    /// Our reference, as far as the vendor kept it.
    pub(crate) reference: String,
    /// The amount; below zero for money that went back. None in a currency that is not ours.
    pub(crate) amount: Option<Money>,
    /// It brings a refund back to us that the bank did not take.
    pub(crate) is_reversal: bool,
}

/// A page of movements.
#[derive(Debug, Clone, Default)]
pub(crate) struct MovementPage {
    /// The movements.
    pub(crate) movements: Vec<Movement>,
    /// Where the page ended; empty after the last one.
    pub(crate) next_cursor: String,
}

/// The vendor's answer about the movement of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MovementState {
    /// Money moved.
    Moved(Movement),
    /// It is on its way: a draft takes days.
    NotYet,
    /// No money moved.
    None,
}

/// The vendor's answer about something that happened after the approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Aftermath {
    /// Nothing of this platform.
    Foreign,
    /// A payment, by the vendor's reference: its outcome is asked for. `returned` says that the money came back.
    Payment {
        /// The vendor's reference.
        vendor_reference: String,
        /// The bank returned the money.
        returned: bool,
    },
    /// A refund, by the vendor's reference and ours. `failed` says that the bank did not take it.
    Refund {
        /// The vendor's reference.
        vendor_reference: String,
        /// Our reference, as far as the vendor kept it.
        reference: String,
        /// The money is back with us.
        failed: bool,
    },
    /// A dispute about a payment.
    Dispute {
        /// The vendor's reference of the payment.
        vendor_reference: String,
        /// The state.
        status: DisputeStatus,
        /// When it was opened.
        opened_at: Micros,
    },
    /// A visit to the vendor's page.
    Entry {
        /// The vendor's id of the visit.
        session_id: String,
    },
}

/// A payment vendor.
#[async_trait]
pub(crate) trait PaymentVendor: Send + Sync + fmt::Debug + 'static {
    /// The vendor that it is.
    fn vendor(&self) -> Vendor;

    /// Its capabilities.
    fn capabilities(&self) -> Capabilities;

    /// Asks for the vendor's own reference, and moves nothing. A repeat may make another one; the one before then never
    /// moves money, because nobody submits it.
    ///
    /// # Errors
    /// When the vendor cannot be reached.
    async fn prepare(&self, call: &Call, admitted: &AdmittedUse) -> Result<Preparation> {
        let _ = (call, admitted);
        Ok(Preparation::NotNeeded)
    }

    /// Asks for a charge, a sale, an authorization, a verification or a refund, as the kind of the admitted use says. A
    /// known reference is answered as before.
    ///
    /// # Errors
    /// When the vendor cannot be reached. It may have received the request all the same.
    async fn submit(&self, call: &Call, admitted: &AdmittedUse) -> Result<ReferenceState>;

    /// Asks for the outcome of a recorded transaction.
    ///
    /// # Errors
    /// When the vendor cannot be reached.
    async fn query(&self, call: &Call, known: &Transaction) -> Result<ReferenceState>;

    /// Makes sure that a transaction that is given up never moves money. `Unknown` says so; otherwise it did.
    ///
    /// # Errors
    /// When the vendor cannot be reached.
    async fn withdraw(&self, call: &Call, known: &Transaction) -> Result<ReferenceState> {
        let _ = (call, known);
        Ok(ReferenceState::Unknown)
    }

    /// Opens a page on which a member enters a card or an account.
    ///
    /// # Errors
    /// When the vendor cannot be reached, or has no such page.
    async fn begin_entry(&self, wish: &EntryWish) -> Result<EntryPage> {
        let _ = wish;
        Err(Error::internal("a page was asked of a vendor without one"))
    }

    /// Asks what was entered.
    ///
    /// # Errors
    /// When the vendor cannot be reached, or has no such page.
    async fn find_entry(&self, session_id: &str) -> Result<EntryState> {
        let _ = session_id;
        Err(Error::internal("a page was asked of a vendor without one"))
    }

    /// Asks about the thing that an event names.
    ///
    /// # Errors
    /// When the vendor cannot be reached.
    async fn find_aftermath(&self, object_id: &str) -> Result<Aftermath> {
        let _ = object_id;
        Ok(Aftermath::Foreign)
    }

    /// Lists the movements of money from one instant to another, which is excluded.
    ///
    /// # Errors
    /// When the vendor cannot be reached.
    async fn list_movements(&self, span: (Micros, Micros), cursor: &str) -> Result<MovementPage> {
        let _ = (span, cursor);
        Ok(MovementPage::default())
    }

    /// Finds the movement of an approved transaction.
    ///
    /// # Errors
    /// When the vendor cannot be reached.
    async fn find_movement(&self, known: &Transaction) -> Result<MovementState> {
        let _ = known;
        Ok(MovementState::NotYet)
    }
}
