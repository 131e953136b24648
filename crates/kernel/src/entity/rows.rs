//! Converts entities to rows and back.

use crate::entity::aggregate::Aggregate;
use crate::entity::document::Documents;
use crate::error::{Error, Result};
use crate::port::store::StoredRow;
use crate::time::to_micros;

impl Documents {
    /// The row of an entity.
    pub(crate) fn write<A: Aggregate>(&self, entity: &A) -> Result<StoredRow> {
        let doc = self.json(A::TABLE.message, &entity.encode_to_vec())?;
        let head = entity.head();
        Ok(StoredRow {
            id: head.id.to_owned(),
            owner_id: head.owner_id.to_owned(),
            status: head.status.to_owned(),
            version: head.version,
            clock: 0,
            created_at: head.created_at.map_or(0, to_micros),
            updated_at: head.updated_at.map_or(0, to_micros),
            doc,
        })
    }

    /// The entity of a row, with what documents of earlier versions lack.
    pub(crate) fn read<A: Aggregate>(&self, row: &StoredRow) -> Result<A> {
        let mut entity = A::decode(self.wire(A::TABLE.message, &row.doc)?.as_slice()).map_err(Error::internal)?;
        entity.complete();
        Ok(entity)
    }
}
