//! PDFs: pages that a browser prints, and forms that are filled.
//!
//! The browser is Chromium without a window. It reaches nothing but a proxy of this crate, which lets it ask the admitted
//! hosts only, at addresses that are looked up once. It is a crate of its own, so that nothing else waits for its
//! compilation.

mod fill;
mod hosts;
mod letters;
mod printer;
mod proxy;
mod sample;

pub use fill::{FillFault, FormField, FormFieldKind, fill_form, list_fields};
pub use hosts::{AllowedHosts, is_public};
pub use printer::{PdfFault, PdfPrinter};
pub use sample::{SampleField, build_form};
pub use url::Url;
