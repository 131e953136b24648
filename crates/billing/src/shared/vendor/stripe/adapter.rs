//! Charges, verifications and refunds at Stripe.

use async_trait::async_trait;
use pavise_kernel::common::v1::Money;
use pavise_kernel::time::Micros;
use pavise_kernel::{Aggregate, Call, Error, Result};

use super::client::{ApiAnswer, ApiRequest, ListOf, StripeClient};
use super::declines::decide_decline;
use super::objects::{LastError, Mandate, NamedObject, PaymentIntent, Refund, SetupIntent};
use super::standing::{
    OUR_REFERENCE, currency_of, redirect_of, standing_of_capture, standing_of_payment, standing_of_refund,
    standing_of_setup,
};
use super::token::TokenParts;
use crate::config::StripeConfig;
use crate::contract::v1::{DeclineReason, Transaction, TransactionType, Vendor};
use crate::shared::admission::admitted::AdmittedUse;
use crate::shared::vendor::port::{Capabilities, EntryPage, MovementPage};
use crate::shared::vendor::{
    Aftermath, Captures, Decision, EntryState, EntryWish, MovementState, PaymentVendor, Preparation, ReferenceState,
    Verdict,
};

/// The days in which a payment is refunded.
const REFUND_DAYS: u16 = 180;
/// The most refunds of a payment that are looked through, in pages.
const MOST_PAGES: usize = 10;
/// The page to which a member comes back who confirmed a card at their bank.
const CONFIRMED_PATH: &str = "/account/payment-methods";
/// The field of our reference in a request.
pub(super) const REFERENCE_FIELD: &str = "metadata[transaction_id]";

/// Stripe.
#[derive(Debug)]
pub(crate) struct StripeVendor {
    pub(super) client: StripeClient,
    pub(super) public_url: String,
}

/// A transaction as the questions about it need it.
struct Question<'a> {
    reference: &'a str,
    kind: TransactionType,
    vendor_reference: &'a str,
    amount: Option<&'a Money>,
    parent: &'a str,
}

impl<'a> Question<'a> {
    fn of(known: &'a Transaction) -> Self {
        Self {
            reference: &known.id,
            kind: known.r#type(),
            vendor_reference: &known.vendor_reference,
            amount: known.amount.as_ref(),
            parent: &known.parent_transaction_id,
        }
    }

    /// Whether it charges what was set aside.
    fn is_capture(&self) -> bool {
        self.kind == TransactionType::Charge && !self.parent.is_empty()
    }
}

impl StripeVendor {
    /// The vendor with that account.
    ///
    /// # Errors
    /// When this machine cannot make connections.
    pub(crate) fn new(config: &StripeConfig, public_url: &str) -> Result<Self> {
        Ok(Self { client: StripeClient::new(config)?, public_url: public_url.trim_end_matches('/').to_owned() })
    }

    pub(super) async fn find_payment(&self, id: &str) -> Result<Option<PaymentIntent>> {
        read_object(self.client.ask(&ApiRequest::get(format!("/v1/payment_intents/{id}"))).await?)
    }

    async fn find_setup(&self, id: &str) -> Result<Option<SetupIntent>> {
        read_object(self.client.ask(&ApiRequest::get(format!("/v1/setup_intents/{id}"))).await?)
    }

    /// Confirms a payment. There is no idempotency key: the intent's own state lets it succeed once, and its card is gone
    /// after a decline, so that a confirmation which arrives late does nothing.
    async fn confirm_payment(&self, admitted: &AdmittedUse) -> Result<ReferenceState> {
        let id = admitted.vendor_reference();
        let mut ask = ApiRequest::post(format!("/v1/payment_intents/{id}/confirm")).with("off_session", "true");
        let mandate = TokenParts::of(admitted.token()).mandate;
        if !mandate.is_empty() {
            ask = ask.with("mandate", mandate);
        }
        let standing = match self.client.ask::<PaymentIntent>(&ask).await? {
            Ok(intent) => standing_of_payment(&intent, admitted.kind(), admitted.amount().as_ref()),
            // The intent itself says what became of it, whatever this confirmation met.
            Err(error) => {
                let intent = self.find_payment(id).await?;
                let standing = intent.map_or(ReferenceState::Undecided, |intent| {
                    standing_of_payment(&intent, admitted.kind(), admitted.amount().as_ref())
                });
                if standing == ReferenceState::Unknown { self.give_up(id, &error.into()).await? } else { standing }
            }
        };
        Ok(self.with_redirect(admitted, standing).await)
    }

    /// Adds where the member confirms, to a payment that was declined for want of that. A setup of the card is begun for it:
    /// it moves no money, and the next payment succeeds without the member.
    async fn with_redirect(&self, admitted: &AdmittedUse, standing: ReferenceState) -> ReferenceState {
        let wanted = Decision::Declined(DeclineReason::AuthenticationRequired);
        let verdict = match standing {
            ReferenceState::Decided(verdict) if verdict.decision == wanted => verdict,
            other => return other,
        };
        let token = TokenParts::of(admitted.token());
        let ask = ApiRequest::post("/v1/setup_intents".to_owned())
            .with("customer", token.customer)
            .with("payment_method", token.method)
            .with("payment_method_types[]", token.type_word(admitted.method_type()))
            .with("usage", "off_session")
            .with("confirm", "true")
            .with("return_url", format!("{}{CONFIRMED_PATH}", self.public_url))
            .once(format!("{}-authenticate", admitted.reference()));
        // Without an address the decline stays one: the member verifies the card to get another.
        let redirect = match self.client.ask::<SetupIntent>(&ask).await {
            Ok(Ok(intent)) => redirect_of(&intent).unwrap_or_default(),
            Ok(Err(_)) | Err(_) => String::new(),
        };
        ReferenceState::Decided(Verdict { redirect_to_url: redirect, ..verdict })
    }

    /// Ends an intent whose confirmation was refused, so that an earlier one which arrives late does nothing.
    async fn give_up(&self, id: &str, why: &LastError) -> Result<ReferenceState> {
        let ask = ApiRequest::post(format!("/v1/payment_intents/{id}/cancel"));
        Ok(match self.client.ask::<NamedObject>(&ask).await? {
            Ok(_) => ReferenceState::Decided(Verdict::new(decide_decline(why), id)),
            Err(_) => ReferenceState::Undecided,
        })
    }

    async fn confirm_setup(&self, admitted: &AdmittedUse) -> Result<ReferenceState> {
        let id = admitted.vendor_reference();
        let ask = ApiRequest::post(format!("/v1/setup_intents/{id}/confirm"))
            .with("return_url", format!("{}{CONFIRMED_PATH}", self.public_url));
        Ok(match self.client.ask::<SetupIntent>(&ask).await? {
            Ok(intent) => standing_of_setup(&intent),
            Err(error) => match self.find_setup(id).await?.map(|intent| standing_of_setup(&intent)) {
                Some(ReferenceState::Unknown) => {
                    ReferenceState::Decided(Verdict::new(decide_decline(&error.into()), id))
                }
                standing => standing.unwrap_or(ReferenceState::Undecided),
            },
        })
    }

    /// Asks whether the agreement about an account holds. Its owner made it on the vendor's page: that verified the account.
    async fn verify_mandate(&self, id: &str) -> Result<ReferenceState> {
        let found = read_object::<Mandate>(self.client.ask(&ApiRequest::get(format!("/v1/mandates/{id}"))).await?)?;
        let decision = match found.map(|mandate| mandate.status).as_deref() {
            Some("active") => Decision::Approved,
            Some("pending") => return Ok(ReferenceState::Undecided),
            _ => Decision::HardDeclined(DeclineReason::ClosedAccount),
        };
        Ok(ReferenceState::Decided(Verdict::new(decision, id)))
    }

    async fn capture(&self, call: &Call, admitted: &AdmittedUse) -> Result<ReferenceState> {
        let parent = parent_reference(call, admitted.parent()).await?;
        let amount = amount_of(admitted)?;
        let ask = ApiRequest::post(format!("/v1/payment_intents/{parent}/capture"))
            .with("amount_to_capture", amount.amount.to_string())
            .with("metadata[captured_by]", admitted.reference())
            .once(format!("{}-capture", admitted.reference()));
        match self.client.ask::<PaymentIntent>(&ask).await? {
            Ok(intent) => Ok(standing_of_capture(&intent, admitted.reference(), Some(&amount))),
            Err(_) => {
                let intent = self.find_payment(&parent).await?;
                Ok(match intent.map(|intent| standing_of_capture(&intent, admitted.reference(), Some(&amount))) {
                    Some(ReferenceState::Decided(verdict)) => ReferenceState::Decided(verdict),
                    // It was refused, and what was set aside is still there: a repeat would be refused, too.
                    Some(ReferenceState::Unknown) => declined_other(&parent),
                    Some(ReferenceState::Undecided) | None => ReferenceState::Undecided,
                })
            }
        }
    }

    async fn refund(&self, call: &Call, admitted: &AdmittedUse) -> Result<ReferenceState> {
        let parent = parent_reference(call, admitted.parent()).await?;
        let amount = amount_of(admitted)?;
        // The key holds for a day. A later repeat comes here only after the refunds of the payment were looked through.
        let ask = ApiRequest::post("/v1/refunds".to_owned())
            .with("payment_intent", parent.as_str())
            .with("amount", amount.amount.to_string())
            .with(REFERENCE_FIELD, admitted.reference())
            .once(format!("{}-refund", admitted.reference()));
        Ok(match self.client.ask::<Refund>(&ask).await? {
            Ok(refund) => standing_of_refund(&refund, Some(&amount)),
            // There is no refund that a reference could name.
            Err(error) => ReferenceState::Decided(Verdict::new(refund_decision(&error.into()), "")),
        })
    }

    /// Finds a refund by our reference among those of its payment.
    async fn find_refund(&self, call: &Call, question: &Question<'_>) -> Result<ReferenceState> {
        let parent = parent_reference(call, question.parent).await?;
        let mut after = String::new();
        for _ in 0..MOST_PAGES {
            let mut ask =
                ApiRequest::get("/v1/refunds".to_owned()).with("payment_intent", parent.as_str()).with("limit", "100");
            if !after.is_empty() {
                ask = ask.with("starting_after", after.as_str());
            }
            let Ok(page) = self.client.ask::<ListOf<Refund>>(&ask).await? else { return Ok(ReferenceState::Unknown) };
            let ours = |refund: &&Refund| refund.metadata.get(OUR_REFERENCE).is_some_and(|id| id == question.reference);
            if let Some(refund) = page.data.iter().find(ours) {
                return Ok(standing_of_refund(refund, question.amount));
            }
            match page.data.last().filter(|_| page.has_more) {
                Some(last) => after.clone_from(&last.id),
                None => return Ok(ReferenceState::Unknown),
            }
        }
        Ok(ReferenceState::Undecided)
    }

    async fn ask_about(&self, call: &Call, question: &Question<'_>) -> Result<ReferenceState> {
        if question.kind == TransactionType::Refund {
            return self.find_refund(call, question).await;
        }
        if question.is_capture() {
            let parent = parent_reference(call, question.parent).await?;
            let intent = self.find_payment(&parent).await?;
            return Ok(intent.map_or(ReferenceState::Undecided, |intent| {
                standing_of_capture(&intent, question.reference, question.amount)
            }));
        }
        if question.vendor_reference.is_empty() {
            // Nothing was confirmed without its id having been recorded first.
            return Ok(ReferenceState::Unknown);
        }
        if question.kind == TransactionType::Verify {
            let intent = self.find_setup(question.vendor_reference).await?;
            return Ok(intent.map_or(ReferenceState::Undecided, |intent| standing_of_setup(&intent)));
        }
        let intent = self.find_payment(question.vendor_reference).await?;
        Ok(intent
            .map_or(ReferenceState::Undecided, |intent| standing_of_payment(&intent, question.kind, question.amount)))
    }
}

#[async_trait]
impl PaymentVendor for StripeVendor {
    fn vendor(&self) -> Vendor {
        Vendor::Stripe
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { hosted_entry: true, captures: Captures::One, refund_days: Some(REFUND_DAYS), movements: true }
    }

    async fn prepare(&self, _call: &Call, admitted: &AdmittedUse) -> Result<Preparation> {
        let token = TokenParts::of(admitted.token());
        let is_verification = match admitted.kind() {
            TransactionType::Refund => return Ok(Preparation::NotNeeded),
            TransactionType::Charge if !admitted.parent().is_empty() => return Ok(Preparation::NotNeeded),
            TransactionType::Verify if !token.mandate.is_empty() => return Ok(Preparation::NotNeeded),
            kind => kind == TransactionType::Verify,
        };
        let path = if is_verification { "/v1/setup_intents" } else { "/v1/payment_intents" };
        let mut ask = ApiRequest::post(path.to_owned())
            .with("customer", token.customer)
            .with("payment_method", token.method)
            .with("payment_method_types[]", token.type_word(admitted.method_type()))
            .with(REFERENCE_FIELD, admitted.reference())
            .once(format!("{}-prepare", admitted.reference()));
        if is_verification {
            ask = ask.with("usage", "off_session");
        } else {
            let amount = amount_of(admitted)?;
            let capture = if admitted.kind() == TransactionType::Authorize { "manual" } else { "automatic" };
            ask = ask.with("amount", amount.amount.to_string()).with("currency", currency_of(&amount));
            ask = ask.with("capture_method", capture);
        }
        Ok(match self.client.ask::<NamedObject>(&ask).await? {
            Ok(intent) => Preparation::Reference(intent.id),
            Err(error) => Preparation::Refused(Verdict::new(decide_decline(&error.into()), "")),
        })
    }

    async fn submit(&self, call: &Call, admitted: &AdmittedUse) -> Result<ReferenceState> {
        match admitted.kind() {
            TransactionType::Refund => self.refund(call, admitted).await,
            TransactionType::Charge if !admitted.parent().is_empty() => self.capture(call, admitted).await,
            TransactionType::Verify if !TokenParts::of(admitted.token()).mandate.is_empty() => {
                self.verify_mandate(TokenParts::of(admitted.token()).mandate).await
            }
            _ if admitted.vendor_reference().is_empty() => {
                Err(Error::internal("a payment was submitted before its intent was recorded"))
            }
            TransactionType::Verify => self.confirm_setup(admitted).await,
            _ => self.confirm_payment(admitted).await,
        }
    }

    async fn query(&self, call: &Call, known: &Transaction) -> Result<ReferenceState> {
        self.ask_about(call, &Question::of(known)).await
    }

    async fn withdraw(&self, call: &Call, known: &Transaction) -> Result<ReferenceState> {
        let question = Question::of(known);
        if question.kind == TransactionType::Refund || question.is_capture() || question.vendor_reference.is_empty() {
            return Ok(ReferenceState::Unknown);
        }
        let kind = if question.kind == TransactionType::Verify { "setup_intents" } else { "payment_intents" };
        let ask = ApiRequest::post(format!("/v1/{kind}/{}/cancel", question.vendor_reference));
        match self.client.ask::<NamedObject>(&ask).await? {
            Ok(_) => Ok(ReferenceState::Unknown),
            // It is beyond that: it moved money after all, or was declined.
            Err(_) => Ok(match self.ask_about(call, &question).await? {
                ReferenceState::Unknown => ReferenceState::Undecided,
                other => other,
            }),
        }
    }

    async fn begin_entry(&self, wish: &EntryWish) -> Result<EntryPage> {
        self.open_session(wish).await
    }

    async fn find_entry(&self, session_id: &str) -> Result<EntryState> {
        self.read_session(session_id).await
    }

    async fn find_aftermath(&self, object_id: &str) -> Result<Aftermath> {
        self.read_aftermath(object_id).await
    }

    async fn list_movements(&self, span: (Micros, Micros), cursor: &str) -> Result<MovementPage> {
        self.read_movements(span, cursor).await
    }

    async fn find_movement(&self, known: &Transaction) -> Result<MovementState> {
        self.read_movement_of(known).await
    }
}

/// The object, or none if the API does not know it.
pub(super) fn read_object<T>(answer: ApiAnswer<T>) -> Result<Option<T>> {
    match answer {
        Ok(object) => Ok(Some(object)),
        Err(error) if error.code == "resource_missing" => Ok(None),
        Err(error) => Err(Error::unavailable("the payment vendor", format!("{error:?}"))),
    }
}

fn amount_of(admitted: &AdmittedUse) -> Result<Money> {
    admitted.amount().ok_or_else(|| Error::internal("a payment without an amount was admitted"))
}

fn declined_other(reference: &str) -> ReferenceState {
    ReferenceState::Decided(Verdict::new(Decision::Declined(DeclineReason::Other), reference))
}

/// A refund that is refused says nothing of the card: it is never a hard decline.
fn refund_decision(error: &LastError) -> Decision {
    match decide_decline(error) {
        Decision::HardDeclined(_) | Decision::Approved => Decision::Declined(DeclineReason::Other),
        declined @ Decision::Declined(_) => declined,
    }
}

/// The vendor's reference of the payment that is given back, or of the authorization that is charged.
async fn parent_reference(call: &Call, id: &str) -> Result<String> {
    let parent: Option<Transaction> = call.find_unscoped(id).await?;
    let reference = parent.map(|parent| parent.vendor_reference).filter(|reference| !reference.is_empty());
    reference.ok_or_else(|| Error::not_found(Transaction::TABLE.noun, id))
}
