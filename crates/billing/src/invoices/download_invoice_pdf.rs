//! Answers an invoice as PDF.

use pavise_kernel::{Call, Download, Result};

use super::support::paper::{PDF, answer_file, write_invoice};
use super::support::parties::seller_country;
use crate::contract::v1::{DownloadInvoicePdfRequest, Invoice};
use crate::shared::tools::Tools as _;

pub(crate) async fn download_invoice_pdf(call: &Call, request: DownloadInvoicePdfRequest) -> Result<Download> {
    let invoice: Invoice = call.get(&request.invoice_id).await?;
    // An invoice from before there were sellers shows the one of today.
    let seller = match &invoice.seller {
        Some(seller) => seller.clone(),
        None => call.sellers()?.describe_seller(seller_country(&invoice)),
    };
    let content = write_invoice(&invoice, &seller, request.locale()).await?;
    let name = if invoice.number.is_empty() { &invoice.id } else { &invoice.number };
    Ok(answer_file(content, PDF, &format!("{name}.pdf"))?.shown_inline().modified_at(invoice.updated_at))
}
