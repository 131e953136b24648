//! Answers the statement of a member's account as a file.

use pavise_kernel::range::SortKey as _;
use pavise_kernel::{Call, Download, Result};

use super::support::account::load_statement;
use super::support::paper::{PDF, answer_file, write_statement};
use super::support::parties::seller_country;
use super::support::statement_table;
use crate::contract::v1::{DownloadStatementRequest, StatementFormat};
use crate::shared::pages::check_member_is_named;
use crate::shared::tools::Tools as _;

pub(crate) async fn download_statement(call: &Call, request: DownloadStatementRequest) -> Result<Download> {
    check_member_is_named(call, &request.identity_id)?;
    let (statement, invoices) = load_statement(call, request.from, request.to).await?;
    let name = format!("statement-{}-{}", statement.from.key(), statement.to.key());
    match request.format() {
        StatementFormat::Csv => {
            let content = statement_table::write_table(&statement).into_bytes();
            answer_file(content, statement_table::CONTENT_TYPE, &format!("{name}.csv"))
        }
        StatementFormat::Pdf | StatementFormat::Unspecified => {
            let newest = invoices.into_iter().next().unwrap_or_default();
            let seller = match &newest.seller {
                Some(seller) => seller.clone(),
                None => call.sellers()?.describe_seller(seller_country(&newest)),
            };
            let content = write_statement(&statement, &newest, &seller, request.locale()).await?;
            Ok(answer_file(content, PDF, &format!("{name}.pdf"))?.shown_inline())
        }
    }
}
