-- Payment methods, their transactions and their journal.

CREATE TABLE payment_methods (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX payment_methods_owner ON payment_methods (owner_id, id);
CREATE INDEX payment_methods_group_id ON payment_methods ((doc->>'groupId'), id);
CREATE INDEX payment_methods_vendor_token ON payment_methods ((doc->>'vendorToken'), id);

CREATE TABLE transactions (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX transactions_owner ON transactions (owner_id, id);
CREATE INDEX transactions_status ON transactions (status, id);
CREATE INDEX transactions_payment_method_id ON transactions ((doc->>'paymentMethodId'), id);
CREATE INDEX transactions_order_id ON transactions ((doc->>'orderId'), id);
CREATE INDEX transactions_invoice_id ON transactions ((doc->>'invoiceId'), id);
CREATE INDEX transactions_reference ON transactions ((doc->>'reference'), id);
CREATE UNIQUE INDEX transactions_request_key ON transactions ((doc->>'requestKey'));

CREATE TABLE payment_methods_journal (
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
CREATE INDEX payment_methods_journal_entity ON payment_methods_journal (entity_id, clock);

CREATE TABLE payment_methods_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX payment_methods_idempotency_at ON payment_methods_idempotency (at);

-- Invoices and their journal.

CREATE TABLE invoices (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX invoices_owner ON invoices (owner_id, id);
CREATE INDEX invoices_order_id ON invoices ((doc->>'orderId'), id);
CREATE INDEX invoices_subscription_id ON invoices ((doc->>'subscriptionId'), id);

CREATE TABLE invoices_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (name, value, id)
);
CREATE INDEX invoices_lookup_id ON invoices_lookup (id);
CREATE UNIQUE INDEX invoices_transaction_ids ON invoices_lookup (value) WHERE name = 'transaction_ids';

CREATE TABLE invoices_journal (
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
CREATE INDEX invoices_journal_entity ON invoices_journal (entity_id, clock);

CREATE TABLE invoices_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX invoices_idempotency_at ON invoices_idempotency (at);

-- Subscriptions and their journal.

CREATE TABLE subscriptions (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX subscriptions_owner ON subscriptions (owner_id, id);
CREATE INDEX subscriptions_group_id ON subscriptions ((doc->>'groupId'), id);
CREATE INDEX subscriptions_order_id ON subscriptions ((doc->>'orderId'), id);
CREATE INDEX subscriptions_order_offer_id ON subscriptions ((doc->>'orderOfferId'), id);

CREATE TABLE subscriptions_journal (
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
CREATE INDEX subscriptions_journal_entity ON subscriptions_journal (entity_id, clock);

CREATE TABLE subscriptions_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX subscriptions_idempotency_at ON subscriptions_idempotency (at);

-- The test vendor's ledger and its journal.

CREATE TABLE test_vendor_entries (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX test_vendor_entries_owner ON test_vendor_entries (owner_id, id);
CREATE UNIQUE INDEX test_vendor_entries_reference ON test_vendor_entries ((doc->>'reference'));

CREATE TABLE test_vendor_journal (
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
CREATE INDEX test_vendor_journal_entity ON test_vendor_journal (entity_id, clock);

CREATE TABLE test_vendor_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX test_vendor_idempotency_at ON test_vendor_idempotency (at);
