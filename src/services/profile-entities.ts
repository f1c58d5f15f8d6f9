import type { UserEntities } from '../core/entities.js';
import type { User } from '../core/user.js';
import type { Tx } from '../storage/engine.js';
import { linkEntities } from './posts/link-entities.js';

/** The entities of a profile's link and description (reference/objects.md section 2); undefined when there are none. */
export async function profileEntities(
  tx: Tx,
  { url = '', description }: Pick<User, 'url' | 'description'>,
): Promise<UserEntities | undefined> {
  const { entities: ofDescription } = await linkEntities(tx, description, []);
  const { entities: ofUrl } = await linkEntities(tx, url, []);
  if (!ofDescription && !ofUrl?.urls) return undefined;
  return { url: ofUrl?.urls && { urls: ofUrl.urls }, description: ofDescription };
}
