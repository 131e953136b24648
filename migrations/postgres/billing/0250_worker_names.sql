-- Workers have new names. Each goes on where it was under the former name. The former cursors stay: during an upgrade,
-- the program before runs beside this one.

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'billing.finish_payments', clock, epoch FROM worker_cursor WHERE worker = 'billing.settle';
UPDATE worker_aside SET worker = 'billing.finish_payments' WHERE worker = 'billing.settle';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'billing.post_payments', clock, epoch FROM worker_cursor WHERE worker = 'billing.post';
UPDATE worker_aside SET worker = 'billing.post_payments' WHERE worker = 'billing.post';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'billing.activate_after_settlement', clock, epoch FROM worker_cursor WHERE worker = 'billing.caught_up';
UPDATE worker_aside SET worker = 'billing.activate_after_settlement' WHERE worker = 'billing.caught_up';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'billing.activate_without_debt', clock, epoch FROM worker_cursor WHERE worker = 'billing.catching_up';
UPDATE worker_aside SET worker = 'billing.activate_without_debt' WHERE worker = 'billing.catching_up';
