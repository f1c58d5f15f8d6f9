import type { User } from '../core/user.js';
import type { App } from '../storage/apps.js';
import type { Queryable } from '../storage/queryable.js';
import { findUser } from '../storage/users.js';

/** What people are told of an app that asks for their account. */
export interface AppProfile extends Pick<App, 'name' | 'description' | 'website'> {
  /** Whose app it is; undefined when the account is gone. */
  readonly owner: Pick<User, 'name' | 'username'> | undefined;
}

/** An app with its owner. */
export async function appProfile(
  { engine }: { readonly engine: Queryable },
  { name, description, website, ownerId }: App,
): Promise<AppProfile> {
  return { name, description, website, owner: await findUser(engine, ownerId) };
}
