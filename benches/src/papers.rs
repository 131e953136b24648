//! The writing of an invoice as PDF: what each download of one does.

use std::time::{Duration, Instant};

use pavise_paper::{Amount, Currency, Day, Invoice, Item, ItemKind, Language, Movement, Party, write_invoice};

use crate::loops::Speed;

/// Writes an invoice of so many items until the time is over.
///
/// # Errors
/// When a paper is not like the one before it, or there was no time for one.
pub(crate) fn write(items: usize, span: Duration) -> anyhow::Result<Speed> {
    let invoice = make_invoice(items);
    let first = write_invoice(&invoice, Language::FrCa)?;
    let (began, mut times) = (Instant::now(), Vec::new());
    while began.elapsed() < span {
        let before = Instant::now();
        let paper = write_invoice(&invoice, Language::FrCa)?;
        times.push(before.elapsed());
        anyhow::ensure!(paper == first, "the same invoice gave other bytes");
    }
    Speed::of(times, began.elapsed())
}

fn make_invoice(items: usize) -> Invoice {
    let cad = |cents: i64| Amount { currency: Currency::Cad, cents };
    let sales = (0..items).map(|at| Item {
        kind: ItemKind::Sale,
        description: format!("Plan juridique pour la famille, période {at}"),
        amount: cad(2995),
    });
    let tax = |name: &str, rate_ppm: u32| Item {
        kind: ItemKind::Tax { name: name.to_owned(), rate_ppm },
        description: name.to_owned(),
        amount: cad(150),
    };
    let seller = Party {
        name: "Pavise inc.".to_owned(),
        address: vec!["1, rue Sherbrooke Ouest".to_owned(), "Montréal QC H3A 1A1".to_owned()],
        tax_numbers: vec![("GST/HST".to_owned(), "123456789 RT0001".to_owned())],
    };
    Invoice {
        number: "INV-26-000123".to_owned(),
        seller,
        buyer: Party { name: "Zoë Bélanger".to_owned(), ..Party::default() },
        issued_on: Day { year: 2026, month: 3, day: 1 },
        items: sales.chain([tax("QC GST", 50_000), tax("QC QST", 99_750)]).collect(),
        total: cad(2995),
        movements: vec![Movement { day: Day { year: 2026, month: 3, day: 2 }, is_refund: false, amount: cad(2995) }],
        ..Invoice::default()
    }
}
