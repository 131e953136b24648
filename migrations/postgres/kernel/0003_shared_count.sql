-- Counts that all processes share, for rate limits. A crash of the server empties the table.
CREATE UNLOGGED TABLE shared_count (
    key TEXT PRIMARY KEY,
    count BIGINT NOT NULL,
    added_at BIGINT NOT NULL,
    forget_at BIGINT NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX shared_count_forget ON shared_count (forget_at);
