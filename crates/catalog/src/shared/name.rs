//! Names in a locale.

use pavise_kernel::common::v1::{Locale, LocalizedText};

use crate::contract::v1::{Offer, Product, Supplement, Tier};

/// The name of an offer for customers.
pub(crate) fn name_offer(offer: &Offer, locale: Locale) -> String {
    find_text(&offer.names, locale).unwrap_or_default().to_owned()
}

/// The name of a product in a tier for customers: "Legal Plan – Family".
pub(crate) fn name_tier(product: &Product, tier: &Tier, locale: Locale) -> String {
    let names = product.friendly_names.iter().map(|name| (name.locale(), name.text.as_str()));
    let product_name = choose_text(names, locale).unwrap_or(&product.name);
    match find_text(&tier.names, locale) {
        Some(tier_name) => format!("{product_name} – {tier_name}"),
        None => product_name.to_owned(),
    }
}

/// The name of a supplement for customers.
pub(crate) fn name_supplement(supplement: &Supplement, locale: Locale) -> String {
    find_text(&supplement.names, locale).unwrap_or(&supplement.name).to_owned()
}

fn find_text(texts: &[LocalizedText], locale: Locale) -> Option<&str> {
    choose_text(texts.iter().map(|text| (text.locale(), text.text.as_str())), locale)
}

/// The text in the locale; else in its language; else in American English; else the first.
fn choose_text<'a>(texts: impl Iterator<Item = (Locale, &'a str)> + Clone, locale: Locale) -> Option<&'a str> {
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
        let best = |locale| choose_text(texts.iter().copied(), locale);
        assert_eq!(best(Locale::FrCa), Some("Régime"));
        assert_eq!(best(Locale::EnCa), Some("Plan"));
        assert_eq!(best(Locale::EsUs), Some("Plan"));
        assert_eq!(best(Locale::Unspecified), Some("Plan"));
    }

    #[test]
    fn a_product_without_names_has_the_name_for_staff() {
        let product = Product { name: "legal".to_owned(), ..Product::default() };
        assert_eq!(name_tier(&product, &Tier::default(), Locale::EnUs), "legal");
    }
}
