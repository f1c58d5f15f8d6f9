import type { AppId, StreamRuleId } from '../core/ids.js';
import type { StreamRule } from '../core/stream-rule.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asNumber, asOptionalText, asText, list, sql } from '../database/sql.js';
import { countQuery, defineTable, deleteBy } from '../database/table.js';

const RULES = defineTable<StreamRule, StreamRuleId>('stream_rules', 'id', {
  id: ['id', asId],
  appId: ['app_id', asId],
  value: ['value', asText],
  tag: ['tag', asOptionalText],
  createdAtMs: ['created_at', asNumber],
});

export const findStreamRule = RULES.find;

/** Returns all rules of all apps, oldest first. */
export function listRulesOfAllApps(db: Queryable): Promise<StreamRule[]> {
  return RULES.list(db, sql`1 = 1 ORDER BY id`);
}

/** Returns up to `limit` rules of the app with ids above `above`, oldest first. */
export function listStreamRules(
  db: Queryable,
  appId: AppId,
  above: bigint,
  limit: number,
): Promise<StreamRule[]> {
  return RULES.list(db, sql`app_id = ${appId} AND id > ${above} ORDER BY id LIMIT ${limit}`);
}

/** Returns all rules of the app, oldest first. */
export function listAllStreamRules(db: Queryable, appId: AppId): Promise<StreamRule[]> {
  return RULES.list(db, sql`app_id = ${appId} ORDER BY id`);
}

export const insertStreamRules = RULES.insertAll;

/** Deletes rules by their ids. */
export async function deleteStreamRules(tx: Tx, ids: readonly StreamRuleId[]): Promise<void> {
  if (ids.length > 0) await tx.run(sql`DELETE FROM stream_rules WHERE id IN ${list(ids)}`);
}

/** Deletes all rules of an app. */
export const deleteStreamRulesOf = deleteBy<AppId>('app_id', 'stream_rules');

export const countStreamRules = countQuery<[AppId]>('stream_rules WHERE app_id = ?');
