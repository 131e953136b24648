//! Identity protection.

use pavise_kernel::common::v1::{CountryCode, RegionCode};

use super::benefits::product_benefit;
use super::ids::IDENTITY;
use super::part::{
    friendly_names, half_first_month, localized_texts, marketing_texts, monthly_cad, monthly_usd, payroll_price,
    product_category, product_contract,
};
use crate::contract::v1::{
    AuthorizedUserType, Coverage, CreateProductRequest, MarketingText, ProductBenefit, ProductDraft, ProductFamily,
    QualifyingDelegate, Tier,
};

/// The plan. Its first month costs half.
pub(super) fn make_plan() -> CreateProductRequest {
    let draft = ProductDraft {
        name: "Identity Protection".to_owned(),
        family: ProductFamily::Identity.into(),
        product_group: "identity-plan".to_owned(),
        friendly_names: friendly_names([
            "Identity Protection",
            "Protección de Identidad",
            "Identity Protection",
            "Protection d’identité",
        ]),
        tiers: vec![individual(), family()],
        benefits: benefits(),
        contracts: vec![product_contract(
            "identity-contract",
            [
                "Identity protection terms",
                "Términos de la protección de identidad",
                "Identity protection terms",
                "Conditions de la protection d’identité",
            ],
            &[RegionCode::Ny],
        )],
        countries: vec![CountryCode::Usa.into(), CountryCode::Can.into()],
        markets: ["consumer", "employer"].map(str::to_owned).to_vec(),
        qualifying_delegates: vec![
            QualifyingDelegate { r#type: AuthorizedUserType::Spouse.into(), most: 1, until_age: 0 },
            QualifyingDelegate { r#type: AuthorizedUserType::Dependent.into(), most: 10, until_age: 18 },
        ],
        categories: vec![product_category("identity", ["Identity", "Identidad", "Identity", "Identité"])],
        marketing: advertised(),
        taxable: true,
        ..ProductDraft::default()
    };
    CreateProductRequest { product: Some(draft), id: IDENTITY.to_owned() }
}

fn individual() -> Tier {
    let mut prices = half_first_month(&[monthly_usd(1495), monthly_cad(1695)]);
    prices.push(payroll_price(monthly_usd(1495)));
    Tier {
        id: "individual".to_owned(),
        name: "Individual 1B".to_owned(),
        names: localized_texts(["Individual", "Individual", "Individual", "Individuel"]),
        coverage: Coverage::Individual.into(),
        prices,
        ..Tier::default()
    }
}

fn family() -> Tier {
    let mut prices = half_first_month(&[monthly_usd(2995), monthly_cad(3395)]);
    prices.push(payroll_price(monthly_usd(2995)));
    Tier {
        id: "family".to_owned(),
        name: "Family 3B".to_owned(),
        names: localized_texts(["Family", "Familiar", "Family", "Familial"]),
        coverage: Coverage::Family.into(),
        authorized_user_types: vec![AuthorizedUserType::Spouse.into(), AuthorizedUserType::Dependent.into()],
        max_authorized_users: 11,
        prices,
    }
}

fn benefits() -> Vec<ProductBenefit> {
    ["monitoring", "restoration", "credit"].map(product_benefit).to_vec()
}

fn advertised() -> Vec<MarketingText> {
    marketing_texts(
        ["Stay yourself", "Siga siendo usted", "Stay yourself", "Restez vous-même"],
        [
            "We watch for misuse of your identity, and put it right if it happens. Half price in the first month.",
            "Vigilamos el uso indebido de su identidad y lo corregimos si ocurre. A mitad de precio el primer mes.",
            "We watch for misuse of your identity, and put it right if it happens. Half price in the first month.",
            "Nous surveillons l’usage abusif de votre identité et y remédions au besoin. Moitié prix le premier mois.",
        ],
        [
            &["Alerts on your phone", "Restoration until it is done"],
            &["Alertas en su teléfono", "Restauración hasta el final"],
            &["Alerts on your phone", "Restoration until it is done"],
            &["Alertes sur votre téléphone", "Rétablissement jusqu’au bout"],
        ],
    )
}
