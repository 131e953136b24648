//! The objects of the API, as far as they are read.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer};

/// A field that may be null.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(from)?.unwrap_or_default())
}

/// A refusal.
#[derive(Deserialize)]
pub(super) struct ApiRefusal {
    #[serde(default)]
    pub(super) error: ApiError,
}

/// Why a request was refused.
#[derive(Default, Deserialize)]
pub(super) struct ApiError {
    #[serde(default, deserialize_with = "or_default")]
    pub(super) r#type: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) code: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) decline_code: String,
}

impl fmt::Debug for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiError")
            .field("type", &self.r#type)
            .field("code", &self.code)
            .field("decline_code", &self.decline_code)
            .finish()
    }
}

/// An object that is an id, or the object itself where it was expanded.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Expandable<T> {
    Id(String),
    Object(Box<T>),
}

impl<T> Expandable<T> {
    /// The object, if it was expanded.
    pub(super) fn object(self) -> Option<T> {
        match self {
            Self::Object(object) => Some(*object),
            Self::Id(_) => None,
        }
    }
}

/// A reason of a decline on an intent.
#[derive(Default, Deserialize)]
pub(super) struct LastError {
    #[serde(default, deserialize_with = "or_default")]
    pub(super) code: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) decline_code: String,
}

impl From<ApiError> for LastError {
    fn from(error: ApiError) -> Self {
        Self { code: error.code, decline_code: error.decline_code }
    }
}

/// Where the member goes next.
#[derive(Deserialize)]
pub(super) struct NextAction {
    #[serde(default)]
    pub(super) redirect_to_url: Option<RedirectTo>,
}

/// An address.
#[derive(Deserialize)]
pub(super) struct RedirectTo {
    #[serde(default, deserialize_with = "or_default")]
    pub(super) url: String,
}

/// A PaymentIntent.
#[derive(Deserialize)]
pub(super) struct PaymentIntent {
    pub(super) id: String,
    pub(super) status: String,
    #[serde(default)]
    pub(super) amount: i64,
    #[serde(default)]
    pub(super) amount_received: i64,
    #[serde(default)]
    pub(super) amount_capturable: i64,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) currency: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) payment_method_types: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) latest_charge: String,
    #[serde(default)]
    pub(super) last_payment_error: Option<LastError>,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) metadata: BTreeMap<String, String>,
}

/// A SetupIntent.
#[derive(Deserialize)]
pub(super) struct SetupIntent {
    pub(super) id: String,
    pub(super) status: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) payment_method_types: Vec<String>,
    #[serde(default)]
    pub(super) last_setup_error: Option<LastError>,
    #[serde(default)]
    pub(super) next_action: Option<NextAction>,
    #[serde(default)]
    pub(super) payment_method: Option<Expandable<Method>>,
    /// The agreement to later drafts.
    #[serde(default, deserialize_with = "or_default")]
    pub(super) mandate: String,
}

/// A Mandate.
#[derive(Deserialize)]
pub(super) struct Mandate {
    #[serde(default, deserialize_with = "or_default")]
    pub(super) status: String,
}

/// A Refund.
#[derive(Deserialize)]
pub(super) struct Refund {
    pub(super) id: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) status: String,
    #[serde(default)]
    pub(super) amount: i64,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) metadata: BTreeMap<String, String>,
}

/// A Dispute.
#[derive(Deserialize)]
pub(super) struct Dispute {
    #[serde(default, deserialize_with = "or_default")]
    pub(super) status: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) payment_intent: String,
    #[serde(default)]
    pub(super) created: i64,
}

/// A Charge.
#[derive(Deserialize)]
pub(super) struct Charge {
    #[serde(default, deserialize_with = "or_default")]
    pub(super) payment_intent: String,
}

/// An object of which only the id matters.
#[derive(Deserialize)]
pub(super) struct NamedObject {
    pub(super) id: String,
}

/// A Checkout Session.
#[derive(Deserialize)]
pub(super) struct Session {
    pub(super) id: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) status: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) url: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) customer: String,
    #[serde(default)]
    pub(super) setup_intent: Option<Expandable<SetupIntent>>,
}

/// A PaymentMethod.
#[derive(Deserialize)]
pub(super) struct Method {
    pub(super) id: String,
    #[serde(default)]
    pub(super) card: Option<MethodCard>,
    #[serde(default)]
    pub(super) us_bank_account: Option<MethodAccount>,
    #[serde(default)]
    pub(super) acss_debit: Option<CanadianAccount>,
    #[serde(default)]
    pub(super) billing_details: Option<BillingDetails>,
}

/// The card of a PaymentMethod.
#[derive(Deserialize)]
pub(super) struct MethodCard {
    #[serde(default, deserialize_with = "or_default")]
    pub(super) brand: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) last4: String,
    #[serde(default)]
    pub(super) exp_month: i32,
    #[serde(default)]
    pub(super) exp_year: i32,
}

/// The account of a PaymentMethod.
#[derive(Deserialize)]
pub(super) struct MethodAccount {
    #[serde(default, deserialize_with = "or_default")]
    pub(super) account_type: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) last4: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) routing_number: String,
}

/// The account of a PaymentMethod at a bank in Canada.
#[derive(Deserialize)]
pub(super) struct CanadianAccount {
    #[serde(default, deserialize_with = "or_default")]
    pub(super) last4: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) transit_number: String,
}

/// The holder of a PaymentMethod.
#[derive(Deserialize)]
pub(super) struct BillingDetails {
    #[serde(default, deserialize_with = "or_default")]
    pub(super) name: String,
}

/// A movement on the balance of the account.
#[derive(Deserialize)]
pub(super) struct BalanceTransaction {
    pub(super) id: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) r#type: String,
    #[serde(default)]
    pub(super) amount: i64,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) currency: String,
    #[serde(default)]
    pub(super) source: Option<Expandable<MovementSource>>,
}

/// The charge or the refund behind a movement.
#[derive(Deserialize)]
pub(super) struct MovementSource {
    #[serde(default, deserialize_with = "or_default")]
    pub(super) id: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) payment_intent: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) metadata: BTreeMap<String, String>,
}
