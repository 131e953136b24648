-- Workers have new names. Each goes on where it was under the former name. The former cursors stay: during an upgrade,
-- the program before runs beside this one.

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'identity.deliver_notices', clock, epoch FROM worker_cursor WHERE worker = 'identity.notices';
UPDATE worker_aside SET worker = 'identity.deliver_notices' WHERE worker = 'identity.notices';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'identity.deliver_invitation_notices', clock, epoch FROM worker_cursor WHERE worker = 'identity.invitation_notices';
UPDATE worker_aside SET worker = 'identity.deliver_invitation_notices' WHERE worker = 'identity.invitation_notices';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'identity.prepare_password_resets', clock, epoch FROM worker_cursor WHERE worker = 'identity.password_resets';
UPDATE worker_aside SET worker = 'identity.prepare_password_resets' WHERE worker = 'identity.password_resets';

INSERT INTO worker_cursor (worker, clock, epoch)
SELECT 'identity.merge_names', clock, epoch FROM worker_cursor WHERE worker = 'identity.merge';
UPDATE worker_aside SET worker = 'identity.merge_names' WHERE worker = 'identity.merge';
