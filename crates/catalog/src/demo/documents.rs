//! The documents of the demonstration's contracts, as files.

use crate::contract::documents::{FileContainer, UploadContainerFileRequest};
use crate::contract::v1::CreateProductRequest;

/// The document of a contract: a PDF of one page. `resource_id` is the product, and `name` ends in `.pdf`.
#[must_use]
pub fn make_document(resource_id: &str, name: &str) -> UploadContainerFileRequest {
    UploadContainerFileRequest {
        container: FileContainer::Contract.into(),
        resource_id: resource_id.to_owned(),
        name: name.to_owned(),
        chunk: write_page(name),
        ..UploadContainerFileRequest::default()
    }
}

/// The documents that the contracts of products name.
pub(super) fn make_documents(products: &[CreateProductRequest]) -> Vec<UploadContainerFileRequest> {
    let mut documents = Vec::new();
    for request in products {
        for contract in request.product.iter().flat_map(|draft| &draft.contracts) {
            documents.push(make_document(&request.id, &contract.document_id));
            let variants = contract.variants.iter();
            documents.extend(variants.map(|variant| make_document(&request.id, &variant.document_id)));
        }
    }
    documents
}

/// A page with one line as a PDF. The line has letters of ASCII and no brackets.
fn write_page(line: &str) -> Vec<u8> {
    let text = format!("BT /F1 14 Tf 72 720 Td ({line}) Tj ET");
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>".to_owned(),
        format!("<</Length {}>>\nstream\n{text}\nendstream", text.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    let mut pdf = "%PDF-1.4\n".to_owned();
    let mut places = "0000000000 65535 f \n".to_owned();
    for (number, object) in (1..).zip(&objects) {
        places.push_str(&format!("{:010} 00000 n \n", pdf.len()));
        pdf.push_str(&format!("{number} 0 obj\n{object}\nendobj\n"));
    }
    let (start, size) = (pdf.len(), objects.len() + 1);
    pdf.push_str(&format!("xref\n0 {size}\n{places}trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n"));
    pdf.into_bytes()
}
