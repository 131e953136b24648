//! Invoices that people read: PDFs, statements and balances.

use futures::TryStreamExt as _;
use pavise_billing::Seller;
use pavise_billing::contract::v1::person_service_client::PersonServiceClient;
use pavise_billing::contract::v1::*;
use pavise_kernel::common::v1::{
    Address, BillingPeriod, ByteAnswer, ByteHead, CountryCode, Currency, Date, Locale, Money, RedactPersonRequest,
    RegionCode,
};
use pavise_kernel::time::{add_days, from_days};

use crate::changes::{change, make};
use crate::credits::{discount, give, set_discounts};
use crate::renewals::{add, begin, come_to, day, invoices, plan};
use crate::scene::{
    ADMIN, ALICE, APPROVES, MALLORY, PLATFORM, STAFF, Scene, account, card, configured, into_answer, item,
    refusal_reason, request_by, scenes, usd,
};
use crate::subscriptions::wanted;

/// The day on which scenes begin.
const TODAY: Date = Date { year: 2026, month: 1, day: 15 };

fn cad(amount: i64) -> Option<Money> {
    Some(Money { currency: Currency::Cad.into(), amount })
}

fn quebec() -> InvoiceBuyer {
    let address = Address {
        address1: "1, rue Sainte-Anne".into(),
        city: "Québec".into(),
        locality: RegionCode::Qc.into(),
        postal_code: "G1R 3X1".into(),
        country: CountryCode::Can.into(),
        ..Address::default()
    };
    InvoiceBuyer { name: "Zoë Bélanger".into(), address: Some(address), ..InvoiceBuyer::default() }
}

/// An invoice of "alice" in Quebec, with its two taxes.
fn build_taxed() -> CreateInvoiceRequest {
    let tax = |name: &str, rate: i32, amount: i64| InvoiceItem {
        amount: cad(amount),
        tax_name: name.into(),
        tax_rate_ppm: rate,
        ..item(ItemType::Tax, 0)
    };
    let plan = InvoiceItem { amount: cad(10_000), description: "Plan juridique".into(), ..item(ItemType::Order, 0) };
    CreateInvoiceRequest {
        identity_id: "alice".into(),
        currency: Currency::Cad.into(),
        items: vec![plan, tax("QC GST", 50_000, 500), tax("QC QST", 99_750, 998)],
        buyer: Some(quebec()),
        ..CreateInvoiceRequest::default()
    }
}

async fn raise(scene: &Scene, request: CreateInvoiceRequest) -> Invoice {
    into_answer(scene.invoices().create_invoice(request_by(PLATFORM, request)).await).unwrap()
}

async fn download(scene: &Scene, who: &str, id: &str, locale: Locale) -> pavise_kernel::Result<(ByteHead, Vec<u8>)> {
    let request =
        DownloadInvoicePdfRequest { identity_id: "alice".into(), invoice_id: id.to_owned(), locale: locale.into() };
    let messages = into_answer(scene.invoices().download_invoice_pdf(request_by(who, request)).await)?;
    let mut messages: Vec<ByteAnswer> = messages.try_collect().await.unwrap();
    let head = messages.remove(0).head.unwrap();
    Ok((head, messages.into_iter().flat_map(|message| message.chunk).collect()))
}

/// The text of a PDF, with plain spaces.
fn read_text(content: &[u8]) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), content).unwrap();
    let read = std::process::Command::new("pdftotext").arg("-layout").arg(file.path()).arg("-").output().unwrap();
    assert!(read.status.success());
    String::from_utf8(read.stdout).unwrap().replace('\u{a0}', " ")
}

async fn statement(scene: &Scene, who: &str, from: Date, to: Date) -> pavise_kernel::Result<Statement> {
    let request = GetStatementRequest { identity_id: "alice".into(), from: Some(from), to: Some(to) };
    into_answer(scene.invoices().get_statement(request_by(who, request)).await)
}

async fn file(scene: &Scene, format: StatementFormat) -> (ByteHead, Vec<u8>) {
    let request = DownloadStatementRequest {
        identity_id: "alice".into(),
        from: Some(TODAY),
        to: Some(TODAY),
        format: format.into(),
        locale: Locale::EnUs.into(),
    };
    let messages = into_answer(scene.invoices().download_statement(request_by(ALICE, request)).await).unwrap();
    let mut messages: Vec<ByteAnswer> = messages.try_collect().await.unwrap();
    let head = messages.remove(0).head.unwrap();
    (head, messages.into_iter().flat_map(|message| message.chunk).collect())
}

async fn balances(scene: &Scene, who: &str) -> pavise_kernel::Result<Vec<Balance>> {
    let request = GetBalanceRequest { identity_id: "alice".into() };
    into_answer(scene.invoices().get_balance(request_by(who, request)).await).map(|answer| answer.balances)
}

#[tokio::test]
async fn an_invoice_is_a_pdf_in_the_language_of_its_buyer() {
    for scene in scenes().await {
        let invoice = raise(&scene, build_taxed()).await;
        let (head, content) = download(&scene, ALICE, &invoice.id, Locale::Unspecified).await.unwrap();
        assert_eq!((head.content_type.as_str(), head.inline), ("application/pdf", true));
        assert_eq!(head.file_name, format!("{}.pdf", invoice.number));
        let text = read_text(&content);
        for part in ["Facture", &invoice.number, "Zoë Bélanger", "Québec QC", "TPS 5 %", "TVQ 9,975 %", "114,98 $"] {
            assert!(text.contains(part), "{part} is missing: {text}");
        }
        let again = download(&scene, STAFF, &invoice.id, Locale::Unspecified).await.unwrap();
        assert_eq!((again.0.etag, again.1), (head.etag, content));
        let (_, english) = download(&scene, ALICE, &invoice.id, Locale::EnCa).await.unwrap();
        let english = read_text(&english);
        assert!(english.contains("Invoice") && english.contains("QST 9.975%"), "{english}");
    }
}

#[tokio::test]
async fn an_invoice_keeps_its_seller_and_its_buyer() {
    let seller = Seller {
        country: CountryCode::Can,
        name: "Pavise inc.".into(),
        address: vec!["Montréal QC".into()],
        tax_numbers: vec![("QST".into(), "1234567890 TQ0001".into())],
    };
    let config =
        pavise_billing::Config { test_vendor: true, sellers: vec![seller], ..pavise_billing::Config::default() };
    let scene = configured(config).await;
    let invoice = raise(&scene, build_taxed()).await;
    let named = invoice.seller.clone().unwrap();
    assert_eq!((named.name.as_str(), named.tax_numbers[0].number.as_str()), ("Pavise inc.", "1234567890 TQ0001"));
    let (_, content) = download(&scene, ALICE, &invoice.id, Locale::FrCa).await.unwrap();
    assert!(read_text(&content).contains("TVQ 9,975 % (1234567890 TQ0001)"));
    let visa = scene.method(NewPaymentMethod { billing_address: quebec().address, ..card(APPROVES) }).await;
    let billed = scene.invoice(&[100], &visa.id).await;
    let buyer = billed.buyer.clone().unwrap();
    assert_eq!((buyer.name.as_str(), buyer.address), ("Alice", quebec().address));
    let american = scene.invoice(&[100], "").await;
    assert_eq!(american.buyer, billed.buyer, "nothing is named: the default method's holder");
    let other = CreateInvoiceRequest {
        buyer: Some(InvoiceBuyer { name: "Bob".into(), ..InvoiceBuyer::default() }),
        currency: 1,
        items: vec![item(ItemType::Order, 100)],
        ..build_taxed()
    };
    assert_eq!(raise(&scene, other).await.seller.unwrap().name, "Pavise", "no seller in the USA");
}

/// The buyer on the first bill of a new subscription.
async fn first_buyer(scene: &Scene, wanted: CreateSubscriptionRequest, on: Date) -> InvoiceBuyer {
    let id = begin(scene, wanted).await.id;
    come_to(scene, on).await;
    invoices(scene, &id).await.remove(0).buyer.unwrap_or_default()
}

#[tokio::test]
async fn the_buyer_is_the_one_who_pays() {
    for scene in scenes().await {
        let without =
            |first: Date, order: &str| CreateSubscriptionRequest { order_id: order.into(), ..plan(first, "") };
        // Nothing is known but the member themselves.
        let owner = first_buyer(&scene, without(day(1, 15), "unknown"), day(2, 15)).await;
        assert_eq!((owner.name.as_str(), owner.locale()), ("alice", Locale::EsUs));
        let of_order = first_buyer(&scene, without(day(1, 16), ":2995"), day(2, 16)).await;
        assert_eq!(of_order.name, "Bob Buyer");
        let default = NewPaymentMethod { billing_address: quebec().address, ..card(APPROVES) };
        scene.method(default).await;
        let holder = first_buyer(&scene, without(day(1, 17), ":2995"), day(2, 17)).await;
        assert_eq!((holder.name.as_str(), holder.address), ("Alice", quebec().address));
        let mut second = card(APPROVES);
        second.card.as_mut().unwrap().holder_name = "Carol".into();
        let second = scene.method(second).await;
        assert_eq!(first_buyer(&scene, plan(day(1, 18), &second.id), day(2, 18)).await.name, "Carol");
        let by_group = CreateGroupPaymentMethodRequest {
            group_id: "acme".into(),
            identity_id: "alice".into(),
            payment_method: Some(account("test_bank_0001")),
        };
        let by_group = scene.payments().create_group_payment_method(request_by(ADMIN, by_group)).await;
        let by_group = into_answer(by_group).unwrap();
        let through_acme = CreateSubscriptionRequest { group_id: "acme".into(), ..plan(day(1, 19), &by_group.id) };
        assert_eq!(first_buyer(&scene, through_acme, day(2, 19)).await.name, "acme Inc.");
    }
}

#[tokio::test]
async fn an_invoice_of_a_period_names_its_parties_and_its_days() {
    for scene in scenes().await {
        let visa = scene.method(NewPaymentMethod { billing_address: quebec().address, ..card(APPROVES) }).await;
        let id = begin(&scene, plan(day(1, 15), &visa.id)).await.id;
        come_to(&scene, day(2, 15)).await;
        let billed = invoices(&scene, &id).await.remove(0);
        let buyer = billed.buyer.clone().unwrap();
        assert_eq!((buyer.name.as_str(), buyer.address), ("Alice", quebec().address));
        assert_eq!(billed.seller.clone().unwrap().name, "Pavise");
        assert_eq!(billed.payment_method_id, "", "the method of the subscription is charged");
        let (_, content) = download(&scene, ALICE, &billed.id, Locale::Unspecified).await.unwrap();
        let text = read_text(&content);
        assert!(text.contains("Facture") && text.contains("Alice") && text.contains("Québec QC"), "{text}");
        assert!(text.contains("15 février 2026 au 14 mars 2026"), "{text}");
    }
}

#[tokio::test]
async fn an_annual_plan_in_quebec_is_billed_with_two_taxes_and_a_french_pdf() {
    for scene in scenes().await {
        let visa = scene.method(NewPaymentMethod { billing_address: quebec().address, ..card(APPROVES) }).await;
        let mut wanted = CreateSubscriptionRequest {
            billing_period: BillingPeriod::Annual.into(),
            next_bill_on: Some(day(2, 15)),
            administrative_area: RegionCode::Qc.into(),
            ..plan(day(1, 15), &visa.id)
        };
        wanted.items[0].price = cad(29_900);
        let id = begin(&scene, wanted).await.id;
        come_to(&scene, day(2, 15)).await;
        let [billed] = invoices(&scene, &id).await.try_into().unwrap();
        let taxes = billed.items.iter().filter(|item| item.r#type() == ItemType::Tax);
        let taxes: Vec<_> = taxes.map(|item| (item.tax_name.as_str(), item.tax_rate_ppm, item.amount)).collect();
        assert_eq!(taxes, [("QC GST", 50_000, cad(1_495)), ("QC QST", 99_750, cad(2_983))]);
        assert_eq!((billed.status(), billed.total), (InvoiceStatus::Paid, cad(34_378)));
        let (_, content) = download(&scene, ALICE, &billed.id, Locale::Unspecified).await.unwrap();
        let text = read_text(&content);
        for part in ["Facture", "TPS 5 %", "TVQ 9,975 %", "343,78 $", "15 février 2026 au 14 février 2027"] {
            assert!(text.contains(part), "{part} is missing: {text}");
        }
    }
}

#[tokio::test]
async fn papers_are_for_their_owner_and_for_staff() {
    for scene in scenes().await {
        let invoice = raise(&scene, build_taxed()).await;
        let refused = download(&scene, MALLORY, &invoice.id, Locale::EnUs).await;
        assert_eq!(refusal_reason(refused), "NOT_THE_OWNER");
        let own = DownloadInvoicePdfRequest {
            identity_id: "mallory".into(),
            invoice_id: invoice.id.clone(),
            locale: Locale::EnUs.into(),
        };
        let own = into_answer(scene.invoices().download_invoice_pdf(request_by(MALLORY, own)).await);
        assert_eq!(refusal_reason(own), "NOT_FOUND");
        assert_eq!(refusal_reason(statement(&scene, MALLORY, TODAY, TODAY).await), "NOT_THE_OWNER");
        assert_eq!(refusal_reason(balances(&scene, MALLORY).await), "NOT_THE_OWNER");
        assert_eq!(statement(&scene, STAFF, TODAY, TODAY).await.unwrap().parts.len(), 1);
    }
}

#[tokio::test]
async fn a_statement_has_what_was_charged_paid_and_refunded() {
    for scene in scenes().await {
        let visa = scene.method(card(APPROVES)).await;
        let request = CreateInvoiceRequest {
            identity_id: "alice".into(),
            currency: 1,
            items: vec![item(ItemType::Order, 3000), item(ItemType::Discount, -500)],
            payment_method_id: visa.id.clone(),
            ..CreateInvoiceRequest::default()
        };
        let invoice = raise(&scene, request).await;
        let pay = PayInvoiceRequest { invoice_id: invoice.id.clone(), ..PayInvoiceRequest::default() };
        scene.pay(ALICE, "pay", pay).await.unwrap();
        let back = RefundInvoiceRequest {
            identity_id: "alice".into(),
            invoice_id: invoice.id.clone(),
            amount: usd(700),
            ..RefundInvoiceRequest::default()
        };
        into_answer(scene.invoices().refund_invoice(request_by(STAFF, back)).await).unwrap();
        scene.invoice(&[1000], "").await;
        let found = statement(&scene, ALICE, TODAY, TODAY).await.unwrap();
        let [part] = found.parts.as_slice() else { panic!("{found:?}") };
        assert_eq!((part.opening, part.charges, part.payments), (usd(0), usd(4000), usd(2500)));
        // 7.00 came back and is no longer owed.
        assert_eq!((part.refunds, part.credits, part.closing), (usd(700), usd(1200), usd(1000)));
        let later = statement(&scene, ALICE, add_days(TODAY, 1), add_days(TODAY, 9)).await.unwrap();
        assert_eq!((later.parts[0].opening, later.parts[0].closing), (usd(1000), usd(1000)));
        assert!(later.parts[0].entries.is_empty());
        let earlier = statement(&scene, ALICE, add_days(TODAY, -9), add_days(TODAY, -1)).await.unwrap();
        assert!(earlier.parts.is_empty(), "{earlier:?}");
        let (head, csv) = file(&scene, StatementFormat::Csv).await;
        assert_eq!(head.file_name, "statement-2026-01-15-2026-01-15.csv");
        let csv = String::from_utf8(csv).unwrap();
        assert!(
            csv.starts_with("on,type,number,invoiceId,currency,amount,balance\r\n2026-01-15,OPENING,,,USD,0,0\r\n")
        );
        assert!(csv.contains(&format!("2026-01-15,PAYMENT,{},{},USD,-2500,", invoice.number, invoice.id)), "{csv}");
        assert!(csv.ends_with("2026-01-15,CLOSING,,,USD,0,1000\r\n"), "{csv}");
        let (_, pdf) = file(&scene, StatementFormat::Unspecified).await;
        let text = read_text(&pdf);
        assert!(text.contains("Statement of account") && text.contains("$10.00"), "{text}");
    }
}

#[tokio::test]
async fn a_range_of_a_statement_is_checked() {
    let scene = crate::scene::scene().await;
    for (from, to) in [
        (TODAY, add_days(TODAY, -1)),
        (TODAY, add_days(TODAY, 731)),
        (Date { day: 31, month: 2, ..TODAY }, TODAY),
        (TODAY, Date { month: 13, ..TODAY }),
    ] {
        assert_eq!(refusal_reason(statement(&scene, ALICE, from, to).await), "INVALID_FIELD", "{from:?} {to:?}");
    }
    let longest = statement(&scene, ALICE, TODAY, add_days(TODAY, 730)).await.unwrap();
    assert_eq!(longest.to, Some(add_days(TODAY, 730)));
}

#[tokio::test]
async fn a_balance_tells_what_is_owed_overdue_and_charged_next() {
    for scene in scenes().await {
        assert_eq!(balances(&scene, ALICE).await.unwrap(), []);
        for (amount, due) in [(1000, TODAY), (200, from_days(20_000))] {
            let request = CreateInvoiceRequest {
                identity_id: "alice".into(),
                currency: 1,
                items: vec![item(ItemType::Order, amount)],
                due_on: Some(due),
                ..CreateInvoiceRequest::default()
            };
            raise(&scene, request).await;
        }
        raise(&scene, build_taxed()).await;
        let found = balances(&scene, ALICE).await.unwrap();
        let [in_usd, in_cad] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((in_usd.owed, in_usd.overdue, in_usd.next_charge_on), (usd(1200), usd(200), None));
        assert_eq!((in_cad.owed, in_cad.overdue, in_cad.credit), (cad(11_498), cad(0), cad(0)));
        crate::credits::give(&scene, usd(300), None).await;
        assert_eq!(balances(&scene, ALICE).await.unwrap()[0].credit, usd(300));
        // Staff who name nobody would get the account of all members as if it were one.
        let balance = scene.invoices().get_balance(request_by(STAFF, GetBalanceRequest::default())).await;
        assert_eq!(refusal_reason(into_answer(balance)), "INVALID_FIELD");
        let request = GetStatementRequest { from: Some(TODAY), to: Some(TODAY), ..GetStatementRequest::default() };
        let statement = scene.invoices().get_statement(request_by(STAFF, request)).await;
        assert_eq!(refusal_reason(into_answer(statement)), "INVALID_FIELD");
    }
}

/// Moves to the day of the next charge, and compares what was told with the bills that are charged then.
async fn meet_next_charge(scene: &Scene, id: &str) -> (Date, Option<Money>) {
    let [told] = balances(scene, ALICE).await.unwrap().try_into().unwrap();
    let on = told.next_charge_on.unwrap();
    come_to(scene, on).await;
    let made = invoices(scene, id).await.into_iter().filter(|one| one.period_from == Some(on));
    let totals: Vec<Option<Money>> = made.map(|one| one.total).collect();
    assert_eq!(totals, [told.next_charge], "{on:?}");
    (on, told.next_charge)
}

#[tokio::test]
async fn the_next_charge_is_the_bill_with_its_periods_discounts_taxes_and_credits() {
    for scene in scenes().await {
        let visa = scene.method(card(APPROVES)).await;
        let texan = CreateSubscriptionRequest {
            administrative_area: RegionCode::Tx.into(),
            billing_frequency: 2,
            next_bill_on: Some(day(2, 15)),
            ..plan(day(1, 15), &visa.id)
        };
        let id = begin(&scene, texan).await.id;
        set_discounts(&scene, &id, vec![discount(500_000, None, 1)]).await.unwrap();
        give(&scene, usd(1000), None).await;
        give(&scene, usd(7), Some(day(2, 14))).await;
        assert_eq!(balances(&scene, ALICE).await.unwrap()[0].credit, usd(1007));
        // Half of two months, a tenth of it, less the credit that is not over by then.
        assert_eq!(meet_next_charge(&scene, &id).await, (day(2, 15), usd(2995 + 300 - 1000)));
        assert_eq!(meet_next_charge(&scene, &id).await, (day(4, 15), usd(5990 + 599)));
        assert_eq!(balances(&scene, ALICE).await.unwrap()[0].credit, usd(0));
    }
}

#[tokio::test]
async fn the_next_charge_knows_changes_that_wait_and_an_end_that_cuts_the_period() {
    for scene in scenes().await {
        let visa = scene.method(card(APPROVES)).await;
        let through_acme = CreateSubscriptionRequest { payment_method_id: visa.id.clone(), ..wanted("acme") };
        let id = begin(&scene, through_acme).await.id;
        make(&scene, "with the bill", change(&id, 3495, ChangeTime::NextBillingDay)).await.unwrap();
        assert_eq!(meet_next_charge(&scene, &id).await, (day(2, 15), usd(3495)));
        let on_a_day = UpdateSubscriptionOfferRequest { on: Some(day(3, 1)), ..change(&id, 4495, ChangeTime::OnDay) };
        make(&scene, "on a day", on_a_day).await.unwrap();
        // 14 of 28 days: 22.48 less 17.48.
        assert_eq!(meet_next_charge(&scene, &id).await, (day(3, 1), usd(500)));
        let schedule = ScheduleSubscriptionCancellationRequest {
            group_id: "acme".into(),
            identity_id: "alice".into(),
            subscription_id: id.clone(),
            cancel_on: Some(day(3, 25)),
            reason: CancelReason::MemberRequestedCancel.into(),
        };
        into_answer(scene.subscriptions().schedule_subscription_cancellation(request_by(STAFF, schedule)).await)
            .unwrap();
        // 10 of 31 days.
        assert_eq!(meet_next_charge(&scene, &id).await, (day(3, 15), usd(1450)));
        assert_eq!(balances(&scene, ALICE).await.unwrap(), [], "nothing follows");
    }
}

#[tokio::test]
async fn what_the_platform_does_not_charge_is_no_next_charge() {
    for scene in scenes().await {
        let premium = add(&scene, PaymentMethodType::PremiumBilling).await;
        let cheque = add(&scene, PaymentMethodType::Check).await;
        begin(&scene, plan(day(1, 15), &premium.id)).await;
        begin(&scene, CreateSubscriptionRequest { vendor: VendorType::Paypal.into(), ..plan(day(1, 15), "") }).await;
        begin(&scene, plan(day(1, 15), &cheque.id)).await;
        assert_eq!(balances(&scene, ALICE).await.unwrap(), []);
        come_to(&scene, day(2, 15)).await;
        let [owed] = balances(&scene, ALICE).await.unwrap().try_into().unwrap();
        assert_eq!((owed.owed, owed.next_charge_on, owed.next_charge), (usd(2995), None, usd(0)));
    }
}

#[tokio::test]
async fn the_buyer_is_erased_with_the_person_and_the_amounts_stay() {
    for scene in scenes().await {
        let invoice = raise(&scene, build_taxed()).await;
        let mut request = RedactPersonRequest { identity_id: "alice".into(), ..RedactPersonRequest::default() };
        loop {
            let mut people = PersonServiceClient::new(scene.transport());
            let part = into_answer(people.redact_person(request_by(PLATFORM, request.clone())).await).unwrap();
            request.page_token = part.next_page_token;
            if request.page_token.is_empty() {
                break;
            }
        }
        let erased = scene.get_invoice(&invoice.id).await;
        let buyer = erased.buyer.unwrap_or_default();
        assert_eq!((buyer.name.as_str(), buyer.address.unwrap_or_default().address1.as_str()), ("", ""));
        assert_eq!((erased.number, erased.total), (invoice.number.clone(), invoice.total));
        let (_, content) = download(&scene, STAFF, &invoice.id, Locale::FrCa).await.unwrap();
        let text = read_text(&content);
        assert!(!text.contains("Zoë") && text.contains(&invoice.number), "{text}");
    }
}
