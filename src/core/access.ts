import type { AppId, UserId } from './ids.js';

/** OAuth 2.0 scopes (docs/api/authentication.md#scopes). */
export const SCOPES = [
  'tweet.read',
  'tweet.write',
  'tweet.moderate.write',
  'users.read',
  'users.email',
  'follows.read',
  'follows.write',
  'mute.read',
  'mute.write',
  'block.read',
  'block.write',
  'like.read',
  'like.write',
  'list.read',
  'list.write',
  'bookmark.read',
  'bookmark.write',
  'space.read',
  'dm.read',
  'dm.write',
  'media.write',
  'timeline.read',
  'offline.access',
] as const;
export type Scope = (typeof SCOPES)[number];

const KNOWN: ReadonlySet<string> = new Set(SCOPES);

/** Reports whether a text is a known scope. */
export function isScope(text: string): text is Scope {
  return KNOWN.has(text);
}

/**
 * The permissions of apps and OAuth 1.0a tokens. A token keeps the permission at its issue
 * (docs/api/authentication.md#permissions).
 */
export const PERMISSIONS = ['read', 'read_write', 'read_write_dm'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const ACCESS_LEVELS = ['essential', 'elevated', 'basic'] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

export const TRACKS = ['standard', 'academic_research'] as const;
export type Track = (typeof TRACKS)[number];

/** The three credential forms (docs/api/authentication.md#credentials). */
export const CONTEXTS = ['app', 'oauth1', 'oauth2'] as const;
export type Context = (typeof CONTEXTS)[number];

/** The fields of a request's app that access checks need. */
export interface AppAccess {
  readonly id: AppId;
  readonly name: string;
  readonly clientId: string;
  readonly accessLevel: AccessLevel;
  readonly track: Track;
  readonly permissions: Permission;
}

/** The sender of a request: an app and, in user contexts, the user that it acts for. */
export type Principal =
  | { readonly context: 'app'; readonly app: AppAccess }
  | {
      readonly context: 'oauth1';
      readonly app: AppAccess;
      readonly userId: UserId;
      /** The permission that both the token and its app have (docs/api/authentication.md#permissions). */
      readonly permission: Permission;
    }
  | {
      readonly context: 'oauth2';
      readonly app: AppAccess;
      readonly userId: UserId;
      /**
       * The permission that both the token and its app have; scopes limit it further
       * (docs/api/authentication.md#permissions).
       */
      readonly permission: Permission;
      readonly scopes: ReadonlySet<Scope>;
    };

export type UserPrincipal = Exclude<Principal, { context: 'app' }>;

const RANK: Readonly<Record<Permission, number>> = { read: 0, read_write: 1, read_write_dm: 2 };

/** Reports whether the permission `held` includes `needed`. */
export function permits(held: Permission, needed: Permission): boolean {
  return RANK[held] >= RANK[needed];
}

/** Returns the narrower of two permissions. */
export function narrowerPermission(one: Permission, other: Permission): Permission {
  return permits(one, other) ? other : one;
}
