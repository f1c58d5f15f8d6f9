import type { UserId } from '../../core/ids.js';
import type { User } from '../../core/user.js';
import type { Engine, Tx } from '../../database/engine.js';
import { operatorsAmong } from '../../stores/operators.js';
import { lockUsers } from '../../stores/locks.js';
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
import type { AccountDeps } from './account-deps.js';

const DAY_MS = 24 * 3_600_000;

/** Sessions expire after this time without use. */
export const SESSION_LIFETIME_MS = 30 * DAY_MS;

/** Limits how often a session's expiry is written. */
const RENEWED_AFTER_MS = DAY_MS;

/** The maximum number of sessions per account; a new one replaces the least recently used. */
export const MAX_SESSIONS = 50;

const MAX_USER_AGENT_LENGTH = 300;

/** The user of a browser session. */
export interface SignedIn {
  readonly user: User;
  readonly session: WebSession;
  /** True when the user is an operator. */
  readonly isOperator: boolean;
  /** True when the session was just extended; its cookie must be extended too. */
  readonly isRenewed: boolean;
}

/** Browser sessions (SECURITY.md). */
export type WebSessionService = ReturnType<typeof createWebSessionService>;

type WebSessionDeps = Pick<AccountDeps, 'engine' | 'clock'>;

export function createWebSessionService({ engine, clock }: WebSessionDeps) {
  const start = async (userId: UserId, proof?: ProvenPassword, userAgent?: string) => {
    const { token, session } = newSession(userId, clock(), userAgent);
    const isStarted = await engine.tx('start session', (tx) => startSession(tx, session, proof));
    return isStarted ? token : undefined;
  };
  return {
    /**
     * Starts a session and resolves to its token, which is stored only as a hash. Resolves to undefined when the
     * password has changed since it was verified, or the account is hidden. Above `MAX_SESSIONS`, the least recently
     * used sessions end.
     */
    start: (proof: ProvenPassword, userAgent?: string) => start(proof.userId, proof, userAgent),
    /** Starts a session without a password, for servers of tests only. See `start`. */
    startUnproven: (userId: UserId) => start(userId),
    /**
     * Returns the signed-in user for a cookie's token. Returns undefined for an unknown or expired session and for
     * suspended or deleted users.
     */
    find: async (token: string) => {
      const nowMs = clock();
      const session = await findWebSession(engine, hashToken(token));
      if (!session || session.expiresAtMs <= nowMs) return undefined;
      const user = await findUser(engine, session.userId);
      if (!user || user.suspended) return undefined;
      const isRenewed = await renewWhenDue(engine, session, nowMs);
      const isOperator = (await operatorsAmong(engine, [user.id])).has(user.id);
      return { user, session, isOperator, isRenewed };
    },
    /** Reports whether a session, which was found earlier, still signs its user in. */
    lasts: async ({ tokenHash }: WebSession): Promise<boolean> => {
      const session = await findWebSession(engine, tokenHash);
      if (!session || session.expiresAtMs <= clock()) return false;
      return (await findUser(engine, session.userId))?.suspended === false;
    },
    /** Ends the session with this token. Idempotent. */
    end: async (token: string) => {
      await engine.tx('end session', (tx) => deleteWebSession(tx, hashToken(token)));
    },
    /** Ends a user's session by its hash; returns false when the user has no such session. */
    endByHash: (userId: UserId, tokenHash: string) =>
      engine.tx('end session', async (tx) => {
        const session = await findWebSession(tx, tokenHash);
        return session?.userId === userId && deleteWebSession(tx, tokenHash);
      }),
    /** Ends all sessions of a user except the one with the hash `keptHash`. */
    endAll: async (userId: UserId, keptHash?: string) => {
      await engine.tx('end sessions', (tx) => deleteWebSessionsOf(tx, userId, keptHash));
    },
    /** Lists a user's unexpired sessions, newest first. */
    list: async (userId: UserId) => {
      const sessions = await listWebSessions(engine, userId);
      return sessions.filter(({ expiresAtMs }) => expiresAtMs > clock());
    },
  };
}

function newSession(userId: UserId, nowMs: number, userAgent?: string) {
  const token = generate.sessionToken();
  const session: WebSession = {
    tokenHash: hashToken(token),
    userId,
    createdAtMs: nowMs,
    seenAtMs: nowMs,
    expiresAtMs: nowMs + SESSION_LIFETIME_MS,
    userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH),
  };
  return { token, session };
}

/** The user's lock serializes this with changes of password and suspensions. Without `proof` none is needed. */
async function startSession(tx: Tx, session: WebSession, proof?: ProvenPassword): Promise<boolean> {
  await lockUsers(tx, [session.userId]);
  const user = await findUser(tx, session.userId);
  if (user?.suspended !== false) return false;
  if (proof && !(await isStillProven(tx, proof))) return false;
  const others = await listWebSessions(tx, session.userId);
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
