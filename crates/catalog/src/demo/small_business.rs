//! The plan of small businesses.

use pavise_kernel::common::v1::{CountryCode, RegionCode};

use super::benefits::product_benefit;
use super::ids::SMALL_BUSINESS;
use super::part::{
    friendly_names, localized_texts, marketing_texts, monthly_usd, not_in, price_periods, product_category,
    product_contract,
};
use crate::contract::v1::{
    AuthorizedUserType, Coverage, CreateProductRequest, MarketingText, ProductBenefit, ProductDraft, ProductFamily,
    ProductFeatureKey, QualifyingDelegate, Supplement, Tier,
};

/// The plan. It names a business when it is bought, and is sold in the United States only.
pub(super) fn make_plan() -> CreateProductRequest {
    let draft = ProductDraft {
        name: "Small Business Plan".to_owned(),
        family: ProductFamily::Business.into(),
        product_group: "small-business-plan".to_owned(),
        friendly_names: friendly_names([
            "Small Business Plan",
            "Plan para Pequeñas Empresas",
            "Small Business Plan",
            "Régime pour petites entreprises",
        ]),
        tiers: vec![
            tier(
                "up-to-10",
                "Up to 10 employees",
                ["Up to 10 employees", "Hasta 10 empleados", "Up to 10 employees", "Jusqu’à 10 employés"],
                4900,
            ),
            tier(
                "up-to-50",
                "Up to 50 employees",
                ["Up to 50 employees", "Hasta 50 empleados", "Up to 50 employees", "Jusqu’à 50 employés"],
                9900,
            ),
        ],
        supplements: vec![trial_defense()],
        benefits: benefits(),
        contracts: vec![product_contract(
            "business-contract",
            [
                "Small business plan contract",
                "Contrato del plan para pequeñas empresas",
                "Small business plan contract",
                "Contrat du régime pour petites entreprises",
            ],
            &[RegionCode::Tx],
        )],
        restrictions: not_in(&[RegionCode::Wa]),
        countries: vec![CountryCode::Usa.into()],
        markets: vec!["business".to_owned()],
        qualifying_delegates: vec![
            QualifyingDelegate { r#type: AuthorizedUserType::CoOwner.into(), most: 3, until_age: 0 },
            QualifyingDelegate { r#type: AuthorizedUserType::NormalUser.into(), most: 0, until_age: 0 },
        ],
        categories: vec![product_category("business", ["Business", "Negocios", "Business", "Affaires"])],
        marketing: advertised(),
        feature_keys: vec![ProductFeatureKey::BusinessPlus.into()],
        taxable: true,
        business: true,
        ..ProductDraft::default()
    };
    CreateProductRequest { product: Some(draft), id: SMALL_BUSINESS.to_owned() }
}

fn tier(id: &str, name: &str, text: super::part::Text, cents: i64) -> Tier {
    Tier {
        id: id.to_owned(),
        name: name.to_owned(),
        names: localized_texts(text),
        coverage: Coverage::Individual.into(),
        authorized_user_types: vec![AuthorizedUserType::CoOwner.into(), AuthorizedUserType::NormalUser.into()],
        max_authorized_users: 4,
        prices: price_periods(&[monthly_usd(cents)]),
    }
}

fn trial_defense() -> Supplement {
    Supplement {
        id: "trial-defense-business".to_owned(),
        name: "Trial Defense for Business".to_owned(),
        names: localized_texts([
            "Trial Defense for Business",
            "Defensa en Juicio para Empresas",
            "Trial Defence for Business",
            "Défense en procès pour entreprises",
        ]),
        descriptions: localized_texts([
            "More hours of your lawyer’s time when the business is sued.",
            "Más horas de su abogado cuando demandan a la empresa.",
            "More hours of your lawyer’s time when the business is sued.",
            "Plus d’heures de votre avocat lorsqu’on poursuit l’entreprise.",
        ]),
        feature_keys: vec![ProductFeatureKey::TrialDefenseBusiness.into()],
        tier_ids: vec!["up-to-50".to_owned()],
        prices: price_periods(&[monthly_usd(1995)]),
        taxable: true,
        ..Supplement::default()
    }
}

fn benefits() -> Vec<ProductBenefit> {
    ["business-advice", "business-debts", "business-documents"].map(product_benefit).to_vec()
}

fn advertised() -> Vec<MarketingText> {
    marketing_texts(
        [
            "Your business has a lawyer",
            "Su empresa tiene abogado",
            "Your business has a lawyer",
            "Votre entreprise a son avocat",
        ],
        [
            "Advice, letters and reviews for owners of up to fifty employees, at one monthly price.",
            "Asesoría, cartas y revisiones para dueños de hasta cincuenta empleados, a un precio mensual.",
            "Advice, letters and reviews for owners of up to fifty employees, at one monthly price.",
            "Conseils, lettres et révisions pour les entreprises jusqu’à cinquante employés, à un prix mensuel.",
        ],
        [
            &["No hourly bill", "Three co-owners included"],
            &["Sin cobros por hora", "Tres copropietarios incluidos"],
            &["No hourly bill", "Three co-owners included"],
            &["Sans facture à l’heure", "Trois copropriétaires inclus"],
        ],
    )
}
