-- Workers have new names. Each goes on where it was under the former name. The former cursors stay: during an upgrade,
-- the program before runs beside this one.

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'orders.sell_offers', clock, epoch FROM worker_cursor WHERE worker = 'orders.sale';
UPDATE worker_aside SET worker = 'orders.sell_offers' WHERE worker = 'orders.sale';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'orders.request_provisions', clock, epoch FROM worker_cursor WHERE worker = 'orders.fulfillment';
UPDATE worker_aside SET worker = 'orders.request_provisions' WHERE worker = 'orders.fulfillment';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'orders.record_provisions', clock, epoch FROM worker_cursor WHERE worker = 'orders.provisioned';
UPDATE worker_aside SET worker = 'orders.record_provisions' WHERE worker = 'orders.provisioned';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'orders.copy_display_names', clock, epoch FROM worker_cursor WHERE worker = 'orders.display_names';
UPDATE worker_aside SET worker = 'orders.copy_display_names' WHERE worker = 'orders.display_names';
