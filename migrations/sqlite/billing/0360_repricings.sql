-- New prices of running subscriptions in bulk, with a row for each subscription. Subscriptions by offer and by product.

CREATE INDEX subscriptions_offer_id ON subscriptions ((doc->>'offerId'), id);

INSERT INTO subscriptions_lookup (name, value, id)
SELECT DISTINCT 'items.product_id', item.value->>'productId', subscriptions.id
FROM subscriptions, json_each(subscriptions.doc, '$.items') AS item
WHERE item.value->>'productId' <> '';

CREATE TABLE repricings (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX repricings_owner ON repricings (owner_id, id);

CREATE TABLE repricing_rows (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX repricing_rows_owner ON repricing_rows (owner_id, id);
CREATE INDEX repricing_rows_repricing_id ON repricing_rows ((doc->>'repricingId'), id);
CREATE INDEX repricing_rows_status_repricing_id ON repricing_rows (status, (doc->>'repricingId'), id);
CREATE INDEX repricing_rows_status ON repricing_rows (status, id);

CREATE TABLE repricings_journal (
    clock INTEGER PRIMARY KEY,
    action TEXT NOT NULL,
    entity_table TEXT NOT NULL,
    entity_id TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    subject TEXT NOT NULL,
    request_id TEXT NOT NULL,
    removed BOOLEAN NOT NULL,
    doc TEXT NOT NULL
);
CREATE INDEX repricings_journal_entity ON repricings_journal (entity_id, clock);

CREATE TABLE repricings_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX repricings_idempotency_at ON repricings_idempotency (at);
