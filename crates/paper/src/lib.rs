//! Invoices and statements as PDF, written in the process.
//!
//! A paper is PDF/A-2a: it is tagged, has a title and a language, and carries its fonts. The same content gives the same
//! bytes: nothing in it comes from a clock or from chance. It is a crate of its own, so that nothing else waits for its
//! compilation.

mod fonts;
mod format;
mod invoice;
mod language;
mod layout;
mod sheet;
mod statement;
mod structure;
mod words;
mod write;

pub use format::{Amount, Currency, Day};
pub use invoice::{Invoice, InvoiceState, Item, ItemKind, Movement, Period};
pub use language::Language;
pub use statement::{Entry, EntryKind, Statement, StatementPart};
pub use write::PaperFault;

/// Somebody on a paper: the seller or the buyer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Party {
    /// The name of a person or a company.
    pub name: String,
    /// The lines of the address.
    pub address: Vec<String>,
    /// The numbers under which the party pays taxes: the name of each, and the number.
    pub tax_numbers: Vec<(String, String)>,
}

/// Writes an invoice.
///
/// # Errors
/// A fault of this crate: no content is refused.
pub fn write_invoice(invoice: &Invoice, language: Language) -> Result<Vec<u8>, PaperFault> {
    write::write_sheet(&invoice::build_sheet(invoice, language))
}

/// Writes a statement of account.
///
/// # Errors
/// A fault of this crate: no content is refused.
pub fn write_statement(statement: &Statement, language: Language) -> Result<Vec<u8>, PaperFault> {
    write::write_sheet(&statement::build_sheet(statement, language))
}
