import type { UrlEntity, UserEntities } from '../../core/entities.js';
import { countCodePoints } from '../../core/unicode.js';
import type { User } from '../../core/user.js';
import type { Tx } from '../../database/engine.js';
import { linkEntities } from '../posts/link-entities.js';
import { withoutScheme } from '../posts/status-links.js';

/**
 * Returns the entities of a profile's link and description (docs/api/objects.md#entities); undefined when there are
 * none.
 */
export async function profileEntities(
  tx: Tx,
  { url, description }: Pick<User, 'url' | 'description'>,
): Promise<UserEntities | undefined> {
  const { entities } = await linkEntities(tx, description, []);
  if (!entities && !url) return undefined;
  return { url: url ? { urls: [fieldLink(url)] } : undefined, description: entities };
}

/** Returns the entity of the URL field, which is a link even if its host would not be recognized in text. */
function fieldLink(url: string): UrlEntity {
  return { start: 0, end: countCodePoints(url), url, expanded_url: url, display_url: withoutScheme(url) };
}
