import type { Queryable } from '../../database/engine.js';
import { listRulesOfAllApps } from '../../stores/stream-rules.js';
import { entryOf, timeBeside, type Entry } from './entry.js';

/** Returns the rules of filtered streams whose apps are exported, oldest first. */
export async function exportStreamRules(db: Queryable, hasApp: (id: bigint) => boolean): Promise<Entry[]> {
  return (await listRulesOfAllApps(db))
    .filter(({ appId }) => hasApp(appId))
    .map(({ id, appId, value, tag, createdAtMs }) =>
      entryOf({ id: String(id), app: String(appId), value, tag, created_at: timeBeside(id, createdAtMs) }),
    );
}
