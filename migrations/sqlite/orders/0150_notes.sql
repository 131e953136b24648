-- Notes of staff on orders.

CREATE TABLE order_notes (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX order_notes_owner ON order_notes (owner_id, id);
CREATE INDEX order_notes_order_id ON order_notes ((doc->>'orderId'), id);
CREATE INDEX order_notes_kind ON order_notes ((doc->>'kind'), id);
CREATE INDEX order_notes_pinned_at ON order_notes ((rtrim(coalesce(doc->>'pinnedAt', ''), 'Z')), id);
CREATE INDEX order_notes_order_id_pinned_at ON order_notes ((doc->>'orderId'), (rtrim(coalesce(doc->>'pinnedAt', ''), 'Z')), id);
