import { forbidden, PipitError } from '../../core/errors.js';
import type { User } from '../../core/user.js';
import { AlreadyExists } from '../../database/errors.js';
import type { Engine } from '../../database/engine.js';
import { findInvitation, useInvitation } from '../../stores/invitations.js';
import { findUserIds } from '../../stores/users.js';
import { hashPassword, hashToken } from '../secrets/secrets.js';
import { fault, nameFaults, passwordFaults, refuseFaults, usernameFaults } from './account-rules.js';
import type { ProvenPassword } from './authority.js';
import { createAccount, type CreateAccountDeps } from './create-account.js';

/** Who may create an account: operators only, people whom an operator invited, or everybody. */
type SignUpMode = 'closed' | 'invitation' | 'open';

export interface NewPerson {
  readonly username: string;
  /** The username when empty. */
  readonly name: string;
  readonly password: string;
  /** The code of an invitation, where one is needed. */
  readonly invitation: string;
}

export interface SignUpService {
  readonly mode: SignUpMode;
  /** True when somebody with this code of an invitation may make an account. */
  isOpenTo(invitation: string): Promise<boolean>;
  /**
   * Makes an account for who is not known yet, and uses the invitation up; resolves to what a session begins with. Throws `forbidden` where that is not open to
   * them, `invalid-request` with every fault by field: `username`, `name`, `password`.
   */
  signUp(person: NewPerson): Promise<ProvenPassword>;
}

export interface SignUpDeps extends CreateAccountDeps {
  readonly engine: Engine;
  readonly mode: SignUpMode;
}

export function createSignUpService(deps: SignUpDeps): SignUpService {
  const { engine, clock, mode } = deps;
  const isOpenTo = async (invitation: string): Promise<boolean> => {
    if (mode !== 'invitation') return mode === 'open';
    return (await findInvitation(engine, hashToken(invitation), clock())) !== undefined;
  };
  return {
    mode,
    isOpenTo,
    signUp: async (person) => {
      // Asked first, as hashing a password is work that strangers must not be able to order.
      if (!(await isOpenTo(person.invitation))) throw notOpen();
      const username = person.username.trim().replace(/^@/, '');
      const name = person.name.trim() || username;
      refuseFaults([
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
    // Somebody took the name while the password was hashed.
    const isTaken = error instanceof PipitError && error.failure.code === 'conflict';
    throw isTaken || error instanceof AlreadyExists ? taken(username) : error;
  }
}

function taken(username: string): PipitError {
  const violations = [fault('username', [username], `The username @${username} is taken.`)];
  return new PipitError({ code: 'invalid-request', violations });
}

function notOpen(): PipitError {
  return forbidden('Accounts cannot be made here, or not with this invitation.');
}
