import type { Queryable } from '../../database/engine.js';
import { pageAuditLog } from '../../stores/audit-log.js';
import type { SignUpService } from '../accounts/sign-up.js';
import type { ServiceDeps } from '../service-deps.js';
import { recordAction } from './record-action.js';

/** The sign-up setting of a server that has recorded none. */
const DEFAULT_MODE = 'closed';

/** Adds an entry to the audit log if a server starts with another `--sign-up` than the last one. */
export async function recordSignUp(
  deps: Pick<ServiceDeps, 'engine' | 'ids' | 'clock'>,
  mode: SignUpService['mode'],
): Promise<void> {
  if ((await lastMode(deps.engine)) === mode) return;
  await deps.engine.tx('record sign-up', async (tx) => {
    // Several processes may start at once.
    if ((await lastMode(tx)) === mode) return;
    const target = { kind: 'server', name: '' } as const;
    await recordAction(tx, deps, undefined, { action: 'settings.sign_up', target, detail: mode });
  });
}

async function lastMode(db: Queryable): Promise<string> {
  const { items } = await pageAuditLog(db, { action: 'settings.sign_up' }, { limit: 1 });
  return items[0]?.detail ?? DEFAULT_MODE;
}
