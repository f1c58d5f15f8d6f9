import { forbidden, PipitError, conflict, invalidRequest, refuseViolations } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import { timeOfId } from '../../core/snowflake.js';
import type { User } from '../../core/user.js';
import { AlreadyExists } from '../../database/errors.js';
import type { Tx } from '../../database/engine.js';
import { findInvitation, useInvitation } from '../../stores/invitations.js';
import { startProtectedPeriod } from '../../stores/protected-periods.js';
import { findUserIds, insertUser } from '../../stores/users.js';
import { hashPassword, hashToken } from '../secrets/secrets.js';
import type { AccountDeps } from './account-deps.js';
import { nameFaults, passwordFaults, usernameFaults } from './account-rules.js';

/** Who may sign up: no one, users with an invitation, or everyone. */
type SignUpMode = 'closed' | 'invitation' | 'open';

export interface NewPerson {
  readonly username: string;
  /** Default when empty: the username. */
  readonly name: string;
  readonly password: string;
  /** The invitation code, if one is required. */
  readonly invitation: string;
}

export type SignUpService = ReturnType<typeof createSignUpService>;

type SignUpDeps = Pick<AccountDeps, 'engine' | 'clock' | 'ids'> & { readonly mode: SignUpMode };

export function createSignUpService(deps: SignUpDeps) {
  const { engine, clock, mode } = deps;
  const isOpenTo = async (invitation: string): Promise<boolean> => {
    if (mode !== 'invitation') return mode === 'open';
    return (await findInvitation(engine, hashToken(invitation), clock())) !== undefined;
  };
  return {
    mode,
    /** Reports whether sign-up is possible with this invitation code. */
    isOpenTo,
    /**
     * Creates an account, consumes the invitation, and resolves to the proof for starting a session. Throws
     * `forbidden` when sign-up is not permitted, and `invalid-request` with all violations by field:
     * `username`, `name`, `password`.
     */
    signUp: async (person: NewPerson) => {
      // Checked before hashing, so that strangers cannot cause that work.
      if (!(await isOpenTo(person.invitation))) throw notOpen();
      const username = person.username.trim().replace(/^@/, '');
      const name = person.name.trim() || username;
      refuseViolations([
        ...usernameFaults(username),
        ...(name === username ? [] : nameFaults(name)),
        ...passwordFaults(person.password, username),
      ]);
      if ((await findUserIds(engine, [username])).size > 0) throw taken(username);
      const passwordHash = await hashPassword(person.password);
      const user = await store(deps, { username, name, passwordHash, invitation: person.invitation });
      return { userId: user.id, passwordHash };
    },
  };
}

interface CheckedPerson extends Omit<NewPerson, 'password'> {
  readonly passwordHash: string;
}

async function store(
  deps: SignUpDeps,
  { username, name, passwordHash, invitation }: CheckedPerson,
): Promise<User> {
  try {
    return await deps.engine.tx('sign up', async (tx) => {
      const user = await createAccount(deps, tx, { username, name, passwordHash, protected: false });
      if (deps.mode === 'invitation') {
        const isFirst = await useInvitation(tx, hashToken(invitation), user.id, deps.clock());
        if (!isFirst) throw notOpen();
      }
      return user;
    });
  } catch (error) {
    // The username was taken while the password was hashed.
    const isTaken = error instanceof PipitError && error.failure.code === 'conflict';
    throw isTaken || error instanceof AlreadyExists ? taken(username) : error;
  }
}

interface NewAccount {
  readonly username: string;
  readonly name: string;
  /** Without a password hash, no one can sign in. */
  readonly passwordHash?: string;
  readonly protected: boolean;
}

/** Creates an account. Throws `conflict` when the username is taken; usernames are case-insensitive. */
export async function createAccount(
  { ids, clock }: Pick<AccountDeps, 'ids' | 'clock'>,
  tx: Tx,
  { username, name, passwordHash, protected: isProtected }: NewAccount,
): Promise<User> {
  const id = ids.next<UserId>();
  const user: User = {
    id,
    username,
    name,
    createdAtMs: timeOfId(id) ?? clock(),
    description: '',
    protected: isProtected,
    verified: false,
    allowsPhotoTagging: true,
    receivesDms: 'following',
    suspended: false,
  };
  if ((await insertUser(tx, user, passwordHash)) !== 'inserted') {
    throw conflict(`The username @${username} is taken.`);
  }
  if (isProtected) await startProtectedPeriod(tx, id, user.createdAtMs);
  return user;
}

function taken(username: string): PipitError {
  return invalidRequest('username', [username], `The username @${username} is taken.`);
}

function notOpen(): PipitError {
  return forbidden('Sign-up is closed, or this invitation is not valid.');
}
