-- New prices of running subscriptions in bulk, with a row for each subscription. Subscriptions by offer and by product.

CREATE INDEX subscriptions_offer_id ON subscriptions ((doc->>'offerId'), id);

INSERT INTO subscriptions_lookup (name, value, id)
SELECT DISTINCT 'items.product_id', item->>'productId', subscriptions.id
FROM subscriptions, jsonb_array_elements(coalesce(subscriptions.doc->'items', '[]')) AS item
WHERE item->>'productId' <> '';

CREATE TABLE repricings (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX repricings_owner ON repricings (owner_id, id);

CREATE TABLE repricing_rows (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX repricing_rows_owner ON repricing_rows (owner_id, id);
CREATE INDEX repricing_rows_repricing_id ON repricing_rows ((doc->>'repricingId'), id);
CREATE INDEX repricing_rows_status_repricing_id ON repricing_rows (status, (doc->>'repricingId'), id);
CREATE INDEX repricing_rows_status ON repricing_rows (status, id);

CREATE TABLE repricings_journal (
    clock BIGINT PRIMARY KEY,
    action TEXT NOT NULL,
    entity_table TEXT NOT NULL,
    entity_id TEXT COLLATE "C" NOT NULL,
    owner_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    subject TEXT NOT NULL,
    request_id TEXT NOT NULL,
    removed BOOLEAN NOT NULL,
    doc JSONB NOT NULL
);
CREATE INDEX repricings_journal_entity ON repricings_journal (entity_id, clock);

CREATE TABLE repricings_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX repricings_idempotency_at ON repricings_idempotency (at);
