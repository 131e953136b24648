//! Makes parts of products.

use pavise_kernel::common::v1::{
    BillingPeriod, ContractType, CountryCode, Currency, Date, Locale, LocalizedText, Money, RegionCode,
};
use pavise_kernel::regions::country_of;

use crate::contract::v1::{
    FriendlyName, MarketingText, Price, ProductCategory, ProductContract, Restriction, RestrictionType, StateVariant,
};

/// The locales of the platform, in the order of the texts.
const LOCALES: [Locale; 4] = [Locale::EnUs, Locale::EsUs, Locale::EnCa, Locale::FrCa];

/// A text in American English, American Spanish, Canadian English and Canadian French.
pub(super) type Text = [&'static str; 4];

/// An amount each month, in cents. A year costs eleven months.
#[derive(Debug, Clone, Copy)]
pub(super) struct Monthly {
    pub(super) currency: Currency,
    pub(super) cents: i64,
}

/// United States dollars each month.
pub(super) const fn monthly_usd(cents: i64) -> Monthly {
    Monthly { currency: Currency::Usd, cents }
}

/// Canadian dollars each month.
pub(super) const fn monthly_cad(cents: i64) -> Monthly {
    Monthly { currency: Currency::Cad, cents }
}

/// A text in each locale.
pub(super) fn localized_texts(text: Text) -> Vec<LocalizedText> {
    LOCALES
        .into_iter()
        .zip(text)
        .map(|(locale, text)| LocalizedText { locale: locale.into(), text: text.to_owned() })
        .collect()
}

/// Names of a product for customers.
pub(super) fn friendly_names(text: Text) -> Vec<FriendlyName> {
    let name = |(locale, text): (Locale, &str)| FriendlyName {
        id: locale.spelling().to_owned(),
        locale: locale.into(),
        text: text.to_owned(),
    };
    LOCALES.into_iter().zip(text).map(name).collect()
}

/// Marketing texts of a product: headlines, paragraphs and, per locale, points.
pub(super) fn marketing_texts(headlines: Text, descriptions: Text, points: [&[&str]; 4]) -> Vec<MarketingText> {
    let texts = LOCALES.into_iter().zip(headlines).zip(descriptions.into_iter().zip(points));
    texts
        .map(|((locale, headline), (description, points))| MarketingText {
            locale: locale.into(),
            headline: headline.to_owned(),
            description: description.to_owned(),
            points: points.iter().map(|&point| point.to_owned()).collect(),
            image_url: String::new(),
        })
        .collect()
}

/// A category of products.
pub(super) fn product_category(id: &str, name: Text) -> ProductCategory {
    ProductCategory { id: id.to_owned(), names: localized_texts(name) }
}

/// A membership contract. Some regions have a document of their own. The documents are named by the names of their files.
pub(super) fn product_contract(id: &str, title: Text, regions: &[RegionCode]) -> ProductContract {
    let variant = |region: &RegionCode| {
        let region_id = region.spelling().to_lowercase();
        StateVariant { document_id: format!("{id}-{region_id}.pdf"), id: region_id, region: (*region).into() }
    };
    ProductContract {
        id: id.to_owned(),
        r#type: ContractType::Contract.into(),
        titles: localized_texts(title),
        document_id: format!("{id}.pdf"),
        variants: regions.iter().map(variant).collect(),
    }
}

/// Monthly and annual prices without an end.
pub(super) fn price_periods(amounts: &[Monthly]) -> Vec<Price> {
    amounts
        .iter()
        .flat_map(|amount| {
            [price(BillingPeriod::Monthly, *amount, 1, 1), price(BillingPeriod::Annual, *amount, 11, 11)]
        })
        .collect()
}

/// The same prices, with half of the first month, rounded down to the cent.
pub(super) fn half_first_month(amounts: &[Monthly]) -> Vec<Price> {
    let mut prices = price_periods(amounts);
    for price in &mut prices {
        if let (BillingPeriod::Monthly, Some(initial)) = (price.billing_period(), &mut price.initial) {
            initial.amount /= 2;
        }
    }
    prices
}

/// The price of each of 26 payrolls a year, rounded up to the cent.
pub(super) fn payroll_price(amount: Monthly) -> Price {
    let each = Monthly { cents: (amount.cents * 12 + 25) / 26, ..amount };
    price(BillingPeriod::PayPeriod, each, 1, 1)
}

/// Prices until the end of 2025, and higher ones afterwards.
pub(super) fn raise_prices(before: &[Monthly], after: &[Monthly]) -> Vec<Price> {
    let old = price_periods(before)
        .into_iter()
        .map(|price| Price { effective_until: Some(Date { year: 2025, month: 12, day: 31 }), ..price });
    let new = price_periods(after)
        .into_iter()
        .map(|price| Price { effective_from: Some(Date { year: 2026, month: 1, day: 1 }), ..price });
    old.chain(new).collect()
}

fn price(billing_period: BillingPeriod, amount: Monthly, initial: i64, renewal: i64) -> Price {
    let money = |months: i64| Some(Money { currency: amount.currency.into(), amount: amount.cents * months });
    Price {
        billing_period: billing_period.into(),
        initial: money(initial),
        renewal: money(renewal),
        ..Price::default()
    }
}

/// Restrictions that exclude these regions.
pub(super) fn not_in(regions: &[RegionCode]) -> Vec<Restriction> {
    let restriction = |region: &RegionCode| Restriction {
        id: format!("not-{}", region.spelling().to_lowercase()),
        region: (*region).into(),
        r#type: RestrictionType::NotAllowed.into(),
    };
    regions.iter().map(restriction).collect()
}

/// The fifty states and the District of Columbia.
pub(super) fn us_states() -> Vec<RegionCode> {
    regions(CountryCode::Usa).filter(|region| *region as i32 <= RegionCode::Dc as i32).collect()
}

/// The provinces and territories of Canada.
pub(super) fn ca_provinces() -> Vec<RegionCode> {
    regions(CountryCode::Can).collect()
}

fn regions(country: CountryCode) -> impl Iterator<Item = RegionCode> {
    let last = RegionCode::Ca2 as i32;
    (1..=last)
        .filter_map(|number| RegionCode::try_from(number).ok())
        .filter(move |region| country_of(*region) == country)
}
