-- Subscriptions are found by the day on which they end by themselves.

CREATE TABLE subscriptions_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (name, value, id)
);
CREATE INDEX subscriptions_lookup_id ON subscriptions_lookup (id);
CREATE INDEX subscriptions_lookup_prefix ON subscriptions_lookup (name, value COLLATE "C", id);

-- Ends that were asked for before there was such a day.
INSERT INTO subscriptions_lookup (name, value, id)
SELECT 'due_to_end_on', to_char(min(day), 'YYYY-MM-DD'), id
FROM (
    SELECT (doc->>'paidToDate')::date + 1 AS day, id FROM subscriptions WHERE status = 'PENDING_CANCEL'
    UNION ALL
    SELECT (doc->>'scheduledCancelOn')::date, id FROM subscriptions WHERE status <> 'CANCELLED'
) AS endings
WHERE day IS NOT NULL
GROUP BY id;
