import type { Clock } from '../../core/clock.js';
import type { UserId } from '../../core/ids.js';
import type { User } from '../../core/user.js';
import type { Engine, Tx } from '../../database/engine.js';
import { operatorsAmong } from '../../stores/operators.js';
import { lockUsers } from '../../stores/user-locks.js';
import { findUser } from '../../stores/users.js';
import {
  deleteWebSession,
  deleteWebSessionsOf,
  findWebSession,
  insertWebSession,
  listWebSessions,
  renewWebSession,
  type WebSession,
} from '../../stores/web-sessions.js';
import { isStillProven, type ProvenPassword } from './authority.js';
import { generate, hashToken } from '../secrets/secrets.js';

const DAY_MS = 24 * 3_600_000;

/** A session ends when it was not used for so long. */
export const SESSION_LIFETIME_MS = 30 * DAY_MS;

/** Renewing at every request would write at every request. */
const RENEWED_AFTER_MS = DAY_MS;

/** So many sessions of one account are open at once; another ends the one that was used least recently. */
export const MAX_SESSIONS = 50;

const MAX_USER_AGENT_LENGTH = 300;

/** Whose browser it is. */
export interface SignedIn {
  readonly user: User;
  readonly session: WebSession;
  /** True for who runs the server. */
  readonly isOperator: boolean;
  /** True when the session was made to last longer just now, and its cookie should too. */
  readonly isRenewed: boolean;
}

/** Browser sessions (SECURITY.md). Writing methods join `tx` when they get one. */
export interface WebSessionService {
  /**
   * Begins a session; resolves to what its cookie holds, which is known to nobody else. Undefined when the password was
   * changed since it was checked, or the account is hidden by now. Above `MAX_SESSIONS` the oldest ones end.
   */
  start(proof: ProvenPassword, userAgent?: string): Promise<string | undefined>;
  /**
   * Who is signed in with this cookie. Undefined for an unknown, ended or expired session and for users who are
   * suspended or gone.
   */
  find(token: string): Promise<SignedIn | undefined>;
  /** Ends a session by what its cookie holds; one that is not there has ended already. */
  end(token: string): Promise<void>;
  /** Ends a user's session by its hash; false when this user has no such session. */
  endByHash(userId: UserId, tokenHash: string): Promise<boolean>;
  /** Ends a user's sessions but the one with the hash `keptHash`: after a change of password. */
  endAll(userId: UserId, keptHash?: string, tx?: Tx): Promise<void>;
  /** A user's sessions that have not expired, the newest first. */
  list(userId: UserId): Promise<WebSession[]>;
}

export interface WebSessionDeps {
  readonly engine: Engine;
  readonly clock: Clock;
}

export function createWebSessionService({ engine, clock }: WebSessionDeps): WebSessionService {
  const within = <T>(name: string, tx: Tx | undefined, body: (tx: Tx) => Promise<T>) =>
    tx ? body(tx) : engine.tx(name, body);
  return {
    start: async (proof, userAgent) => {
      const token = generate.sessionToken();
      const nowMs = clock();
      const session: WebSession = {
        tokenHash: hashToken(token),
        userId: proof.userId,
        createdAtMs: nowMs,
        seenAtMs: nowMs,
        expiresAtMs: nowMs + SESSION_LIFETIME_MS,
        userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH),
      };
      const isStarted = await engine.tx('start session', (tx) => startSession(tx, proof, session));
      return isStarted ? token : undefined;
    },
    find: async (token) => {
      const nowMs = clock();
      const session = await findWebSession(engine, hashToken(token));
      if (!session || session.expiresAtMs <= nowMs) return undefined;
      const user = await findUser(engine, session.userId);
      if (!user || user.suspended) return undefined;
      const isRenewed = await renewWhenDue(engine, session, nowMs);
      const isOperator = (await operatorsAmong(engine, [user.id])).has(user.id);
      return { user, session, isOperator, isRenewed };
    },
    end: async (token) => {
      await engine.tx('end session', (tx) => deleteWebSession(tx, hashToken(token)));
    },
    endByHash: (userId, tokenHash) =>
      engine.tx('end session', async (tx) => {
        const session = await findWebSession(tx, tokenHash);
        return session?.userId === userId && deleteWebSession(tx, tokenHash);
      }),
    endAll: async (userId, keptHash, tx) => {
      await within('end sessions', tx, (inner) => deleteWebSessionsOf(inner, userId, keptHash));
    },
    list: async (userId) => {
      const sessions = await listWebSessions(engine, userId);
      return sessions.filter(({ expiresAtMs }) => expiresAtMs > clock());
    },
  };
}

/** Decides under the user's lock, so that no change of the password and no suspension overlaps. */
async function startSession(tx: Tx, proof: ProvenPassword, session: WebSession): Promise<boolean> {
  await lockUsers(tx, [proof.userId]);
  const user = await findUser(tx, proof.userId);
  if (user?.suspended !== false || !(await isStillProven(tx, proof))) return false;
  const others = await listWebSessions(tx, proof.userId);
  others.sort((one, other) => other.seenAtMs - one.seenAtMs || other.createdAtMs - one.createdAtMs);
  for (const { tokenHash } of others.slice(MAX_SESSIONS - 1)) await deleteWebSession(tx, tokenHash);
  await insertWebSession(tx, session);
  return true;
}

function renewWhenDue(engine: Engine, session: WebSession, nowMs: number): Promise<boolean> {
  if (nowMs - session.seenAtMs < RENEWED_AFTER_MS) return Promise.resolve(false);
  const until = { seenAtMs: nowMs, expiresAtMs: nowMs + SESSION_LIFETIME_MS };
  return engine.tx('renew session', (tx) => renewWebSession(tx, session.tokenHash, until));
}
