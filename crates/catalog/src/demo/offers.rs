//! The offers of the demonstration.

use pavise_kernel::common::v1::{BillingPeriod, CountryCode, Currency, Date, ProvisionType, RegionCode};

use super::ids::{
    ASSOCIATES_US, BRAND, BUSINESS_US, GROUP, GROUP_US, IDENTITY, LEGACY_LEGAL, LEGACY_US, LEGAL, PERSONAL_CANADA,
    PERSONAL_US, SMALL_BUSINESS,
};
use super::legal;
use super::part::{Text, localized_texts, us_states};
use crate::contract::v1::{
    CreateOfferRequest, OfferDraft, OfferProduct, OfferType, SalesChannelKind, UpdateOfferRequest,
};

const PERSONAL: Text = [
    "Legal and Identity Plans",
    "Planes Legales y de Identidad",
    "Legal and Identity Plans",
    "Régimes juridiques et d’identité",
];

/// The offers.
pub(super) fn make_offers() -> Vec<CreateOfferRequest> {
    vec![personal_us(), personal_canada(), business_us(), associates_us(), group_us(), legacy_us()]
}

fn personal_us() -> CreateOfferRequest {
    request(PERSONAL_US, OfferDraft { products: offered(&[LEGAL, IDENTITY]), ..american(PERSONAL, "consumer") })
}

fn personal_canada() -> CreateOfferRequest {
    let mut products = offered(&[LEGAL, IDENTITY]);
    if let Some(legal) = products.first_mut() {
        legal.supplement_ids = ["home-business", "ride-share", "trial-defense"].map(str::to_owned).to_vec();
    }
    let provinces = legal::legal_regions().into_iter().filter(|region| !us_states().contains(region));
    let draft = OfferDraft {
        currencies: vec![Currency::Cad.into()],
        available_localities: provinces.map(i32::from).collect(),
        country: CountryCode::Can.into(),
        products,
        ..american(PERSONAL, "consumer")
    };
    request(PERSONAL_CANADA, draft)
}

fn business_us() -> CreateOfferRequest {
    let name = [
        "Small Business Plan",
        "Plan para Pequeñas Empresas",
        "Small Business Plan",
        "Régime pour petites entreprises",
    ];
    let mut draft = american(name, "business");
    draft.available_localities.retain(|region| *region != i32::from(RegionCode::Wa));
    request(BUSINESS_US, OfferDraft { products: offered(&[SMALL_BUSINESS]), ..draft })
}

fn associates_us() -> CreateOfferRequest {
    let name =
        ["Plans from Your Associate", "Planes de su Asociado", "Plans from Your Associate", "Régimes de votre associé"];
    let draft = OfferDraft {
        channel: SalesChannelKind::Network.into(),
        products: offered(&[LEGAL, IDENTITY, SMALL_BUSINESS]),
        ..american(name, "consumer")
    };
    request(ASSOCIATES_US, draft)
}

fn group_us() -> CreateOfferRequest {
    let name = ["Employee Plans", "Planes para Empleados", "Employee Plans", "Régimes des employés"];
    let mut products = offered(&[LEGAL, IDENTITY]);
    for product in &mut products {
        product.set_provision_type(ProvisionType::OnFirstUse);
    }
    let draft = OfferDraft {
        channel: SalesChannelKind::Group.into(),
        billing_periods: vec![BillingPeriod::Monthly.into(), BillingPeriod::PayPeriod.into()],
        products,
        ..american(name, "employer")
    };
    request(GROUP_US, draft)
}

/// The offers of employees, which then name their groups. The groups name these offers, so that offers come first.
pub(super) fn name_groups() -> Vec<UpdateOfferRequest> {
    let CreateOfferRequest { brand, offer, id, .. } = group_us();
    let offer = offer.map(|draft| OfferDraft { group_ids: vec![GROUP.to_owned()], ..draft });
    vec![UpdateOfferRequest { brand, offer_id: id, offer }]
}

fn legacy_us() -> CreateOfferRequest {
    let name = ["Family Legal Plan", "Plan Legal Familiar", "Family Legal Plan", "Régime juridique familial"];
    let draft = OfferDraft {
        r#type: OfferType::Legacy.into(),
        products: offered(&[LEGACY_LEGAL]),
        valid_until: Some(Date { year: 2019, month: 12, day: 31 }),
        ..american(name, "consumer")
    };
    request(LEGACY_US, draft)
}

fn request(id: &str, draft: OfferDraft) -> CreateOfferRequest {
    CreateOfferRequest { brand: BRAND.to_owned(), offer: Some(draft), id: id.to_owned(), owner_id: String::new() }
}

/// An offer sold directly, in United States dollars, in every state, by the month and by the year.
fn american(name: Text, market: &str) -> OfferDraft {
    OfferDraft {
        names: localized_texts(name),
        channel: SalesChannelKind::D2c.into(),
        r#type: OfferType::Standard.into(),
        currencies: vec![Currency::Usd.into()],
        billing_periods: vec![BillingPeriod::Monthly.into(), BillingPeriod::Annual.into()],
        available_localities: us_states().into_iter().map(i32::from).collect(),
        country: CountryCode::Usa.into(),
        market: market.to_owned(),
        ..OfferDraft::default()
    }
}

/// Products in all their tiers with all their supplements.
fn offered(products: &[&str]) -> Vec<OfferProduct> {
    let offered = |product: &&str| OfferProduct {
        product_id: (*product).to_owned(),
        provision_type: ProvisionType::Immediate.into(),
        ..OfferProduct::default()
    };
    products.iter().map(offered).collect()
}
