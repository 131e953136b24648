-- Counts that all processes share, for rate limits.
CREATE TABLE shared_count (
    key TEXT PRIMARY KEY,
    count BIGINT NOT NULL,
    added_at BIGINT NOT NULL,
    forget_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX shared_count_forget ON shared_count (forget_at);
