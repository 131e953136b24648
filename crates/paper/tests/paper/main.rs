//! Papers as readers and programs see them.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::io::Write as _;
use std::process::{Command, Stdio};

use pavise_paper::{
    Amount, Currency, Day, Entry, EntryKind, Invoice, InvoiceState, Item, ItemKind, Language, Movement, Party, Period,
    Statement, StatementPart, write_invoice, write_statement,
};

fn cad(cents: i64) -> Amount {
    Amount { currency: Currency::Cad, cents }
}

fn day(month: u8, day: u8) -> Day {
    Day { year: 2026, month, day }
}

fn sale(description: &str, cents: i64) -> Item {
    Item { kind: ItemKind::Sale, description: description.to_owned(), amount: cad(cents) }
}

fn tax(name: &str, rate_ppm: u32, cents: i64) -> Item {
    let kind = ItemKind::Tax { name: name.to_owned(), rate_ppm };
    Item { kind, description: name.to_owned(), amount: cad(cents) }
}

fn seller() -> Party {
    Party {
        name: "Pavise Services juridiques inc.".to_owned(),
        address: vec!["1, rue Sherbrooke Ouest".to_owned(), "Montréal QC  H3A 1A1".to_owned()],
        tax_numbers: vec![
            ("GST/HST".to_owned(), "12345 6789 RT0001".to_owned()),
            ("QST".to_owned(), "1234567890 TQ0001".to_owned()),
        ],
    }
}

/// An annual plan in Quebec, with its two taxes.
fn quebec() -> Invoice {
    Invoice {
        number: "INV-26-000123".to_owned(),
        seller: seller(),
        buyer: Party {
            name: "Zoë Bélanger-Nuñez".to_owned(),
            address: vec!["Québec QC".to_owned()],
            ..Party::default()
        },
        issued_on: day(3, 1),
        due_on: Some(day(3, 15)),
        period: Some(Period { from: day(3, 1), until: Day { year: 2027, month: 2, day: 28 } }),
        state: InvoiceState::Paid,
        items: vec![
            sale("Plan juridique, un an", 120_000),
            sale("Rabais", -2000),
            tax("QC GST", 50_000, 5900),
            tax("QC QST", 99_750, 11_771),
        ],
        total: cad(135_671),
        movements: vec![Movement { day: day(3, 2), is_refund: false, amount: cad(135_671) }],
        open: cad(0),
        ..Invoice::default()
    }
}

fn statement(count: usize) -> Statement {
    let entries = (0..count).map(|at| Entry {
        day: day(4, u8::try_from(at % 28).unwrap() + 1),
        kind: if at % 2 == 0 { EntryKind::Charge } else { EntryKind::Payment },
        number: format!("INV-26-{at:06}"),
        cents: 2995,
        balance: if at % 2 == 0 { 2995 } else { 0 },
    });
    Statement {
        seller: seller(),
        account: Party { name: "Zoë".to_owned(), ..Party::default() },
        period: Period { from: day(4, 1), until: day(4, 30) },
        parts: vec![StatementPart {
            currency: Currency::Cad,
            opening: 0,
            charges: 2995 * 60,
            payments: 2995 * 60,
            credits: 0,
            refunds: 0,
            reversals: 0,
            closing: 0,
            entries: entries.collect(),
        }],
    }
}

/// Runs a program over a file.
fn run(program: &str, before: &[&str], pdf: &[u8], after: &[&str]) -> String {
    let mut file = tempfile::NamedTempFile::with_suffix(".pdf").unwrap();
    file.write_all(pdf).unwrap();
    let made = Command::new(program).args(before).arg(file.path()).args(after).stdin(Stdio::null()).output().unwrap();
    assert!(made.status.success(), "{program}: {}{}", text_of(&made.stdout), text_of(&made.stderr));
    text_of(&made.stdout)
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The text, as `pdftotext` reads it, with plain spaces.
fn read_text(pdf: &[u8]) -> String {
    run("pdftotext", &["-layout"], pdf, &["-"]).replace('\u{a0}', " ")
}

/// Whether each part stands in the text, after the part before it.
fn assert_in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let Some(at) = rest.find(part) else { panic!("{part:?} is missing after the one before in:\n{text}") };
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn a_french_invoice_shows_its_data_in_order() {
    let text = read_text(&write_invoice(&quebec(), Language::FrCa).unwrap());
    let parts = [
        "Facture",
        "Pavise Services juridiques inc.",
        "TPS/TVH 12345 6789 RT0001",
        "TVQ 1234567890 TQ0001",
        "INV-26-000123",
        "1er mars 2026",
        "15 mars 2026",
        "1er mars 2026 au 28 février 2027",
        "Payée",
        "Facturé à",
        "Zoë Bélanger-Nuñez",
        "Plan juridique, un an",
        "1 200,00 $",
        "Rabais",
        "-20,00 $",
        "Sous-total",
        "1 180,00 $",
        "TPS 5 %",
        "(12345 6789 RT0001)",
        "59,00 $",
        "TVQ 9,975 %",
        "(1234567890 TQ0001)",
        "117,71 $",
        "Total",
        "1 356,71 $",
        "Paiement",
        "1 356,71 $",
        "Montant à payer",
        "0,00 $",
        "Page 1 de 1",
    ];
    assert_in_order(&text, &parts);
}

#[test]
fn each_language_has_its_own_words_and_amounts() {
    let first = |language: Language| read_text(&write_invoice(&quebec(), language).unwrap());
    let english = first(Language::EnCa);
    assert_in_order(
        &english,
        &["Invoice", "March 1, 2026", "Billed to", "$1,200.00", "GST 5%", "QST 9.975%", "$1,356.71"],
    );
    let spanish = first(Language::EsUs);
    assert_in_order(&spanish, &["Factura", "1 de marzo de 2026", "Facturado a", "CA$1,200.00", "Importe por pagar"]);
    let american = first(Language::EnUs);
    assert_in_order(&american, &["Invoice", "CA$1,200.00", "Amount due", "CA$0.00"]);
}

#[test]
fn the_same_content_gives_the_same_bytes() {
    for language in Language::ALL {
        assert_eq!(write_invoice(&quebec(), language).unwrap(), write_invoice(&quebec(), language).unwrap());
    }
    let other = Invoice { number: "INV-26-000124".to_owned(), ..quebec() };
    assert_ne!(write_invoice(&quebec(), Language::FrCa).unwrap(), write_invoice(&other, Language::FrCa).unwrap());
}

#[test]
fn a_paper_is_a_sound_tagged_file_with_title_and_language() {
    let pdf = write_invoice(&quebec(), Language::FrCa).unwrap();
    run("qpdf", &["--check"], &pdf, &[]);
    let open = run("qpdf", &["--qdf", "--object-streams=disable"], &pdf, &["-"]);
    for part in [
        "/MarkInfo",
        "/StructTreeRoot",
        "/Lang (fr-CA)",
        "/S /H1",
        "/S /H2",
        "/S /Table",
        "/S /THead",
        "/S /TH",
        "/S /TD",
    ] {
        assert!(open.contains(part), "{part} is missing");
    }
    for part in ["<pdfaid:part>2</pdfaid:part>", "<pdfaid:conformance>A</pdfaid:conformance>", "Facture INV-26-000123"]
    {
        assert!(open.contains(part), "{part} is missing");
    }
    let info = run("pdfinfo", &[], &pdf, &[]);
    assert!(info.lines().any(|line| line.starts_with("Tagged:") && line.ends_with("yes")), "{info}");
}

#[test]
fn a_long_list_repeats_its_head_on_each_page_and_loses_nothing() {
    let text = read_text(&write_statement(&statement(120), Language::EnCa).unwrap());
    let pages: Vec<&str> = text.split('\u{c}').filter(|page| !page.trim().is_empty()).collect();
    assert!(pages.len() > 2, "{}", pages.len());
    for (at, page) in pages.iter().enumerate() {
        assert!(page.contains("Description") && page.contains("Balance"), "no head: {page}");
        assert!(page.contains(&format!("Page {} of {}", at + 1, pages.len())), "{page}");
    }
    for at in 0..120 {
        assert_eq!(text.matches(&format!("INV-26-{at:06}")).count(), 1, "{at}");
    }
}

#[test]
fn an_empty_statement_says_so() {
    let empty = Statement { parts: Vec::new(), ..statement(0) };
    let text = read_text(&write_statement(&empty, Language::EsUs).unwrap());
    assert_in_order(&text, &["Estado de cuenta", "1 de abril de 2026 al 30 de abril de 2026", "No hubo cargos"]);
}

#[test]
fn names_with_any_letters_are_written() {
    let long = "x".repeat(5000);
    let names = [
        "Иван Żółć",
        "Ωμέγα",
        "张伟 王芳",
        "محمد",
        "e\u{301}\u{202e}abc",
        "👩‍👩‍👧 family",
        "\u{0}\u{1b}[31m",
        "\u{e000}\u{fffe}",
        "\u{10ffff}",
        "",
        " ",
        long.as_str(),
        "a\nb\tc",
    ];
    for name in names {
        let buyer = Party { name: name.to_owned(), address: vec![name.to_owned(); 3], ..Party::default() };
        let items = vec![sale(name, 100), tax(name, 0, 1)];
        let invoice = Invoice { buyer, items, ..quebec() };
        write_invoice(&invoice, Language::FrCa).unwrap_or_else(|fault| panic!("{name:?}: {fault}"));
    }
    let buyer = Party { name: "Иван 张伟".to_owned(), ..Party::default() };
    let text = read_text(&write_invoice(&Invoice { buyer, ..quebec() }, Language::EnUs).unwrap());
    assert!(text.contains("Иван 张伟"), "{text}");
}

#[test]
fn a_cell_that_is_longer_than_a_page_goes_on() {
    let invoice = Invoice { items: vec![sale(&"word ".repeat(2000), 100)], ..quebec() };
    let text = read_text(&write_invoice(&invoice, Language::EnUs).unwrap());
    assert_eq!(text.matches("word").count(), 2000);
}
