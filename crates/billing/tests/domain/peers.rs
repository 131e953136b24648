//! The other domains, as far as billing calls them.

use std::sync::{Arc, Mutex};

use pavise_billing::contract::catalog::{PricedLine, ValidateSelectionsRequest, ValidateSelectionsResponse};
use pavise_billing::contract::groups::{GetGroupRequest, Group};
use pavise_billing::contract::members::{GetProfileRequest, Profile, ProfileEmail};
use pavise_billing::contract::messaging::{Notification, SendNotificationRequest};
use pavise_billing::contract::orders::{
    self, AppliedTax, CalculateTaxesRequest, GetOrderRequest, TaxCalculation, TaxComponent, TaxedLine,
};
use pavise_kernel::common::v1::{
    BillingPeriod, CheckTieRequest, CheckTieResponse, Locale, Money, PersonName, RegionCode, TellSubjectRequest,
    TellSubjectResponse,
};
use pavise_kernel::{Error, Result};
use pavise_testkit::scene::{PeerDouble, RecordedCall};

use crate::scene::usd;

/// The letters that were sent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Letters(Arc<Mutex<Vec<(String, String)>>>);

impl Letters {
    /// Their templates and values.
    pub(crate) fn sent(&self) -> Vec<(String, String)> {
        self.0.lock().unwrap().clone()
    }

    fn add(&self, ask: SendNotificationRequest) {
        let draft = ask.notification.unwrap_or_default();
        assert_eq!(draft.email, format!("{}@example.com", ask.identity_id));
        let values = draft.values.into_iter().filter(|value| value.name != "name");
        let values: Vec<String> = values.map(|value| value.text).collect();
        self.0.lock().unwrap().push((draft.template_key, values.join(", ")));
    }
}

/// The catalog sells "offer" of "brand": each product costs 299.00 a year, and 29.95 in any other period.
fn validate_selections(ask: &ValidateSelectionsRequest) -> Result<ValidateSelectionsResponse> {
    if (ask.brand.as_str(), ask.offer_id.as_str()) != ("brand", "offer") {
        return Err(Error::not_found("offer", &ask.offer_id));
    }
    let price = usd(if ask.billing_period() == BillingPeriod::Annual { 29_900 } else { 2995 });
    let lines = ask.selections.iter().map(|chosen| PricedLine {
        product_id: chosen.product_id.clone(),
        tier_id: chosen.tier_id.clone(),
        initial_price: usd(1),
        renewal_price: price,
        ..PricedLine::default()
    });
    Ok(ValidateSelectionsResponse { valid: true, lines: lines.collect(), ..ValidateSelectionsResponse::default() })
}

/// A tax of a tenth on each line in Texas, and the two of Quebec. No area is known in Ontario.
fn calculate_taxes(ask: &CalculateTaxesRequest) -> Result<TaxCalculation> {
    let rates: &[(TaxComponent, i32)] = match ask.locality() {
        RegionCode::Tx => &[(TaxComponent::State, 100_000)],
        RegionCode::Qc => &[(TaxComponent::Gst, 50_000), (TaxComponent::Qst, 99_750)],
        _ => return Err(Error::field("locality", "has no tax area")),
    };
    let apply = |amount: Money, (component, rate_ppm): (TaxComponent, i32)| AppliedTax {
        component: component.into(),
        locality: ask.locality,
        rate_ppm,
        amount: Some(Money { amount: (amount.amount * i64::from(rate_ppm) + 500_000) / 1_000_000, ..amount }),
    };
    let lines = ask.lines.iter().map(|line| TaxedLine {
        amount: line.amount,
        taxes: line.amount.into_iter().flat_map(|amount| rates.iter().map(move |rate| apply(amount, *rate))).collect(),
        ..TaxedLine::default()
    });
    Ok(TaxCalculation { lines: lines.collect(), ..TaxCalculation::default() })
}

/// The domains catalog, identity, members, messaging and orders. The order `card:2995` is being paid with the method `card`, which 29.95 is due. The order
/// `card:2995:acme` is one through the group acme.
pub(crate) fn peers(letters: &Letters) -> PeerDouble {
    let letters = letters.clone();
    let ties = PeerDouble::default()
        .on_anew("/pavise.identity.v1.TieService/CheckTie", |ask| Ok(check_tie(&ask.message)))
        .on_anew("/pavise.groups.v1.TieService/CheckTie", |_: RecordedCall<CheckTieRequest>| {
            Ok(CheckTieResponse { open: true, ..CheckTieResponse::default() })
        })
        .on_anew("/pavise.orders.v1.TieService/CheckTie", |_: RecordedCall<CheckTieRequest>| {
            Ok(CheckTieResponse::default())
        })
        .on_anew("/pavise.groups.v1.GroupService/GetGroup", |ask: RecordedCall<GetGroupRequest>| {
            let id = ask.message.group_id;
            Ok(Group { name: format!("{id} Inc."), id, ..Group::default() })
        });
    let told =
        ties.with_call("/pavise.identity.v1.IdentityService/TellSubject", |ask: RecordedCall<TellSubjectRequest>| {
            // Letters to "bob" wait.
            if ask.message.identity_id == "bob" {
                return Err(Error::unavailable("identity", "bob"));
            }
            Ok(TellSubjectResponse { told: true })
        });
    let written = told
        .on_anew("/pavise.members.v1.ProfileService/GetProfile", |ask: RecordedCall<GetProfileRequest>| {
            let address = format!("{}@example.com", ask.message.identity_id);
            let emails = vec![ProfileEmail { address, ..ProfileEmail::default() }];
            let name = Some(PersonName { first_name: ask.message.identity_id, ..PersonName::default() });
            Ok(Profile { emails, name, locale: Locale::EsUs.into(), ..Profile::default() })
        })
        .with_call(
            "/pavise.messaging.v1.NotificationService/SendNotification",
            move |ask: RecordedCall<SendNotificationRequest>| {
                letters.add(ask.message);
                Ok(Notification::default())
            },
        )
        .on_anew("/pavise.orders.v1.TaxService/CalculateTaxes", |ask: RecordedCall<CalculateTaxesRequest>| {
            calculate_taxes(&ask.message)
        })
        .on_anew(
            "/pavise.catalog.v1.OfferService/ValidateSelections",
            |ask: RecordedCall<ValidateSelectionsRequest>| validate_selections(&ask.message),
        );
    written.on_anew("/pavise.orders.v1.OrderService/GetOrder", |ask: RecordedCall<GetOrderRequest>| {
        let mut parts = ask.message.order_id.split(':');
        let (method, due) = (parts.next().unwrap_or_default(), parts.next().and_then(|due| due.parse().ok()));
        let due = due.ok_or_else(|| Error::not_found("order", &ask.message.order_id))?;
        let offer = orders::OfferOnOrder {
            brand: "brand".to_owned(),
            offer_id: "offer".to_owned(),
            total: usd(due),
            ..orders::OfferOnOrder::default()
        };
        Ok(orders::Order {
            id: ask.message.order_id.clone(),
            owner_id: ask.message.identity_id,
            status: orders::OrderStatus::Processing.into(),
            currency: 1,
            payment_method_id: method.to_owned(),
            group_id: parts.next().unwrap_or_default().to_owned(),
            personal_info: Some(orders::PersonalInfo {
                first_name: "Bob".to_owned(),
                last_name: "Buyer".to_owned(),
                ..orders::PersonalInfo::default()
            }),
            offers: vec![offer],
            ..orders::Order::default()
        })
    })
}

/// "alice" is a member of "acme". "mallory" is not, and nobody else exists.
fn check_tie(ask: &CheckTieRequest) -> CheckTieResponse {
    let is_alice = ask.identity_id == "alice";
    let tied = is_alice && ask.scope_id == "acme";
    CheckTieResponse { exists: is_alice || ask.identity_id == "mallory", tied, ..CheckTieResponse::default() }
}
