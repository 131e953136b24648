//! Tax areas and their effect on a purchase.

use pavise_kernel::common::v1::{Currency, Date, Money, ReadJournalRequest, RegionCode};
use pavise_kernel::{Error, Result};
use pavise_orders::contract::v1::*;

use crate::scene::{ALICE, MALLORY, PLATFORM, STAFF, Scene, cents, draft, refusal_reason, request_by, scene};

fn rate(ppm: i32, month: i32) -> SetTaxRateRequest {
    SetTaxRateRequest {
        locality: RegionCode::Tx.into(),
        component: TaxComponent::State.into(),
        category: TaxCategory::Legal.into(),
        rate_ppm: ppm,
        effective_from: Some(Date { year: 2026, month, day: 1 }),
        effective_until: None,
    }
}

async fn set(scene: &Scene, who: &str, request: SetTaxRateRequest) -> Result<TaxArea> {
    Ok(scene.taxes().set_tax_rate(request_by(who, request)).await.map_err(Error::from)?.into_inner())
}

#[tokio::test]
async fn every_region_has_its_area_once_however_often_the_platform_starts() {
    let scene = scene().await;
    let count = || async {
        let ask = ReadJournalRequest { limit: 1000, ..ReadJournalRequest::default() };
        scene.taxes().read_journal(request_by(PLATFORM, ask)).await.unwrap().into_inner().entries.len()
    };
    assert_eq!(count().await, 70);
    pavise_orders::DOMAIN.bootstrap(&scene.kernel, &pavise_kernel::domain::Settings::default()).await.unwrap();
    assert_eq!(count().await, 70);
}

#[tokio::test]
async fn a_rate_that_staff_sets_counts_from_its_day_on() {
    let scene = scene().await;
    for who in ["", ALICE] {
        assert!(set(&scene, who, rate(50_000, 1)).await.is_err());
    }
    let area = set(&scene, STAFF, rate(50_000, 1)).await.unwrap();
    assert_eq!(area.version, 2);
    assert_eq!(set(&scene, STAFF, rate(60_000, 2)).await.unwrap().version, 3);
    let canadian = SetTaxRateRequest { component: TaxComponent::Gst.into(), ..rate(1, 1) };
    assert_eq!(refusal_reason(set(&scene, STAFF, canadian).await), "INVALID_FIELD");
    let order = scene.order(&["legal"]).await;
    assert_eq!(cents(order.totals.unwrap().tax), 125);
    let list = |month| ListTaxesRequest {
        locality: RegionCode::Tx.into(),
        on: Some(Date { year: 2026, month, day: 20 }),
        category: TaxCategory::Legal.into(),
    };
    for (month, expected, sample) in [(1, 50_000, false), (2, 60_000, false)] {
        let taxes = scene.taxes().list_taxes(request_by("", list(month))).await.unwrap().into_inner().taxes;
        let rates: Vec<_> =
            taxes.iter().map(|tax| tax.rate.unwrap()).map(|rate| (rate.rate_ppm, rate.sample)).collect();
        assert_eq!(rates, [(expected, sample)]);
    }
}

#[tokio::test]
async fn an_area_is_found_by_region_or_postal_code() {
    let scene = scene().await;
    let find = |locality: RegionCode, postal_code: &str| GetTaxAreaRequest {
        locality: locality.into(),
        postal_code: postal_code.into(),
    };
    let found = scene
        .taxes()
        .get_tax_area(request_by("", find(RegionCode::Unspecified, "H2X 1Y4")))
        .await
        .unwrap()
        .into_inner();
    assert_eq!((found.locality(), found.name.as_str()), (RegionCode::Qc, "Quebec"));
    for (wrong, code) in [
        (find(RegionCode::Unspecified, ""), "INVALID_FIELD"),
        (find(RegionCode::Unspecified, "00000"), "TAX_AREA_UNKNOWN"),
        (find(RegionCode::Tx, "H2X 1Y4"), "INVALID_FIELD"),
    ] {
        assert_eq!(refusal_reason(scene.taxes().get_tax_area(request_by("", wrong)).await.map_err(Error::from)), code);
    }
}

#[tokio::test]
async fn tax_area_of_a_member_is_that_of_the_newest_order() {
    let scene = scene().await;
    let ask = || GetMemberTaxAreaRequest { identity_id: "alice".into(), ..GetMemberTaxAreaRequest::default() };
    assert_eq!(
        refusal_reason(scene.taxes().get_member_tax_area(request_by(ALICE, ask())).await.map_err(Error::from)),
        "TAX_AREA_UNKNOWN"
    );
    scene.order(&["legal"]).await;
    scene.create(ALICE, draft(RegionCode::Hi, &["legal"])).await.unwrap();
    assert_eq!(
        scene.taxes().get_member_tax_area(request_by(ALICE, ask())).await.unwrap().into_inner().locality(),
        RegionCode::Hi
    );
    assert!(scene.taxes().get_member_tax_area(request_by(MALLORY, ask())).await.is_err());
    let taxes = ListMemberTaxesRequest {
        identity_id: "alice".into(),
        category: TaxCategory::Legal.into(),
        ..Default::default()
    };
    let taxes = scene.taxes().list_member_taxes(request_by(ALICE, taxes)).await.unwrap().into_inner().taxes;
    assert_eq!(taxes.iter().map(TaxRateInForce::locality).collect::<Vec<_>>(), [RegionCode::Hi]);
}

#[tokio::test]
async fn a_cart_is_taxed_line_by_line() {
    let scene = scene().await;
    let line = |amount: i64, category: TaxCategory| TaxableLine {
        reference: amount.to_string(),
        amount: Some(Money { currency: Currency::Cad.into(), amount }),
        category: category.into(),
    };
    let request = CalculateTaxesRequest {
        identity_id: "alice".into(),
        postal_code: "K1A 0B1".into(),
        lines: vec![line(2495, TaxCategory::Legal), line(10, TaxCategory::Other)],
        ..CalculateTaxesRequest::default()
    };
    let made = scene.taxes().calculate_taxes(request_by(ALICE, request.clone())).await.unwrap().into_inner();
    assert_eq!((made.locality(), made.sample), (RegionCode::On, true));
    assert_eq!(made.lines.iter().map(|line| cents(line.tax)).collect::<Vec<_>>(), [324, 1]);
    assert_eq!([made.subtotal, made.tax, made.total].map(cents), [2505, 325, 2830]);
    assert!(scene.taxes().calculate_taxes(request_by(MALLORY, request)).await.is_err());
}
