import type { AppId, UserId } from './ids.js';
import type { Scope } from './scope.js';

/** What an app may do for its users; OAuth 1.0a tokens keep that of the day of their issue (docs/api/authentication.md#permissions). */
export const PERMISSIONS = ['read', 'read_write', 'read_write_dm'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const ACCESS_LEVELS = ['essential', 'elevated', 'basic'] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

export const TRACKS = ['standard', 'academic_research'] as const;
export type Track = (typeof TRACKS)[number];

/** The three credential forms (docs/api/authentication.md#credentials). */
export const CONTEXTS = ['app', 'oauth1', 'oauth2'] as const;
export type Context = (typeof CONTEXTS)[number];

/** The app that a request comes from, as far as guards need it. */
export interface AppAccess {
  readonly id: AppId;
  readonly name: string;
  readonly clientId: string;
  readonly accessLevel: AccessLevel;
  readonly track: Track;
  readonly permissions: Permission;
}

/** Who sends a request: an app, and in the user contexts a user who let it act. */
export type Principal =
  | { readonly context: 'app'; readonly app: AppAccess }
  | {
      readonly context: 'oauth1';
      readonly app: AppAccess;
      readonly userId: UserId;
      /** What both the token and its app may do (docs/api/authentication.md#permissions). */
      readonly permission: Permission;
    }
  | {
      readonly context: 'oauth2';
      readonly app: AppAccess;
      readonly userId: UserId;
      /** What both the token and its app may do, whatever the scopes say (docs/api/authentication.md#permissions). */
      readonly permission: Permission;
      readonly scopes: ReadonlySet<Scope>;
    };

export type UserPrincipal = Exclude<Principal, { context: 'app' }>;

const RANK: Readonly<Record<Permission, number>> = { read: 0, read_write: 1, read_write_dm: 2 };

/** True when what holds `held` may do what needs `needed`. */
export function permits(held: Permission, needed: Permission): boolean {
  return RANK[held] >= RANK[needed];
}

/** What is allowed where two permissions must both hold. */
export function lesserPermission(one: Permission, other: Permission): Permission {
  return permits(one, other) ? other : one;
}
