import { plainLine } from '../../core/plain-line.js';
import type { User } from '../../core/user.js';
import type { App } from '../../stores/apps.js';
import type { Queryable } from '../../database/queryable.js';
import { findUser } from '../../stores/users.js';

/** The information about an app on consent pages. */
export interface AppProfile extends Pick<App, 'name' | 'description' | 'website'> {
  /** The app's owner; undefined when the account was deleted. */
  readonly owner: Pick<User, 'name' | 'username'> | undefined;
}

/** Returns an app with its owner. Texts are sanitized so that they cannot alter the surrounding page text. */
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

/** Returns the name of an app as shown on consent pages. */
export function shownAppName(name: string): string {
  return plainLine(name, 'Unnamed app');
}
