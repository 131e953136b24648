//! Answers the offers of a brand.

use pavise_kernel::common::v1::{Currency, Date, RegionCode};
use pavise_kernel::{Call, Page, Result};

use super::support::reader::{is_staff, view_offer};
use crate::contract::lookups::offer as lookups;
use crate::contract::v1::{ListOffersRequest, ListOffersResponse, Offer, OfferStatus};
use crate::shared::place;
use crate::shared::place::Availability;
use crate::shared::price::is_within;
use crate::shared::selection::is_group_only;

/// A page can be shorter than asked for: place, currency and day narrow it after it was read.
pub(crate) async fn list_offers(call: &Call, request: ListOffersRequest) -> Result<ListOffersResponse> {
    let staff = is_staff(call);
    let Some(statuses) = choose_statuses(staff, &request) else { return Ok(ListOffersResponse::default()) };
    let mut filters = vec![
        (lookups::BRAND, request.brand.clone()),
        (lookups::CHANNEL, request.channel().spelling().to_owned()),
        (lookups::GROUP_IDS, request.group_id.clone()),
        (lookups::PRODUCTS_PRODUCT_ID, request.product_id.clone()),
    ];
    filters.extend(statuses.iter().map(|status| (lookups::STATUS, status.spelling().to_owned())));
    let page = Page { size: request.page_size, token: &request.page_token, filters };
    let (offers, next_page_token) = call.list_page::<Offer>(page).await?;
    let wanted = |offer: &Offer| {
        is_sold_in(offer, request.locality(), request.currency())
            && (staff || is_in_shop(offer, &request.group_id, call.today()))
    };
    let offers = offers.into_iter().filter(wanted).map(|offer| view_offer(call, offer, &request.group_id)).collect();
    Ok(ListOffersResponse { offers, next_page_token })
}

/// The statuses to list. An empty list means all; `None` means that the caller may see none of those asked for.
fn choose_statuses(staff: bool, request: &ListOffersRequest) -> Option<Vec<OfferStatus>> {
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

/// Whether the shop shows an offer: it is sold today, and an offer for groups only to callers who name a group.
fn is_in_shop(offer: &Offer, group_id: &str, today: Date) -> bool {
    is_within(offer.valid_from, offer.valid_until, today) && (!is_group_only(offer) || !group_id.is_empty())
}

/// Whether an offer is sold in a region and a currency. An unspecified one does not count.
fn is_sold_in(offer: &Offer, region: RegionCode, currency: Currency) -> bool {
    let place = region == RegionCode::Unspecified || place::check_offer_place(offer, region) == Availability::Here;
    let money = currency == Currency::Unspecified
        || offer.currencies.is_empty()
        || offer.currencies().any(|one| one == currency);
    place && money
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::SalesChannelKind;
    use crate::shared::sample::{DAY, sample_offer};

    #[test]
    fn a_customer_lists_only_offers_that_are_sold() {
        use OfferStatus as S;
        let ask = |staff, status: S, group: &str| {
            choose_statuses(
                staff,
                &ListOffersRequest {
                    status: status.into(),
                    group_id: group.to_owned(),
                    ..ListOffersRequest::default()
                },
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
    fn the_shop_shows_an_offer_of_a_group_only_to_callers_who_name_a_group() {
        let mut offer = sample_offer(&[]);
        assert!(is_in_shop(&offer, "", DAY));
        offer.set_channel(SalesChannelKind::Group);
        assert!(!is_in_shop(&offer, "", DAY) && is_in_shop(&offer, "acme", DAY));
        offer.valid_until = Some(Date { year: 2025, ..DAY });
        assert!(!is_in_shop(&offer, "acme", DAY));
    }

    #[test]
    fn place_and_currency_narrow_only_when_they_are_said() {
        let mut offer = sample_offer(&[]);
        offer.available_localities = vec![RegionCode::Tx.into()];
        offer.currencies = vec![Currency::Usd.into()];
        assert!(is_sold_in(&offer, RegionCode::Unspecified, Currency::Unspecified));
        assert!(is_sold_in(&offer, RegionCode::Tx, Currency::Usd));
        assert!(!is_sold_in(&offer, RegionCode::Ny, Currency::Usd));
        assert!(!is_sold_in(&offer, RegionCode::Tx, Currency::Cad));
    }
}
