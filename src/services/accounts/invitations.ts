import type { UserId } from '../../core/ids.js';
import {
  deleteInvitation,
  insertInvitation,
  listInvitations,
  type Invitation,
} from '../../stores/invitations.js';
import { generate, hashToken } from '../secrets/secrets.js';
import { asOperator } from './authority.js';
import type { AccountDeps } from './account-deps.js';

const INVITATION_LIFETIME_MS = 14 * 24 * 3_600_000;
export const MAX_NOTE_LENGTH = 100;

type Deps = Pick<AccountDeps, 'engine' | 'clock'>;

/**
 * Creates an invitation for one account and resolves to its code, which is stored only as a hash. It is valid only
 * while its creator is an operator. `note` names the invitee. Throws `forbidden` unless the user is an operator.
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

/** Lists the unused invitations, newest first. */
export function openInvitations({ engine, clock }: Deps): Promise<Invitation[]> {
  return listInvitations(engine, clock());
}

/** Withdraws an invitation by its hash. Returns false when it is unknown or used. Throws as `invite` does. */
export function withdrawInvitation(deps: Deps, operatorId: UserId, codeHash: string): Promise<boolean> {
  return asOperator(deps, operatorId, 'withdraw invitation', (tx) => deleteInvitation(tx, codeHash));
}

/** Returns the path of the page where an invitation is used. */
export function invitationPath(code: string): string {
  return `/sign-up?${new URLSearchParams({ invitation: code }).toString()}`;
}
