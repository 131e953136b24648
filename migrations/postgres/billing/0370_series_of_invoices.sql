-- Numbers of invoices are counted in the journal of invoices alone. Bills of periods were counted in that of subscriptions: the
-- count goes on after the higher one.

INSERT INTO journal_series (journal, series, last)
SELECT 'invoices', series, max(last) FROM journal_series
WHERE journal IN ('invoices', 'subscriptions') AND series LIKE 'INV-%' GROUP BY series
ON CONFLICT (journal, series) DO UPDATE SET last = excluded.last;
DELETE FROM journal_series WHERE journal = 'subscriptions' AND series LIKE 'INV-%';
