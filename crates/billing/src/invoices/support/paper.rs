//! Invoices and statements as papers.

use bytes::Bytes;
use futures::stream;
use pavise_kernel::common::v1::{Address, CountryCode, Currency, Date, Locale, Money, RegionCode};
use pavise_kernel::hex::to_hex;
use pavise_kernel::time::{to_date, to_micros};
use pavise_kernel::{Download, Error, Result};
use pavise_paper as paper;
use sha2::{Digest as _, Sha256};

use super::sums::{is_approved, is_given_back};
use crate::contract::v1::{
    Invoice, InvoiceBuyer, InvoiceItem, InvoiceSeller, InvoiceStatus, ItemType, Statement, StatementEntryType,
    StatementPart,
};
use crate::shared::money;

/// The content type of a paper.
pub(crate) const PDF: &str = "application/pdf";

/// Writes an invoice as PDF. The same invoice in the same language gives the same bytes.
pub(crate) async fn write_invoice(invoice: &Invoice, seller: &InvoiceSeller, locale: Locale) -> Result<Vec<u8>> {
    let (content, language) = (describe_invoice(invoice, seller), language_of(locale, invoice));
    // It takes some milliseconds of one core.
    let written = tokio::task::spawn_blocking(move || paper::write_invoice(&content, language)).await;
    written.map_err(Error::internal)?.map_err(Error::internal)
}

/// Writes a statement as PDF. The newest invoice gives the name and the language of the account.
pub(crate) async fn write_statement(
    statement: &Statement,
    newest: &Invoice,
    seller: &InvoiceSeller,
    locale: Locale,
) -> Result<Vec<u8>> {
    let content = paper::Statement {
        seller: describe_seller(seller),
        account: describe_buyer(newest.buyer.as_ref()),
        period: paper::Period { from: day_from(statement.from), until: day_from(statement.to) },
        parts: statement.parts.iter().map(describe_part).collect(),
    };
    let language = language_of(locale, newest);
    let written = tokio::task::spawn_blocking(move || paper::write_statement(&content, language)).await;
    written.map_err(Error::internal)?.map_err(Error::internal)
}

/// A file that is written for the call, as its answer.
pub(crate) fn answer_file(content: Vec<u8>, content_type: &str, name: &str) -> Result<Download> {
    let size = u64::try_from(content.len()).map_err(Error::internal)?;
    let digest = to_hex(&Sha256::digest(&content));
    let open = move |range: std::ops::Range<u64>| async move {
        let start = usize::try_from(range.start).map_err(Error::internal)?;
        let end = usize::try_from(range.end).map_err(Error::internal)?;
        let part = content.get(start..end).map(Bytes::copy_from_slice);
        let part = part.ok_or_else(|| Error::internal("the part is outside of the file"))?;
        let chunks: pavise_kernel::bytes::Chunks = Box::pin(stream::iter([Ok(part)]));
        Ok::<_, Error>(chunks)
    };
    Ok(Download::stored_file(content_type, name, (size, digest), open))
}

/// The days that an invoice bills, where it says so.
fn billed_period(invoice: &Invoice) -> Option<paper::Period> {
    let (from, until) = invoice.period_from.zip(invoice.period_until)?;
    Some(paper::Period { from: day_from(Some(from)), until: day_from(Some(until)) })
}

/// The language that was asked for, else the buyer's, else the one of the buyer's region.
fn language_of(asked: Locale, invoice: &Invoice) -> paper::Language {
    let buyer = invoice.buyer.as_ref();
    let known = buyer.map_or(Locale::Unspecified, InvoiceBuyer::locale);
    match if asked == Locale::Unspecified { known } else { asked } {
        Locale::EnUs => paper::Language::EnUs,
        Locale::EsUs => paper::Language::EsUs,
        Locale::EnCa => paper::Language::EnCa,
        Locale::FrCa => paper::Language::FrCa,
        Locale::Unspecified => {
            let address = buyer.and_then(|buyer| buyer.address.as_ref());
            if address.is_some_and(|address| address.locality() == RegionCode::Qc) {
                paper::Language::FrCa
            } else if invoice.currency == i32::from(Currency::Cad) {
                paper::Language::EnCa
            } else {
                paper::Language::EnUs
            }
        }
    }
}

fn describe_invoice(invoice: &Invoice, seller: &InvoiceSeller) -> paper::Invoice {
    let approved_payments = invoice.payments.iter().filter(|payment| is_approved(payment.status()));
    let refunds = invoice.refunds.iter().filter(|refund| is_given_back(refund));
    let payments = approved_payments.map(|payment| (payment.at, false, payment.amount));
    let mut movements: Vec<_> = payments
        .chain(refunds.map(|refund| (refund.at, true, refund.amount)))
        .map(|(at, is_refund, money)| (at.as_ref().map_or(0, to_micros), is_refund, money))
        .collect();
    movements.sort_by_key(|(at, is_refund, _)| (*at, *is_refund));
    let movements = movements.into_iter().map(|(at, is_refund, money)| paper::Movement {
        day: day_from(Some(to_date(at))),
        is_refund,
        amount: amount_from(money.as_ref(), invoice.currency),
    });
    paper::Invoice {
        number: invoice.number.clone(),
        reference: invoice.id.clone(),
        seller: describe_seller(seller),
        buyer: describe_buyer(invoice.buyer.as_ref()),
        issued_on: day_from(invoice.created_at.as_ref().map(|at| to_date(to_micros(at)))),
        due_on: invoice.due_on.map(|date| day_from(Some(date))),
        period: billed_period(invoice),
        state: state_of(invoice.status()),
        items: invoice.items.iter().map(|item| describe_item(item, invoice.currency)).collect(),
        total: amount_from(invoice.total.as_ref(), invoice.currency),
        movements: movements.collect(),
        open: amount_from(invoice.open_amount.as_ref(), invoice.currency),
    }
}

fn describe_item(item: &InvoiceItem, currency: i32) -> paper::Item {
    let kind = match item.r#type() {
        ItemType::Tax => paper::ItemKind::Tax {
            name: item.tax_name.clone(),
            rate_ppm: u32::try_from(item.tax_rate_ppm).unwrap_or_default(),
        },
        ItemType::Subscription
        | ItemType::Order
        | ItemType::Discount
        | ItemType::Transaction
        | ItemType::Unspecified => paper::ItemKind::Sale,
    };
    paper::Item { kind, description: item.description.clone(), amount: amount_from(item.amount.as_ref(), currency) }
}

fn describe_part(part: &StatementPart) -> paper::StatementPart {
    let cents = |money: &Option<Money>| money::to_minor_units(money.as_ref());
    let entries = part.entries.iter().filter_map(|entry| {
        let kind = match entry.r#type() {
            StatementEntryType::Charge => paper::EntryKind::Charge,
            StatementEntryType::Payment => paper::EntryKind::Payment,
            StatementEntryType::Credit => paper::EntryKind::Credit,
            StatementEntryType::Refund => paper::EntryKind::Refund,
            StatementEntryType::Reversal => paper::EntryKind::Reversal,
            StatementEntryType::Unspecified => return None,
        };
        Some(paper::Entry {
            day: day_from(entry.on),
            kind,
            number: entry.number.clone(),
            cents: cents(&entry.amount),
            balance: cents(&entry.balance),
        })
    });
    paper::StatementPart {
        currency: currency_of(part.currency),
        opening: cents(&part.opening),
        charges: cents(&part.charges),
        payments: cents(&part.payments),
        credits: cents(&part.credits),
        refunds: cents(&part.refunds),
        reversals: cents(&part.reversals),
        closing: cents(&part.closing),
        entries: entries.collect(),
    }
}

fn describe_seller(seller: &InvoiceSeller) -> paper::Party {
    let numbers = seller.tax_numbers.iter().map(|number| (number.tax.clone(), number.number.clone()));
    paper::Party { name: seller.name.clone(), address: seller.address.clone(), tax_numbers: numbers.collect() }
}

fn describe_buyer(buyer: Option<&InvoiceBuyer>) -> paper::Party {
    let Some(buyer) = buyer else { return paper::Party::default() };
    let address = buyer.address.as_ref().map(list_lines).unwrap_or_default();
    paper::Party { name: buyer.name.clone(), address, ..paper::Party::default() }
}

/// The lines of an address, as both post offices want them.
fn list_lines(address: &Address) -> Vec<String> {
    let place = format!("{} {}  {}", address.city, address.locality().spelling(), address.postal_code);
    let country = match address.country() {
        CountryCode::Can => "Canada",
        CountryCode::Usa => "USA",
        CountryCode::Unspecified => "",
    };
    let lines = [address.address1.clone(), address.address2.clone(), place, country.to_owned()];
    lines.into_iter().filter(|line| !line.trim().is_empty()).collect()
}

fn state_of(status: InvoiceStatus) -> paper::InvoiceState {
    match status {
        InvoiceStatus::Active | InvoiceStatus::Failed | InvoiceStatus::Unspecified => paper::InvoiceState::Open,
        InvoiceStatus::Paid => paper::InvoiceState::Paid,
        InvoiceStatus::PartiallyFunded => paper::InvoiceState::PartlyPaid,
        InvoiceStatus::Delinquent => paper::InvoiceState::Overdue,
        InvoiceStatus::Forgiven => paper::InvoiceState::Forgiven,
        InvoiceStatus::Voided => paper::InvoiceState::Void,
        InvoiceStatus::Refunded => paper::InvoiceState::Refunded,
    }
}

fn amount_from(money: Option<&Money>, currency: i32) -> paper::Amount {
    paper::Amount { currency: currency_of(currency), cents: money::to_minor_units(money) }
}

fn currency_of(currency: i32) -> paper::Currency {
    match Currency::try_from(currency).unwrap_or_default() {
        Currency::Cad => paper::Currency::Cad,
        Currency::Usd | Currency::Unspecified => paper::Currency::Usd,
    }
}

fn day_from(date: Option<Date>) -> paper::Day {
    let Some(Date { year, month, day }) = date else { return paper::Day::default() };
    paper::Day {
        year: u16::try_from(year).unwrap_or_default(),
        month: u8::try_from(month).unwrap_or_default(),
        day: u8::try_from(day).unwrap_or_default(),
    }
}
