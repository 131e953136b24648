//! The offers that are sold through a group.

use pavise_kernel::common::v1::CountryCode;
use pavise_kernel::{Call, Error, Result};
use tonic::Request;

use crate::contract::catalog::offer_service_client::OfferServiceClient;
use crate::contract::catalog::{GetOffersByIdListRequest, Offer};

/// Checks that the offers exist, and that each is made for the country.
///
/// # Errors
/// `INVALID_FIELD` with the place of each wrong id.
pub(crate) async fn check_offers(call: &Call, brand: &str, country: CountryCode, offer_ids: &[String]) -> Result<()> {
    let wrong = find_wrong_offers(call, brand, country, offer_ids).await?;
    let place = |(at, why): (usize, String)| (format!("offer_ids[{at}]"), why);
    refuse_all(wrong.into_iter().map(place).collect())
}

/// Checks that all offers of a group are made for a country to which it moves.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) async fn check_country(call: &Call, brand: &str, country: CountryCode, offer_ids: &[String]) -> Result<()> {
    let wrong = find_wrong_offers(call, brand, country, offer_ids).await?;
    refuse_all(wrong.into_iter().map(|(_, why)| ("country_identifier".to_owned(), why)).collect())
}

fn refuse_all(violations: Vec<(String, String)>) -> Result<()> {
    let mut violations = violations.into_iter();
    let Some((field, why)) = violations.next() else { return Ok(()) };
    let first = Error::field(field, why);
    Err(violations.fold(first, |error, (field, why)| error.violation(field, why)))
}

async fn find_wrong_offers(
    call: &Call,
    brand: &str,
    country: CountryCode,
    offer_ids: &[String],
) -> Result<Vec<(usize, String)>> {
    if offer_ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut offers = OfferServiceClient::new(call.peer_channel("catalog"));
    let ask = GetOffersByIdListRequest { brand: brand.to_owned(), ids: offer_ids.to_vec() };
    let found = offers.get_offers_by_id_list(Request::new(ask)).await?.into_inner().offers;
    let wrong = |(at, id): (usize, &String)| {
        wrong_with(country, found.iter().find(|offer| offer.id == *id)).map(|why| (at, why))
    };
    Ok(offer_ids.iter().enumerate().filter_map(wrong).collect())
}

fn wrong_with(country: CountryCode, offer: Option<&Offer>) -> Option<String> {
    let Some(offer) = offer else { return Some("names no offer of the group's brand".to_owned()) };
    let is_elsewhere = offer.country() != CountryCode::Unspecified && offer.country() != country;
    is_elsewhere.then(|| format!("the offer {} is made for {}", offer.id, offer.country().spelling()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offer_of_another_country_is_wrong_and_one_of_all_countries_is_not() {
        let offer = |country: CountryCode| Offer { id: "one".into(), country: country.into(), ..Offer::default() };
        assert!(wrong_with(CountryCode::Usa, None).is_some());
        assert!(wrong_with(CountryCode::Usa, Some(&offer(CountryCode::Can))).is_some_and(|why| why.contains("CAN")));
        assert_eq!(wrong_with(CountryCode::Usa, Some(&offer(CountryCode::Usa))), None);
        assert_eq!(wrong_with(CountryCode::Can, Some(&offer(CountryCode::Unspecified))), None);
    }
}
