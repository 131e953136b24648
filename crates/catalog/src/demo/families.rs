//! The families of products.

use pavise_kernel::common::v1::LocalizedText;

use super::part::{Text, localized_texts};
use crate::contract::v1::{CreateProductFamilyRequest, FamilyText, ProductFamily};

/// One family of each kind.
pub(super) fn make_families() -> Vec<CreateProductFamilyRequest> {
    vec![
        family(
            ProductFamily::Legal,
            ["Legal plans", "Planes legales", "Legal plans", "Régimes juridiques"],
            [
                "A law firm to ask, for you and your family.",
                "Un bufete al que consultar, para usted y su familia.",
                "A law firm to ask, for you and your family.",
                "Un cabinet d’avocats à consulter, pour vous et votre famille.",
            ],
        ),
        family(
            ProductFamily::Identity,
            ["Identity protection", "Protección de identidad", "Identity protection", "Protection d’identité"],
            [
                "We watch your name, numbers and accounts.",
                "Vigilamos su nombre, sus números y sus cuentas.",
                "We watch your name, numbers and accounts.",
                "Nous surveillons votre nom, vos numéros et vos comptes.",
            ],
        ),
        family(
            ProductFamily::Business,
            ["Small business", "Pequeña empresa", "Small business", "Petite entreprise"],
            [
                "Legal help for companies of up to fifty people.",
                "Ayuda legal para empresas de hasta cincuenta personas.",
                "Legal help for companies of up to fifty people.",
                "Aide juridique pour les entreprises jusqu’à cinquante personnes.",
            ],
        ),
        family(
            ProductFamily::Cdlp,
            ["Commercial drivers", "Conductores comerciales", "Commercial drivers", "Conducteurs commerciaux"],
            [
                "Help for those who drive for a living.",
                "Ayuda para quienes conducen por trabajo.",
                "Help for those who drive for a living.",
                "De l’aide pour les conducteurs de métier.",
            ],
        ),
        family(
            ProductFamily::Associate,
            ["Associate fees", "Cuotas de asociados", "Associate fees", "Frais d’associés"],
            [
                "What associates pay for their work with us.",
                "Lo que los asociados pagan por su trabajo con nosotros.",
                "What associates pay for their work with us.",
                "Ce que les associés paient pour leur travail avec nous.",
            ],
        ),
        family(
            ProductFamily::Books,
            ["Books", "Libros", "Books", "Livres"],
            ["Guides to the law.", "Guías de derecho.", "Guides to the law.", "Des guides de droit."],
        ),
        family(
            ProductFamily::Shipping,
            ["Shipping", "Envío", "Shipping", "Livraison"],
            ["Parcels to your door.", "Paquetes a su puerta.", "Parcels to your door.", "Des colis à votre porte."],
        ),
    ]
}

/// The id of the family of a kind.
pub(super) fn family_id(kind: ProductFamily) -> String {
    format!("11000000-0000-4000-8000-{:012}", i32::from(kind))
}

fn family(kind: ProductFamily, name: Text, description: Text) -> CreateProductFamilyRequest {
    let position = i32::from(kind) * 10;
    CreateProductFamilyRequest {
        kind: kind.into(),
        internal_name: kind.spelling().to_lowercase(),
        names: family_texts(localized_texts(name)),
        descriptions: family_texts(localized_texts(description)),
        position,
        id: family_id(kind),
        ..CreateProductFamilyRequest::default()
    }
}

fn family_texts(texts: Vec<LocalizedText>) -> Vec<FamilyText> {
    let text = |text: LocalizedText| FamilyText {
        id: text.locale().spelling().to_owned(),
        locale: text.locale,
        text: text.text,
    };
    texts.into_iter().map(text).collect()
}
