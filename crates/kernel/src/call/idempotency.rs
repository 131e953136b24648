//! Repeats of a call: the stored answer for an idempotency key.

use crate::call::Call;
use crate::error::{Common, Error, Result};
use crate::kernel::Kernel;
use crate::port::store::IdempotencyRecord;
use crate::sealed::person::ERASED_ANSWER;

impl Kernel {
    /// The stored answer of an earlier call with the same key.
    pub(crate) async fn stored_answer(&self, call: &Call) -> Result<Option<IdempotencyRecord>> {
        let Some(key) = call.idempotency_key() else { return Ok(None) };
        Ok(self.store().idempotency_record(call.method().journal, &key).await?)
    }
}

/// The answer in an idempotency record, if the record belongs to this request.
pub(crate) fn answer_from<S: prost::Message + Default>(call: &Call, record: &IdempotencyRecord) -> Result<S> {
    if record.request != call.parts().request_digest()? {
        return Err(Error::new(Common::IdempotencyKeyReused, "this idempotency key belongs to another request"));
    }
    if record.answer.as_ref() == ERASED_ANSWER {
        let message = "this call was made; its answer was erased with a person's data";
        return Err(Error::new(Common::PersonErased, message));
    }
    call.mark(record.version, record.clock);
    S::decode(record.answer.as_ref()).map_err(Error::internal)
}
