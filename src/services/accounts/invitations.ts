import type { Clock } from '../../core/clock.js';
import type { UserId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import {
  deleteInvitation,
  insertInvitation,
  listInvitations,
  type Invitation,
} from '../../stores/invitations.js';
import { generate, hashToken } from '../secrets/secrets.js';
import { asOperator } from './authority.js';

const INVITATION_LIFETIME_MS = 14 * 24 * 3_600_000;
export const MAX_NOTE_LENGTH = 100;

interface Deps {
  readonly engine: Engine;
  readonly clock: Clock;
}

/**
 * Makes an invitation for one account, good as long as its maker is an operator; resolves to its code, which is known to
 * nobody else. `note` says for whom. Throws `forbidden` for who is no operator any more.
 */
export async function invite(deps: Deps, operatorId: UserId, note: string): Promise<string> {
  const code = generate.sessionToken();
  const createdAtMs = deps.clock();
  await asOperator(deps, operatorId, 'invite', (tx) =>
    insertInvitation(tx, {
      codeHash: hashToken(code),
      note: note.trim().slice(0, MAX_NOTE_LENGTH),
      createdBy: operatorId,
      createdAtMs,
      expiresAtMs: createdAtMs + INVITATION_LIFETIME_MS,
    }),
  );
  return code;
}

/** The invitations that can still be used, the newest first. */
export function openInvitations({ engine, clock }: Deps): Promise<Invitation[]> {
  return listInvitations(engine, clock());
}

/** Takes an invitation back by its hash; false when it was used, or is not there. Throws as `invite`. */
export function withdrawInvitation(deps: Deps, operatorId: UserId, codeHash: string): Promise<boolean> {
  return asOperator(deps, operatorId, 'withdraw invitation', (tx) => deleteInvitation(tx, codeHash));
}

/** Where who was invited makes the account. */
export function invitationPath(code: string): string {
  return `/sign-up?${new URLSearchParams({ invitation: code }).toString()}`;
}
