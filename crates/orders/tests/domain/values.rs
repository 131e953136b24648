//! Values of shared types and texts with formats, in requests and in orders.

use pavise_kernel::common::v1::{Address, CountryCode, RegionCode};
use pavise_kernel::numbers::NumberPlan;
use pavise_kernel::store::{Command, Outcome, Write};
use pavise_kernel::{Error, Result};
use pavise_orders::contract::v1::*;

use crate::scene::{ALICE, STAFF, Scene, draft, request_by, scene, scenes};
use crate::watching::table;

fn buyer(phone: &str) -> PersonalInfo {
    PersonalInfo {
        first_name: " Ada ".into(),
        last_name: "van  der Berg".into(),
        email: "Ada@Example.com".into(),
        phone_number: phone.into(),
        ..PersonalInfo::default()
    }
}

fn address(locality: RegionCode, postal_code: &str) -> Address {
    Address {
        address1: "1 Main St".into(),
        locality: locality.into(),
        postal_code: postal_code.into(),
        ..Address::default()
    }
}

fn business(address: Address) -> BusinessInfo {
    BusinessInfo {
        name: "Acme".into(),
        first_name: "Bo".into(),
        last_name: "Lee".into(),
        email: "bo@example.com".into(),
        address: Some(address),
        ..BusinessInfo::default()
    }
}

async fn create(scene: &Scene, personal: PersonalInfo, business: BusinessInfo) -> Result<Order> {
    let order = OrderDraft {
        personal_info: Some(personal),
        business_info: Some(business),
        ..draft(RegionCode::Tx, &["legal"])
    };
    scene.create(ALICE, order).await
}

#[tokio::test]
async fn an_order_has_the_normal_forms_of_what_the_buyer_wrote() {
    for scene in scenes().await {
        let made = create(&scene, buyer("(512) 555-0177"), business(address(RegionCode::On, "k1a0b1"))).await.unwrap();
        let personal = made.personal_info.clone().unwrap();
        assert_eq!((personal.first_name.as_str(), personal.last_name.as_str()), ("Ada", "van der Berg"));
        assert_eq!((personal.phone_number.as_str(), personal.email.as_str()), ("+15125550177", "Ada@Example.com"));
        let place = made.business_info.clone().unwrap().address.unwrap();
        assert_eq!((place.postal_code.as_str(), place.country()), ("K1A 0B1", CountryCode::Can));
        assert_eq!(scene.get(ALICE, &made).await.unwrap(), made, "as it is stored");
    }
}

#[tokio::test]
async fn what_is_wrong_is_refused_with_the_path_of_each_value() {
    let scene = scene().await;
    let refused = create(&scene, buyer("12"), business(address(RegionCode::Tx, "74820"))).await.unwrap_err();
    let fields: Vec<&str> = refused.violations().iter().map(|one| one.field.as_str()).collect();
    assert_eq!(fields, ["order.personal_info.phone_number", "order.business_info.address.postal_code"]);
    assert_eq!((refused.reason(), refused.find_fact("region")), ("INVALID_FIELD", Some("OK")));
    assert!(!refused.to_string().contains("12"), "no value is repeated: {refused}");
    let elsewhere = Address { country: CountryCode::Usa.into(), ..address(RegionCode::On, "K1A 0B1") };
    let refused = create(&scene, buyer(""), business(elsewhere)).await.unwrap_err();
    assert_eq!(refused.violations()[0].field, "order.business_info.address.country");
    let refused = create(&scene, buyer(""), business(address(RegionCode::On, "09001"))).await.unwrap_err();
    assert_eq!(refused.violations()[0].field, "order.business_info.address.postal_code", "of the armed forces");
    create(&scene, buyer(""), business(address(RegionCode::Tx, "09001"))).await.unwrap();
}

/// Writes a telephone number into an order, as an earlier release did.
async fn write_phone(scene: &Scene, order: &Order, phone: &str) {
    let mut row = scene.store().get(table(), &order.id).await.unwrap().unwrap();
    let before = row.doc.clone();
    row.doc = row.doc.replace("+15125550177", phone);
    assert_ne!(row.doc, before);
    let next = row.version + 1;
    row.doc = row.doc.replacen(&format!("\"version\":\"{}\"", row.version), &format!("\"version\":\"{next}\""), 1);
    let expected = Some(row.version);
    row.version = next;
    let write = Write { table: table(), row, expected, removed: false, action: "UPDATED".into(), lookups: Vec::new() };
    let command = Command {
        journal: table().journal,
        writes: vec![write],
        at: scene.kernel.business_clock().now(),
        actor: "staff".into(),
        request_id: "r".into(),
        numbers: NumberPlan::default(),
        ..Command::default()
    };
    let outcome = scene.kernel.committer().submit(command).await.unwrap();
    assert!(matches!(outcome, Outcome::Committed(_)));
}

async fn update_source(scene: &Scene, order: &Order) -> Result<Order> {
    let source = OrderSource { name: "site".into(), ..OrderSource::default() };
    let request = UpdateSourceRequest { order_id: order.id.clone(), source: Some(source) };
    Ok(scene.orders().update_source(request_by(STAFF, request)).await.map_err(Error::from)?.into_inner())
}

#[tokio::test]
async fn an_older_order_takes_the_normal_form_with_its_next_write_or_keeps_what_has_none() {
    for (old, new) in [("512.555.0177", "+15125550177"), ("12", "12")] {
        let scene = scene().await;
        let made = create(&scene, buyer("5125550177"), business(address(RegionCode::Tx, "75001"))).await.unwrap();
        write_phone(&scene, &made, old).await;
        let changed = update_source(&scene, &made).await.unwrap();
        assert_eq!(changed.personal_info.unwrap().phone_number, new);
    }
}
