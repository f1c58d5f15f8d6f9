import type { Clock } from '../../core/clock.js';
import type { UrlEntity, UserEntities } from '../../core/entities.js';
import { countCodePoints } from '../../core/unicode.js';
import type { User } from '../../core/user.js';
import type { Engine } from '../../database/engine.js';
import { createLookups, type Lookups } from '../../stores/lookups.js';
import { changeContact, changeProfile as storeProfile } from '../../stores/users.js';
import { linkEntities } from '../posts/link-entities.js';
import { withoutScheme } from '../posts/status-links.js';
import { protectAccount, unprotectAccount } from '../relations/follow-requests.js';
import type { RelationDeps } from '../relations/changes.js';
import { profileFaults, type ProfileInput } from './account-rules.js';
import { refuseViolations } from '../../core/errors.js';

/** Changes a user's profile. Throws `invalid-request` with all violations by field. */
export async function changeProfile(
  { engine }: { readonly engine: Engine },
  user: Pick<User, 'id'>,
  input: ProfileInput,
): Promise<void> {
  refuseViolations(profileFaults(input));
  const description = input.description.replaceAll(/\r\n?/g, '\n').trim();
  const profile = {
    name: input.name.trim(),
    description,
    location: input.location.trim() || undefined,
    url: input.url || undefined,
  };
  await engine.tx('change profile', async (tx) => {
    const entities = await profileEntities(createLookups(tx), profile);
    await storeProfile(tx, user.id, { ...profile, entities });
  });
}

export type Privacy = Pick<User, 'protected' | 'allowsPhotoTagging' | 'receivesDms'>;

/** Changes who may see, tag and message a user. Unprotecting an account accepts its follow requests. */
export async function changePrivacy(
  deps: RelationDeps & { readonly engine: Engine; readonly clock: Clock },
  user: Pick<User, 'id'>,
  privacy: Privacy,
): Promise<void> {
  await deps.engine.tx('change privacy', (tx) => changeContact(tx, user.id, privacy));
  await (privacy.protected ? protectAccount : unprotectAccount)(deps, user.id);
}

/**
 * Returns the entities of a profile's link and description (docs/api/objects.md#entities); undefined when there are
 * none.
 */
export async function profileEntities(
  lookups: Lookups,
  { url, description }: Pick<User, 'url' | 'description'>,
): Promise<UserEntities | undefined> {
  const { entities } = await linkEntities(lookups, description, []);
  if (!entities && !url) return undefined;
  return { url: url ? { urls: [fieldLink(url)] } : undefined, description: entities };
}

/** Returns the entity of the URL field, which is a link even if its host would not be recognized in text. */
function fieldLink(url: string): UrlEntity {
  return { start: 0, end: countCodePoints(url), url, expanded_url: url, display_url: withoutScheme(url) };
}
