//! Makes an order without prices from a draft.

use pavise_kernel::common::v1::{BillingPeriod, BillingProvider, ClassicIdType, Currency, Date, Locale, RegionCode};
use pavise_kernel::time::{is_real, to_days};
use pavise_kernel::{Call, Error, Result};

use super::people::{check_people, complete_business, complete_personal};
use super::place;
use crate::contract::v1::*;

/// The order of a draft. Fields that the draft leaves open get their documented defaults.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) fn build_order(call: &Call, owner_id: String, group_id: String, draft: OrderDraft) -> Result<Order> {
    let path = "order.";
    let locale = locale_or_default(draft.locale());
    let channel = draft.channel();
    let billing_period = billing_period_or_monthly(draft.billing_period());
    let region = draft.locality();
    let (address, locality) = place::resolve_place(path, draft.address, region)?;
    if locality == RegionCode::Unspecified {
        return Err(Error::field("order.locality", "is needed, or an address"));
    }
    for (at, id) in draft.classic_ids.iter().enumerate() {
        if id.r#type() == ClassicIdType::Unspecified || !(1..=32).contains(&id.value.len()) {
            return Err(Error::field(
                format!("order.classic_ids[{at}]"),
                "needs a type and a value of 1 to 32 characters",
            ));
        }
    }
    if group_id.is_empty() && !draft.division_id.is_empty() {
        return Err(Error::field("order.division_id", "is for an order through a group"));
    }
    let offers = draft.offers.into_iter().map(|choice| build_offer(call, choice, billing_period)).collect();
    Ok(Order {
        owner_id,
        group_id,
        channel: channel.into(),
        marketing_channel: if draft.marketing_channel == 0 {
            marketing_channel_from(channel).into()
        } else {
            draft.marketing_channel
        },
        billing_provider: if draft.billing_provider == 0 {
            BillingProvider::Psx.into()
        } else {
            draft.billing_provider
        },
        vendor: draft.vendor,
        co_brand_partner: draft.co_brand_partner,
        source: draft.source,
        classic_ids: draft.classic_ids,
        locale: locale.into(),
        currency: if draft.currency == 0 { currency_from_locale(locale).into() } else { draft.currency },
        billing_period: billing_period.into(),
        locality: locality.into(),
        address,
        personal_info: draft.personal_info.map(complete_personal),
        business_info: draft.business_info.map(complete_business),
        offers,
        authorized_users: check_people(call, path, draft.authorized_users)?,
        effective_on: check_first_day(draft.effective_on, call.today())?,
        division_id: draft.division_id,
        ..Order::default()
    })
}

/// Checks the day on which the plans of a draft begin. One that is over when the order is purchased becomes that day.
///
/// # Errors
/// `INVALID_FIELD`.
fn check_first_day(day: Option<Date>, today: Date) -> Result<Option<Date>> {
    let Some(first) = day else { return Ok(None) };
    let ahead = if is_real(first) { to_days(first) - to_days(today) } else { i64::MAX };
    if (-7..=366).contains(&ahead) {
        Ok(day)
    } else {
        Err(Error::field("order.effective_on", "is no day of the last week or of the next year"))
    }
}

/// The offer of a choice, without prices.
pub(crate) fn build_offer(call: &Call, choice: OfferChoice, otherwise: BillingPeriod) -> OfferOnOrder {
    let said = choice.billing_period();
    OfferOnOrder {
        id: call.new_id(),
        billing_period: if said == BillingPeriod::Unspecified { otherwise } else { said }.into(),
        brand: choice.brand,
        offer_id: choice.offer_id,
        selections: choice.selections,
        status: OfferStatusOnOrder::Open.into(),
        subscription_action: SubscriptionAction::Create.into(),
        ..OfferOnOrder::default()
    }
}

/// The billing period of a request; monthly by default (001 §9).
pub(crate) fn billing_period_or_monthly(said: BillingPeriod) -> BillingPeriod {
    if said == BillingPeriod::Unspecified { BillingPeriod::Monthly } else { said }
}

/// The locale of a request; en-US by default.
pub(crate) fn locale_or_default(said: Locale) -> Locale {
    if said == Locale::Unspecified { Locale::EnUs } else { said }
}

/// The currency of a locale (000 §9).
pub(crate) fn currency_from_locale(locale: Locale) -> Currency {
    match locale {
        Locale::EnCa | Locale::FrCa => Currency::Cad,
        Locale::EnUs | Locale::EsUs | Locale::Unspecified => Currency::Usd,
    }
}

/// The marketing channel of a channel's sales.
pub(crate) fn marketing_channel_from(channel: OrderChannel) -> MarketingChannel {
    match channel {
        OrderChannel::Unspecified => MarketingChannel::Unspecified,
        OrderChannel::GroupSites => MarketingChannel::GroupSites,
        OrderChannel::Corp => MarketingChannel::Corp,
        OrderChannel::Hubsites => MarketingChannel::Hubsites,
        OrderChannel::LaunchByLs => MarketingChannel::LaunchByLs,
        OrderChannel::BuyNow => MarketingChannel::BuyNow,
        OrderChannel::LsaPlus => MarketingChannel::LsaPlus,
        OrderChannel::SubmitApp => MarketingChannel::SubmitApp,
        OrderChannel::AddLegalSupplement => MarketingChannel::AddLegalSupplement,
    }
}

/// The period that one payment covers.
pub(crate) fn period_from(billed: BillingPeriod) -> Period {
    match billed {
        BillingPeriod::Daily => Period::Day,
        BillingPeriod::Weekly => Period::Week,
        BillingPeriod::Monthly => Period::Month,
        BillingPeriod::Quarterly => Period::Quarter,
        BillingPeriod::Biannual => Period::Biannual,
        BillingPeriod::Annual => Period::Annual,
        BillingPeriod::PayPeriod => Period::PayPeriod,
        BillingPeriod::OneTime | BillingPeriod::Unspecified => Period::Unspecified,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_currency_follows_the_locale() {
        let of = currency_from_locale;
        assert_eq!([Locale::EnCa, Locale::FrCa].map(of), [Currency::Cad; 2]);
        assert_eq!([Locale::EnUs, Locale::EsUs, Locale::Unspecified].map(of), [Currency::Usd; 3]);
    }

    #[test]
    fn plans_begin_within_a_year() {
        let today = Date { year: 2026, month: 11, day: 20 };
        let check = |year, month, day| check_first_day(Some(Date { year, month, day }), today);
        assert!(check_first_day(None, today).unwrap().is_none());
        assert!(check(2026, 11, 13).is_ok() && check(2026, 12, 1).is_ok() && check(2027, 11, 20).is_ok());
        for refused in [check(2026, 11, 12), check(2027, 12, 1), check(2027, 2, 30)] {
            assert_eq!(refused.unwrap_err().violations()[0].field, "order.effective_on");
        }
    }

    #[test]
    fn channels_and_marketing_channels_are_spelt_as_documented() {
        let pairs = [
            ("GroupSites", "GROUP_SITES"),
            ("Corp", "CORP"),
            ("Hubsites", "HUBSITES"),
            ("LaunchByLS", "LAUNCH_BY_LS"),
            ("BuyNow", "BUY_NOW"),
            ("LSAPlus", "LSA_PLUS"),
            ("SubmitApp", "SUBMIT_APP"),
            ("AddLegalSupplement", "ADD_LEGAL_SUPPLEMENT"),
        ];
        for (channel, marketing) in pairs {
            let known = OrderChannel::from_spelling(channel).map(marketing_channel_from);
            assert_eq!(known.map(MarketingChannel::spelling), Some(marketing));
        }
        assert_eq!(BillingProvider::SystemI.spelling(), "SYSTEM I");
    }
}
