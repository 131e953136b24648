//! Checks the offer itself: status, days, channel, group, place and terms.

use pavise_kernel::common::v1::RegionCode;

use super::problems::Problems;
use super::wish::Wish;
use crate::contract::v1::{Offer, OfferStatus, OfferType, SalesChannelKind, SelectionProblemKind as Kind};
use crate::shared::place;
use crate::shared::place::Availability;
use crate::shared::price::is_within;

/// Checks that the offer itself can be bought.
pub(super) fn check_sale(offer: &Offer, wish: &Wish<'_>, problems: &mut Problems) {
    check_status(offer, wish, problems);
    if !is_within(offer.valid_from, offer.valid_until, wish.terms.day) {
        problems.add("offer_id", Kind::OfferNotValidToday, "the offer is not sold today");
    }
    check_channel(offer, wish, problems);
    check_group(offer, wish, problems);
    let (period, currency) = (wish.terms.billing_period, wish.terms.currency);
    if !offer.billing_periods.is_empty() && !offer.billing_periods().any(|one| one == period) {
        problems.add(
            "billing_period",
            Kind::BillingPeriodNotOffered,
            format!("the offer is not sold {}", period.spelling()),
        );
    }
    if !offer.currencies.is_empty() && !offer.currencies().any(|one| one == currency) {
        problems.add("currency", Kind::CurrencyNotOffered, format!("the offer is not sold in {}", currency.spelling()));
    }
    check_locality("locality", "the offer", place::check_offer_place(offer, wish.locality), wish.locality, problems);
}

/// An offer can be bought while it is on sale: one on trial only by the members of its cohort.
fn check_status(offer: &Offer, wish: &Wish<'_>, problems: &mut Problems) {
    let status = offer.status();
    if offer.r#type() == OfferType::Experimental && !wish.in_cohort {
        problems.add("offer_id", Kind::OfferNotForSale, "the offer is on trial: only members of its cohort buy it");
        return;
    }
    match status {
        OfferStatus::AvailableForSale | OfferStatus::Enrollable => {}
        OfferStatus::Unspecified
        | OfferStatus::PendingApproval
        | OfferStatus::NeedsReview
        | OfferStatus::Grandfathered => {
            let description = format!("an offer that is {} cannot be bought", status.spelling());
            problems.add("offer_id", Kind::OfferNotForSale, description);
        }
    }
}

/// An offer is sold in its channel. An ENROLLABLE offer is sold through its groups, whatever its channel.
fn check_channel(offer: &Offer, wish: &Wish<'_>, problems: &mut Problems) {
    let enrolled = offer.status() == OfferStatus::Enrollable;
    let fits = if enrolled { wish.channel == SalesChannelKind::Group } else { wish.channel == offer.channel() };
    if !fits {
        let sold = if enrolled { SalesChannelKind::Group } else { offer.channel() };
        let description = format!("the offer is sold {}, not {}", sold.spelling(), wish.channel.spelling());
        problems.add("channel", Kind::ChannelNotAllowed, description);
    }
}

/// The group must be one of the offer's groups.
fn check_group(offer: &Offer, wish: &Wish<'_>, problems: &mut Problems) {
    let needed = is_group_only(offer);
    let one_of_its = offer.group_ids.iter().any(|group| group == wish.group_id);
    if needed && wish.group_id.is_empty() {
        problems.add("group_id", Kind::GroupNotAllowed, "the offer is sold through a group only");
    } else if (needed || !wish.group_id.is_empty()) && !one_of_its {
        problems.add("group_id", Kind::GroupNotAllowed, "the offer is not sold through this group");
    }
}

/// Whether an offer is sold only to buyers who name one of its groups.
pub(crate) fn is_group_only(offer: &Offer) -> bool {
    offer.status() == OfferStatus::Enrollable
        || offer.channel() == SalesChannelKind::Group
        || !offer.group_ids.is_empty()
}

/// Adds the problem of a place, if there is one.
pub(super) fn check_locality(
    field: impl Into<String>,
    what: &str,
    sold: Availability,
    region: RegionCode,
    problems: &mut Problems,
) {
    match sold {
        Availability::Here => {}
        Availability::NotHere => {
            problems.add(field, Kind::LocalityNotAllowed, format!("{what} is not sold in {}", region.spelling()))
        }
        Availability::Unknown => {
            problems.add("locality", Kind::LocalityMissing, "say where the buyer is: it is not sold everywhere")
        }
    }
}
