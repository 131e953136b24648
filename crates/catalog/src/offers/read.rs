//! Who sees which offer.

use pavise_kernel::common::v1::{Currency, Date, RegionCode};
use pavise_kernel::{Aggregate as _, Call, Error, Page, Result};

use super::stock;
use crate::caller::is_staff;
use crate::contract::v1::{
    GetOfferRequest, GetOffersByIdListRequest, GetOffersByIdListResponse, ListOffersRequest, ListOffersResponse, Offer,
    OfferStatus,
};
use crate::place::{self, Sold};
use crate::price::holds_on;
use crate::selection::needs_group;

pub(super) async fn get(call: &Call, request: GetOfferRequest) -> Result<Offer> {
    let offer = stock::find(call, &request.brand, &request.offer_id).await?;
    if !may_know(call, &offer) {
        return Err(Error::not_found(Offer::TABLE.noun, &request.offer_id));
    }
    Ok(shown(call, offer, ""))
}

pub(super) async fn by_ids(call: &Call, request: GetOffersByIdListRequest) -> Result<GetOffersByIdListResponse> {
    let found: Vec<Offer> = call.find_many(&request.ids).await?;
    let found = found.into_iter().filter(|offer| offer.brand == request.brand && may_know(call, offer));
    Ok(GetOffersByIdListResponse { offers: found.map(|offer| shown(call, offer, "")).collect() })
}

/// Place, currency and day narrow a page after it was read, so that a page can be shorter than asked for.
pub(super) async fn list(call: &Call, request: ListOffersRequest) -> Result<ListOffersResponse> {
    let staff = is_staff(call);
    let Some(statuses) = statuses(staff, &request) else { return Ok(ListOffersResponse::default()) };
    let mut filters = vec![
        ("brand", request.brand.clone()),
        ("channel", request.channel().spelling().to_owned()),
        ("group_ids", request.group_id.clone()),
        ("products.product_id", request.product_id.clone()),
    ];
    filters.extend(statuses.iter().map(|status| ("status", status.spelling().to_owned())));
    let page = Page { size: request.page_size, token: &request.page_token, filters };
    let (offers, next_page_token) = call.page::<Offer>(page).await?;
    let wanted = |offer: &Offer| {
        fits(offer, request.locality(), request.currency()) && (staff || in_shop(offer, &request.group_id, call.today()))
    };
    let offers = offers.into_iter().filter(wanted).map(|offer| shown(call, offer, &request.group_id)).collect();
    Ok(ListOffersResponse { offers, next_page_token })
}

/// Whether the caller may know of the offer: staff of any, everybody of what is sold, who has a token also of what he
/// may still have from before.
pub(super) fn may_know(call: &Call, offer: &Offer) -> bool {
    if is_staff(call) {
        return true;
    }
    match offer.status() {
        OfferStatus::AvailableForSale | OfferStatus::Enrollable => true,
        OfferStatus::Grandfathered => !call.caller().is_anonymous(),
        OfferStatus::Unspecified | OfferStatus::PendingApproval | OfferStatus::NeedsReview => false,
    }
}

/// The statuses to list, none meaning all; nothing when the caller may see none of what he asks for.
fn statuses(staff: bool, request: &ListOffersRequest) -> Option<Vec<OfferStatus>> {
    let wanted = request.status();
    let sold: &[OfferStatus] = match (staff, request.group_id.is_empty()) {
        (true, _) if wanted == OfferStatus::Unspecified => return Some(Vec::new()),
        (true, _) => return Some(vec![wanted]),
        (false, true) => &[OfferStatus::AvailableForSale],
        (false, false) => &[OfferStatus::AvailableForSale, OfferStatus::Enrollable],
    };
    match wanted {
        OfferStatus::Unspecified => Some(sold.to_vec()),
        _ => sold.contains(&wanted).then(|| vec![wanted]),
    }
}

/// Whether an offer lies in the shop window: sold today, and to a group only for who asks for the group.
fn in_shop(offer: &Offer, group_id: &str, today: Date) -> bool {
    holds_on(offer.valid_from, offer.valid_until, today) && (!needs_group(offer) || !group_id.is_empty())
}

fn fits(offer: &Offer, region: RegionCode, currency: Currency) -> bool {
    let place = region == RegionCode::Unspecified || place::offer_in(offer, region) == Sold::Here;
    let money = currency == Currency::Unspecified || offer.currencies.is_empty() || offer.currencies().any(|one| one == currency);
    place && money
}

/// The offer as the caller sees it: which employers have it is nobody's business but theirs.
fn shown(call: &Call, mut offer: Offer, group_id: &str) -> Offer {
    if !is_staff(call) {
        offer.group_ids.retain(|group| group == group_id || call.caller().groups.contains(group));
    }
    offer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::SalesChannelKind;
    use crate::sample::{DAY, offer};

    #[test]
    fn a_customer_lists_only_what_is_sold_to_him() {
        use OfferStatus as S;
        let ask = |staff, status: S, group: &str| {
            statuses(
                staff,
                &ListOffersRequest { status: status.into(), group_id: group.to_owned(), ..ListOffersRequest::default() },
            )
        };
        assert_eq!(ask(false, S::Unspecified, ""), Some(vec![S::AvailableForSale]));
        assert_eq!(ask(false, S::Unspecified, "acme"), Some(vec![S::AvailableForSale, S::Enrollable]));
        assert_eq!(ask(false, S::Enrollable, ""), None);
        assert_eq!(ask(false, S::PendingApproval, "acme"), None);
        assert_eq!(ask(true, S::PendingApproval, ""), Some(vec![S::PendingApproval]));
        assert_eq!(ask(true, S::Unspecified, ""), Some(vec![]));
    }

    #[test]
    fn an_offer_of_a_group_is_in_the_window_only_for_who_names_the_group() {
        let mut offer = offer(&[]);
        assert!(in_shop(&offer, "", DAY));
        offer.set_channel(SalesChannelKind::Group);
        assert!(!in_shop(&offer, "", DAY) && in_shop(&offer, "acme", DAY));
        offer.valid_until = Some(Date { year: 2025, ..DAY });
        assert!(!in_shop(&offer, "acme", DAY));
    }

    #[test]
    fn place_and_currency_narrow_only_when_they_are_said() {
        let mut offer = offer(&[]);
        offer.available_localities = vec![RegionCode::Tx.into()];
        offer.currencies = vec![Currency::Usd.into()];
        assert!(fits(&offer, RegionCode::Unspecified, Currency::Unspecified));
        assert!(fits(&offer, RegionCode::Tx, Currency::Usd));
        assert!(!fits(&offer, RegionCode::Ny, Currency::Usd));
        assert!(!fits(&offer, RegionCode::Tx, Currency::Cad));
    }
}
