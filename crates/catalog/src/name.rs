//! What something is called in a locale.

use pavise_kernel::common::v1::{Locale, LocalizedText};

use crate::contract::v1::{Offer, Product, Supplement, Tier};

/// What customers call an offer.
#[must_use]
pub fn of_offer(offer: &Offer, locale: Locale) -> String {
    localized(&offer.names, locale).unwrap_or_default().to_owned()
}

/// What customers call a product in a tier: "Legal Plan – Family".
#[must_use]
pub fn of_tier(product: &Product, tier: &Tier, locale: Locale) -> String {
    let names = product.friendly_names.iter().map(|name| (name.locale(), name.text.as_str()));
    let product_name = best(names, locale).unwrap_or(&product.name);
    match localized(&tier.names, locale) {
        Some(tier_name) => format!("{product_name} – {tier_name}"),
        None => product_name.to_owned(),
    }
}

/// What customers call a supplement.
#[must_use]
pub fn of_supplement(supplement: &Supplement, locale: Locale) -> String {
    localized(&supplement.names, locale).unwrap_or(&supplement.name).to_owned()
}

fn localized(texts: &[LocalizedText], locale: Locale) -> Option<&str> {
    best(texts.iter().map(|text| (text.locale(), text.text.as_str())), locale)
}

/// The text in the locale; else in its language; else in American English; else the first.
fn best<'a>(texts: impl Iterator<Item = (Locale, &'a str)> + Clone, locale: Locale) -> Option<&'a str> {
    let language = |locale: Locale| locale.spelling().split('-').next().unwrap_or_default();
    let find = |fits: &dyn Fn(Locale) -> bool| texts.clone().find(|(known, _)| fits(*known)).map(|(_, text)| text);
    find(&|known| known == locale)
        .or_else(|| find(&|known| locale != Locale::Unspecified && language(known) == language(locale)))
        .or_else(|| find(&|known| known == Locale::EnUs))
        .or_else(|| find(&|_| true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_taken() {
        let texts = [(Locale::FrCa, "Régime"), (Locale::EnUs, "Plan")];
        let best = |locale| best(texts.iter().copied(), locale);
        assert_eq!(best(Locale::FrCa), Some("Régime"));
        assert_eq!(best(Locale::EnCa), Some("Plan"));
        assert_eq!(best(Locale::EsUs), Some("Plan"));
        assert_eq!(best(Locale::Unspecified), Some("Plan"));
    }

    #[test]
    fn a_product_without_names_is_called_as_staff_call_it() {
        let product = Product { name: "legal".to_owned(), ..Product::default() };
        assert_eq!(of_tier(&product, &Tier::default(), Locale::EnUs), "legal");
    }
}
