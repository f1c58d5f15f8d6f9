import type { Queryable } from '../database/engine.js';
import { asId, asOptionalText, asText } from '../database/sql.js';
import { defineTable } from '../database/table.js';

/** What the operators say about their server. */
export interface Instance {
  readonly name: string;
  readonly description: string;
  /** Changes with the logo; absent without one. */
  readonly logoTag?: string;
}

/** The id of the only row. */
const ONLY = 1n;

const INSTANCE = defineTable<Instance & { readonly id: bigint }, bigint>('instance', 'id', {
  id: ['id', asId],
  name: ['name', asText],
  description: ['description', asText],
  logoTag: ['logo_tag', asOptionalText],
});

/** Returns what the operators said; undefined before. */
export function findInstance(db: Queryable): Promise<Instance | undefined> {
  return INSTANCE.find(db, ONLY);
}
