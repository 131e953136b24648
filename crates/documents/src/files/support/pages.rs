//! The web pages that a caller may print.

use pavise_kernel::{Call, Error, Result};
use pavise_pdf::{PdfFault, Url};

use crate::contract::v1::ErrorReason;
use crate::shared::tools::Tools as _;

/// Prints the page at an address. Members print those of the platform only.
///
/// # Errors
/// `ADDRESS_NOT_ALLOWED`, `NOT_PRINTED`, `NOT_CONFIGURED`, UNAVAILABLE.
pub(crate) async fn print_address(call: &Call, address: &str) -> Result<Vec<u8>> {
    let tools = call.tools()?;
    let hosts = if call.has_role("STAFF") { &tools.print_hosts } else { &tools.own_hosts };
    let url = check_address(address, |url| hosts.admits(url))?;
    tools.printer.print_page(&url, hosts.clone()).await.map_err(print_error)
}

/// The refusal of a page that was not printed.
pub(crate) fn print_error(fault: PdfFault) -> Error {
    match fault {
        PdfFault::NotConfigured => {
            let why = "this server prints nothing: install Chromium, or set --chromium";
            Error::new(pavise_kernel::Common::NotConfigured, why).with("setting", "chromium")
        }
        PdfFault::Busy => Error::unavailable("the printer of pages", "its queue is full"),
        PdfFault::Failed(cause) => Error::new(ErrorReason::NotPrinted, "the page could not be printed").because(cause),
    }
}

fn check_address(address: &str, admits: impl Fn(&Url) -> bool) -> Result<Url> {
    let refused =
        |why: &str| Error::new(ErrorReason::AddressNotAllowed, format!("url: {why}")).violation("url", why.to_owned());
    let url = Url::parse(address.trim()).map_err(|_| refused("is no address of a page: https://…"))?;
    if admits(&url) { Ok(url) } else { Err(refused("pages of this host are not printed")) }
}
