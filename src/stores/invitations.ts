import type { UserId } from '../core/ids.js';
import { asId, asNumber, asText } from '../database/decode.js';
import type { Queryable, Row, Tx } from '../database/engine.js';
import { isActiveOperator } from './operators.js';
import { rawSql, sql, type Sql } from '../database/sql.js';

/** Lets one person make an account. */
export interface Invitation {
  /** SHA-256 of the code: names the invitation without being of use to a thief. */
  readonly codeHash: string;
  /** For whom it is, in the words of who made it. */
  readonly note: string;
  readonly createdBy: UserId;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** It is not used, has not expired, and whoever made it is still an operator. */
const canBeUsed = (nowMs: number): Sql =>
  sql`used_by IS NULL AND expires_at > ${nowMs} AND ${isActiveOperator(rawSql('created_by'))}`;

export async function insertInvitation(tx: Tx, invitation: Invitation): Promise<void> {
  await tx.run(sql`
    INSERT INTO invitations (code_hash, note, created_by, created_at, expires_at)
    VALUES (${invitation.codeHash}, ${invitation.note}, ${invitation.createdBy}, ${invitation.createdAtMs},
      ${invitation.expiresAtMs})`);
}

/** The invitation with this hash, if it can still be used. */
export async function findInvitation(
  db: Queryable,
  codeHash: string,
  nowMs: number,
): Promise<Invitation | undefined> {
  const row = await db.get(sql`
    SELECT * FROM invitations WHERE code_hash = ${codeHash} AND ${canBeUsed(nowMs)}`);
  return row && decodeInvitation(row);
}

/** Those that can still be used, the newest first. */
export async function listInvitations(db: Queryable, nowMs: number): Promise<Invitation[]> {
  const rows = await db.all(sql`
    SELECT * FROM invitations WHERE ${canBeUsed(nowMs)}
    ORDER BY created_at DESC, code_hash`);
  return rows.map(decodeInvitation);
}

/** Uses an invitation up; false when it was used before, expired, withdrawn, or made by who is no operator now. */
export async function useInvitation(
  tx: Tx,
  codeHash: string,
  userId: UserId,
  nowMs: number,
): Promise<boolean> {
  const used = await tx.run(sql`
    UPDATE invitations SET used_by = ${userId}
    WHERE code_hash = ${codeHash} AND ${canBeUsed(nowMs)}`);
  return used === 1;
}

/** False when there is none that is not used. */
export async function deleteInvitation(tx: Tx, codeHash: string): Promise<boolean> {
  return (await tx.run(sql`DELETE FROM invitations WHERE code_hash = ${codeHash} AND used_by IS NULL`)) === 1;
}

function decodeInvitation(row: Row): Invitation {
  return {
    codeHash: asText(row.code_hash),
    note: asText(row.note),
    createdBy: asId(row.created_by),
    createdAtMs: asNumber(row.created_at),
    expiresAtMs: asNumber(row.expires_at),
  };
}
