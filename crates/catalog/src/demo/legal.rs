//! The legal plans.

use pavise_kernel::common::v1::{CountryCode, RegionCode};

use super::benefits::product_benefit;
use super::ids::{LEGACY_LEGAL, LEGAL};
use super::part::{
    Monthly, Text, ca_provinces, friendly_names, localized_texts, marketing_texts, monthly_cad, monthly_usd, not_in,
    payroll_price, price_periods, product_category, product_contract, raise_prices, us_states,
};
use crate::contract::v1::{
    AuthorizedUserType, Coverage, CreateProductRequest, ProductBenefit, ProductDraft, ProductFamily, ProductFeatureKey,
    QualifyingDelegate, Supplement, Tier,
};

/// The provinces in which there are law firms for the plan.
pub(super) const SERVED_PROVINCES: [RegionCode; 4] = [RegionCode::Ab, RegionCode::Bc, RegionCode::Mb, RegionCode::On];

/// The legal plan of today.
pub(super) fn make_plan() -> CreateProductRequest {
    let draft = ProductDraft {
        name: "Legal Plan".to_owned(),
        family: ProductFamily::Legal.into(),
        product_group: "legal-plan".to_owned(),
        friendly_names: friendly_names(["Legal Plan", "Plan Legal", "Legal Plan", "Régime juridique"]),
        tiers: vec![individual(), family()],
        supplements: vec![home_business(), gun_owners(), ride_share(), trial_defense()],
        benefits: benefits(),
        contracts: vec![product_contract(
            "legal-contract",
            ["Legal plan contract", "Contrato del plan legal", "Legal plan contract", "Contrat du régime juridique"],
            &[RegionCode::Ca, RegionCode::Fl, RegionCode::Ny, RegionCode::Tx, RegionCode::On],
        )],
        restrictions: not_in(&unserved_provinces()),
        countries: vec![CountryCode::Usa.into(), CountryCode::Can.into()],
        markets: ["consumer", "employer"].map(str::to_owned).to_vec(),
        area_of_law_ids: ["BK", "CU", "FL", "IM", "WL"].map(str::to_owned).to_vec(),
        qualifying_delegates: delegates(),
        categories: vec![product_category("legal", ["Legal", "Legal", "Legal", "Juridique"])],
        marketing: advertised(),
        taxable: false,
        ..ProductDraft::default()
    };
    CreateProductRequest { product: Some(draft), id: LEGAL.to_owned() }
}

/// The legal plan of before 2020: no supplements, one price.
pub(super) fn make_legacy_plan() -> CreateProductRequest {
    let draft = ProductDraft {
        name: "Legal Plan (before 2020)".to_owned(),
        family: ProductFamily::Legal.into(),
        product_group: "legal-plan-legacy".to_owned(),
        friendly_names: friendly_names([
            "Family Legal Plan",
            "Plan Legal Familiar",
            "Family Legal Plan",
            "Régime juridique familial",
        ]),
        tiers: vec![Tier { prices: price_periods(&[monthly_usd(1795)]), ..family() }],
        benefits: benefits(),
        countries: vec![CountryCode::Usa.into()],
        markets: vec!["consumer".to_owned()],
        qualifying_delegates: delegates(),
        ..ProductDraft::default()
    };
    CreateProductRequest { product: Some(draft), id: LEGACY_LEGAL.to_owned() }
}

/// The Canadian provinces and territories in which the plan is not sold.
fn unserved_provinces() -> Vec<RegionCode> {
    ca_provinces().into_iter().filter(|province| !SERVED_PROVINCES.contains(province)).collect()
}

fn individual() -> Tier {
    let mut prices = raise_prices(&[monthly_usd(2795), monthly_cad(3095)], &[monthly_usd(2995), monthly_cad(3295)]);
    prices.push(payroll_price(monthly_usd(2995)));
    Tier {
        id: "individual".to_owned(),
        name: "Individual".to_owned(),
        names: localized_texts(["Individual", "Individual", "Individual", "Individuel"]),
        coverage: Coverage::Individual.into(),
        prices,
        ..Tier::default()
    }
}

fn family() -> Tier {
    let mut prices = raise_prices(&[monthly_usd(3295), monthly_cad(3595)], &[monthly_usd(3495), monthly_cad(3895)]);
    prices.push(payroll_price(monthly_usd(3495)));
    Tier {
        id: "family".to_owned(),
        name: "Family".to_owned(),
        names: localized_texts(["Family", "Familiar", "Family", "Familial"]),
        coverage: Coverage::Family.into(),
        authorized_user_types: vec![AuthorizedUserType::Spouse.into(), AuthorizedUserType::Dependent.into()],
        max_authorized_users: 9,
        prices,
    }
}

fn delegates() -> Vec<QualifyingDelegate> {
    vec![
        QualifyingDelegate { r#type: AuthorizedUserType::Spouse.into(), most: 1, until_age: 0 },
        QualifyingDelegate { r#type: AuthorizedUserType::Dependent.into(), most: 0, until_age: 26 },
    ]
}

fn supplement(id: &str, name: Text, description: Text, feature: ProductFeatureKey, amounts: &[Monthly]) -> Supplement {
    let [american, ..] = name;
    let mut prices = price_periods(amounts);
    prices.extend(amounts.iter().take(1).map(|amount| payroll_price(*amount)));
    Supplement {
        id: id.to_owned(),
        name: american.to_owned(),
        names: localized_texts(name),
        descriptions: localized_texts(description),
        feature_keys: vec![feature.into()],
        prices,
        ..Supplement::default()
    }
}

fn home_business() -> Supplement {
    supplement(
        "home-business",
        ["Home Business", "Negocio en Casa", "Home Business", "Entreprise à domicile"],
        [
            "Legal help for the business you run from home.",
            "Ayuda legal para el negocio que maneja desde su casa.",
            "Legal help for the business you run from home.",
            "Aide juridique pour l’entreprise que vous exploitez à domicile.",
        ],
        ProductFeatureKey::BusinessPlus,
        &[monthly_usd(1995), monthly_cad(2195)],
    )
}

fn gun_owners() -> Supplement {
    let mut gun_owners = supplement(
        "gun-owners",
        ["Gun Owners", "Propietarios de Armas", "Gun Owners", "Propriétaires d’armes à feu"],
        [
            "Advice and defense for lawful owners of firearms.",
            "Asesoría y defensa para propietarios legales de armas de fuego.",
            "Advice and defence for lawful owners of firearms.",
            "Conseils et défense pour les propriétaires légitimes d’armes à feu.",
        ],
        ProductFeatureKey::GunOwners,
        &[monthly_usd(1495)],
    );
    gun_owners.restrictions =
        not_in(&[[RegionCode::Ny, RegionCode::Wa].as_slice(), ca_provinces().as_slice()].concat());
    gun_owners
}

fn ride_share() -> Supplement {
    supplement(
        "ride-share",
        ["Ride Share", "Viajes Compartidos", "Ride Share", "Covoiturage commercial"],
        [
            "Legal help for drivers of ride-share services.",
            "Ayuda legal para conductores de servicios de viajes compartidos.",
            "Legal help for drivers of ride-share services.",
            "Aide juridique pour les conducteurs de services de covoiturage.",
        ],
        ProductFeatureKey::RideShare,
        &[monthly_usd(995), monthly_cad(1095)],
    )
}

fn trial_defense() -> Supplement {
    supplement(
        "trial-defense",
        ["Trial Defense", "Defensa en Juicio", "Trial Defence", "Défense en procès"],
        [
            "More hours of your lawyer’s time when you are sued.",
            "Más horas de su abogado cuando lo demandan.",
            "More hours of your lawyer’s time when you are sued.",
            "Plus d’heures de votre avocat lorsqu’on vous poursuit.",
        ],
        ProductFeatureKey::TrialDefensePersonal,
        &[monthly_usd(895), monthly_cad(995)],
    )
}

fn benefits() -> Vec<ProductBenefit> {
    ["advice", "letters", "will", "tickets"].map(product_benefit).to_vec()
}

fn advertised() -> Vec<crate::contract::v1::MarketingText> {
    marketing_texts(
        [
            "A law firm on your side",
            "Un bufete de abogados de su lado",
            "A law firm on your side",
            "Un cabinet d’avocats à vos côtés",
        ],
        [
            "Ask a lawyer before you sign, pay or worry. One monthly price, no hourly bill.",
            "Consulte a un abogado antes de firmar, pagar o preocuparse. Un precio mensual, sin cobros por hora.",
            "Ask a lawyer before you sign, pay or worry. One monthly price, no hourly bill.",
            "Consultez un avocat avant de signer, de payer ou de vous inquiéter. Un prix mensuel, sans facture à l’heure.",
        ],
        [
            &["Answers within eight business hours", "Emergency help day and night"],
            &["Respuestas en ocho horas hábiles", "Ayuda de emergencia de día y de noche"],
            &["Answers within eight business hours", "Emergency help day and night"],
            &["Réponses en huit heures ouvrables", "Aide d’urgence jour et nuit"],
        ],
    )
}

/// Every region in which the plan is sold.
pub(super) fn legal_regions() -> Vec<RegionCode> {
    [us_states().as_slice(), SERVED_PROVINCES.as_slice()].concat()
}
