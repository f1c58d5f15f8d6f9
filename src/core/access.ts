import type { AppId, UserId } from './ids.js';
import type { Scope } from './scope.js';

/** What an OAuth 1.0a token may do; copied from the app when the token is issued (reference/auth.md 2.3). */
export const PERMISSIONS = ['read', 'read_write', 'read_write_dm'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const ACCESS_LEVELS = ['essential', 'elevated', 'basic'] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

export const TRACKS = ['standard', 'academic_research'] as const;
export type Track = (typeof TRACKS)[number];

/** The three credential forms (specification section 5). */
export const CONTEXTS = ['app', 'oauth1', 'oauth2'] as const;
export type Context = (typeof CONTEXTS)[number];

/** The app that a request comes from, as far as guards need it. */
export interface AppAccess {
  readonly id: AppId;
  readonly name: string;
  readonly clientId: string;
  readonly accessLevel: AccessLevel;
  readonly track: Track;
}

/** Who sends a request: an app, and in the user contexts a user who let it act. */
export type Principal =
  | { readonly context: 'app'; readonly app: AppAccess }
  | {
      readonly context: 'oauth1';
      readonly app: AppAccess;
      readonly userId: UserId;
      readonly permission: Permission;
    }
  | {
      readonly context: 'oauth2';
      readonly app: AppAccess;
      readonly userId: UserId;
      readonly scopes: ReadonlySet<Scope>;
    };

export type UserPrincipal = Exclude<Principal, { context: 'app' }>;

const RANK: Readonly<Record<Permission, number>> = { read: 0, read_write: 1, read_write_dm: 2 };

/** True when a token issued with `held` may do what needs `needed`. */
export function permits(held: Permission, needed: Permission): boolean {
  return RANK[held] >= RANK[needed];
}
