import type { UserId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import { isActiveOperator } from './operators.js';
import { asId, asNumber, asText, rawSql, sql, type Sql } from '../database/sql.js';
import { defineTable } from '../database/table.js';

/** Allows one person to create an account. */
export interface Invitation {
  /** SHA-256 of the code: identifies the invitation but cannot be used to redeem it. */
  readonly codeHash: string;
  /** The operator's note on who the invitation is for. */
  readonly note: string;
  readonly createdBy: UserId;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** A condition: the invitation is unused, not expired, and its creator is still an operator. */
const canBeUsed = (nowMs: number): Sql =>
  sql`used_by IS NULL AND expires_at > ${nowMs} AND ${isActiveOperator(rawSql('created_by'))}`;

const INVITATIONS = defineTable<Invitation, string>('invitations', 'codeHash', {
  codeHash: ['code_hash', asText],
  note: ['note', asText],
  createdBy: ['created_by', asId],
  createdAtMs: ['created_at', asNumber],
  expiresAtMs: ['expires_at', asNumber],
});

export const insertInvitation = INVITATIONS.insert;

/** Returns the invitation with this hash if it can still be used. */
export async function findInvitation(
  db: Queryable,
  codeHash: string,
  nowMs: number,
): Promise<Invitation | undefined> {
  return (await INVITATIONS.list(db, sql`code_hash = ${codeHash} AND ${canBeUsed(nowMs)}`))[0];
}

/** Returns the invitations that can still be used, newest first. */
export function listInvitations(db: Queryable, nowMs: number): Promise<Invitation[]> {
  return INVITATIONS.list(db, sql`${canBeUsed(nowMs)} ORDER BY created_at DESC, code_hash`);
}

/**
 * Redeems an invitation. Returns false if it was used before, expired, withdrawn, or its creator is no longer an
 * operator.
 */
export function useInvitation(tx: Tx, codeHash: string, userId: UserId, nowMs: number): Promise<boolean> {
  return tx.runOne(sql`
    UPDATE invitations SET used_by = ${userId}
    WHERE code_hash = ${codeHash} AND ${canBeUsed(nowMs)}`);
}

/** Deletes an unused invitation. Returns false if there is none. */
export function deleteInvitation(tx: Tx, codeHash: string): Promise<boolean> {
  return tx.runOne(sql`DELETE FROM invitations WHERE code_hash = ${codeHash} AND used_by IS NULL`);
}
