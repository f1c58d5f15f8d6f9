import { plainLine } from '../../core/plain-line.js';
import type { User } from '../../core/user.js';
import type { App } from '../../stores/apps.js';
import type { Queryable } from '../../database/queryable.js';
import { findUser } from '../../stores/users.js';

/** What people are told of an app that asks for their account. */
export interface AppProfile extends Pick<App, 'name' | 'description' | 'website'> {
  /** Whose app it is; undefined when the account is gone. */
  readonly owner: Pick<User, 'name' | 'username'> | undefined;
}

/** Returns an app with its owner, each text so that it cannot change the words around it. */
export async function appProfile(
  { engine }: { readonly engine: Queryable },
  { name, description, website, ownerId }: App,
): Promise<AppProfile> {
  const owner = await findUser(engine, ownerId);
  return {
    name: shownAppName(name),
    description: plainLine(description),
    website,
    owner: owner && { name: plainLine(owner.name, owner.username), username: owner.username },
  };
}

/** Returns the name of an app as people see it who decide what it may do. */
export function shownAppName(name: string): string {
  return plainLine(name, 'An app without a name');
}
