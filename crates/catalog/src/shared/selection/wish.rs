//! The wish of a buyer.

use pavise_kernel::common::v1::{BillingPeriod, Currency, Date, Locale, RegionCode};

use crate::contract::v1::{SalesChannelKind, Selection, ValidateSelectionsRequest};
use crate::shared::price::Terms;

/// The wish of a buyer, with the defaults of what the request leaves open.
#[derive(Debug, Clone)]
pub(crate) struct Wish<'a> {
    /// The choices.
    pub(crate) selections: &'a [Selection],
    /// The terms of the payment.
    pub(crate) terms: Terms,
    /// The region in which the buyer lives.
    pub(crate) locality: RegionCode,
    /// The sales channel.
    pub(crate) channel: SalesChannelKind,
    /// The group through which the buyer buys; empty for none.
    pub(crate) group_id: &'a str,
    /// The locale of names.
    pub(crate) locale: Locale,
    /// Whether the buyer is in the cohort of the offer. Only an offer on trial has one.
    pub(crate) in_cohort: bool,
}

impl<'a> Wish<'a> {
    /// The wish of a request on a day. The defaults are MONTHLY, the currency of the locale or else USD, and GROUP with a
    /// group or else D2C (001 §9). A request does not say whether the buyer is in a cohort: nobody is, by default.
    pub(crate) fn from_request(request: &'a ValidateSelectionsRequest, day: Date) -> Self {
        let billing_period = match request.billing_period() {
            BillingPeriod::Unspecified => BillingPeriod::Monthly,
            said => said,
        };
        let currency = match (request.currency(), request.locale()) {
            (Currency::Unspecified, Locale::EnCa | Locale::FrCa) => Currency::Cad,
            (Currency::Unspecified, _) => Currency::Usd,
            (said, _) => said,
        };
        let channel = match (request.channel(), request.group_id.as_str()) {
            (SalesChannelKind::Unspecified, "") => SalesChannelKind::D2c,
            (SalesChannelKind::Unspecified, _) => SalesChannelKind::Group,
            (said, _) => said,
        };
        Self {
            selections: &request.selections,
            terms: Terms { billing_period, currency, day },
            locality: request.locality(),
            channel,
            group_id: &request.group_id,
            locale: request.locale(),
            in_cohort: false,
        }
    }
}
