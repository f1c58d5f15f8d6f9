import type { Queryable, Tx } from '../database/engine.js';
import { asId, asOptionalText, asText, sql } from '../database/sql.js';
import { defineTable, rowChange } from '../database/table.js';

/** What the operators say about their server. */
export interface Instance {
  readonly name: string;
  readonly description: string;
  /** Changes with the logo; absent without one. */
  readonly logoTag?: string;
}

/** The logo of a server. */
export interface Logo {
  readonly bytes: Buffer;
  readonly type: string;
  readonly tag: string;
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

const overwriteWords = INSTANCE.updater('name', 'description');

/** Stores the name and the description. */
export async function saveInstance(tx: Tx, words: Omit<Instance, 'logoTag'>): Promise<void> {
  if (!(await overwriteWords(tx, ONLY, words))) await INSTANCE.insertNew(tx, { id: ONLY, ...words });
}

const overwriteLogo = rowChange<[logo: string | null, type: string | null, tag: string | null, id: bigint]>(
  'UPDATE instance SET logo = ?, logo_type = ?, logo_tag = ? WHERE id = ?',
);

/** Stores the logo, or removes it. Call `saveInstance` before. */
export function saveLogo(tx: Tx, logo: Logo | undefined): Promise<boolean> {
  return overwriteLogo(
    tx,
    logo === undefined ? null : logo.bytes.toString('base64'),
    logo?.type ?? null,
    logo?.tag ?? null,
    ONLY,
  );
}

/** Returns the logo; undefined without one. */
export async function findLogo(db: Queryable): Promise<Logo | undefined> {
  const row = await db.get(sql`SELECT logo, logo_type, logo_tag FROM instance WHERE id = ${ONLY}`);
  const [logo, type, tag] = [row?.logo, row?.logo_type, row?.logo_tag].map(asOptionalText);
  if (logo === undefined || type === undefined || tag === undefined) return undefined;
  return { bytes: Buffer.from(logo, 'base64'), type, tag };
}
