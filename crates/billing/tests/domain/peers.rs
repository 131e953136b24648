//! The other domains, as far as billing calls them.

use pavise_billing::contract::orders::{self, GetOrderRequest};
use pavise_kernel::Error;
use pavise_kernel::common::v1::{CheckTieRequest, CheckTieResponse, TellSubjectRequest, TellSubjectResponse};
use pavise_testkit::scene::{PeerDouble, RecordedCall};

use crate::scene::usd;

/// The domains identity and orders. The order `card:2995` is being paid with the method `card`, which 29.95 is due. The order
/// `card:2995:acme` is one through the group acme.
pub(crate) fn peers() -> PeerDouble {
    let ties = PeerDouble::default()
        .on_anew("/pavise.identity.v1.TieService/CheckTie", |ask| Ok(check_tie(&ask.message)))
        .on_anew("/pavise.groups.v1.TieService/CheckTie", |_: RecordedCall<CheckTieRequest>| {
            Ok(CheckTieResponse { open: true, ..CheckTieResponse::default() })
        })
        .on_anew("/pavise.orders.v1.TieService/CheckTie", |_: RecordedCall<CheckTieRequest>| {
            Ok(CheckTieResponse::default())
        });
    let told =
        ties.with_call("/pavise.identity.v1.IdentityService/TellSubject", |ask: RecordedCall<TellSubjectRequest>| {
            // Letters to "bob" wait.
            if ask.message.identity_id == "bob" {
                return Err(Error::unavailable("identity", "bob"));
            }
            Ok(TellSubjectResponse { told: true })
        });
    told.on_anew("/pavise.orders.v1.OrderService/GetOrder", |ask: RecordedCall<GetOrderRequest>| {
        let mut parts = ask.message.order_id.split(':');
        let (method, due) = (parts.next().unwrap_or_default(), parts.next().and_then(|due| due.parse().ok()));
        let due = due.ok_or_else(|| Error::not_found("order", &ask.message.order_id))?;
        let offer = orders::OfferOnOrder { total: usd(due), ..orders::OfferOnOrder::default() };
        Ok(orders::Order {
            id: ask.message.order_id.clone(),
            owner_id: ask.message.identity_id,
            status: orders::OrderStatus::Processing.into(),
            currency: 1,
            payment_method_id: method.to_owned(),
            group_id: parts.next().unwrap_or_default().to_owned(),
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
