//! The demonstration's part of documents: questionnaires and their answers.

use pavise_kernel::Result;
use pavise_kernel::worker::Work;

/// Makes what is not there yet.
pub(crate) async fn load_documents(_work: &Work) -> Result<()> {
    Ok(())
}
