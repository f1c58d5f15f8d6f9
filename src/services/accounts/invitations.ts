import type { UserId } from '../../core/ids.js';
import {
  deleteInvitation,
  findInvitation,
  insertInvitation,
  listInvitations,
  type Invitation,
} from '../../stores/invitations.js';
import { generate, hashToken } from '../secrets/secrets.js';
import { recordAction } from '../audit/record-action.js';
import { asOperator } from './authority.js';
import type { AccountDeps } from './account-deps.js';

const INVITATION_LIFETIME_MS = 14 * 24 * 3_600_000;
export const MAX_NOTE_LENGTH = 100;

type Deps = Pick<AccountDeps, 'engine' | 'clock' | 'ids'>;

/**
 * Creates an invitation for one account and resolves to its code, which is stored only as a hash. It is valid only
 * while its creator is an operator. `note` names the invitee. Throws `forbidden` unless the user is an operator.
 */
export async function invite(deps: Deps, operatorId: UserId, note: string): Promise<string> {
  const code = generate.sessionToken();
  const createdAtMs = deps.clock();
  const invitation: Invitation = {
    codeHash: hashToken(code),
    note: note.trim().slice(0, MAX_NOTE_LENGTH),
    createdBy: operatorId,
    createdAtMs,
    expiresAtMs: createdAtMs + INVITATION_LIFETIME_MS,
  };
  await asOperator(deps, operatorId, 'invite', async (tx) => {
    await insertInvitation(tx, invitation);
    const target = targetOf(invitation);
    await recordAction(tx, deps, operatorId, { action: 'invitation.create', target });
  });
  return code;
}

/** Lists the unused invitations, newest first. */
export function openInvitations({ engine, clock }: Pick<Deps, 'engine' | 'clock'>): Promise<Invitation[]> {
  return listInvitations(engine, clock());
}

/** Withdraws an invitation by its hash. Returns false when it is unknown or used. Throws as `invite` does. */
export function withdrawInvitation(deps: Deps, operatorId: UserId, codeHash: string): Promise<boolean> {
  return asOperator(deps, operatorId, 'withdraw invitation', async (tx) => {
    const invitation = await findInvitation(tx, codeHash, deps.clock());
    const isThere = await deleteInvitation(tx, codeHash);
    if (isThere) {
      const target = targetOf(invitation);
      await recordAction(tx, deps, operatorId, { action: 'invitation.withdraw', target });
    }
    return isThere;
  });
}

function targetOf(invitation: Pick<Invitation, 'note'> | undefined) {
  return { kind: 'invitation', name: invitation?.note ?? '' } as const;
}

/** Returns the path of the page where an invitation is used. */
export function invitationPath(code: string): string {
  return `/sign-up?${new URLSearchParams({ invitation: code }).toString()}`;
}
