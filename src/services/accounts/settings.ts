import type { UserPrincipal } from '../../core/access.js';
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
import { lockActiveAccount } from './authority.js';
import { refuseViolations } from '../../core/errors.js';

/**
 * Changes the given parts of a user's profile. Throws `invalid-request` with the violations of these parts by field,
 * and `forbidden` for a hidden account.
 */
export async function changeProfile(
  { engine }: { readonly engine: Engine },
  { id }: Pick<User, 'id'>,
  input: Partial<ProfileInput>,
): Promise<void> {
  await engine.tx('change profile', async (tx) => {
    const { name, description, location = '', url = '' } = await lockActiveAccount(tx, id);
    const whole = { name, description, location, url, ...input };
    // A profile from an archive may break the rules in parts that stay as they are.
    const faults = profileFaults(whole).filter(({ parameters }) =>
      Object.keys(parameters).some((field) => field in input),
    );
    refuseViolations(faults);
    const profile = {
      name: whole.name.trim(),
      description: whole.description.replaceAll(/\r\n?/g, '\n').trim(),
      location: whole.location.trim() || undefined,
      url: whole.url || undefined,
    };
    const entities = await profileEntities(createLookups(tx), profile);
    await storeProfile(tx, id, { ...profile, entities });
  });
}

export type ProfileService = ReturnType<typeof createProfileService>;

/** Creates the service with which users change their own profiles (docs/api/pipit.md#profile). */
export function createProfileService(deps: { readonly engine: Engine }) {
  return {
    /** Changes the given parts; throws as `changeProfile` does. */
    change: ({ userId: id }: UserPrincipal, input: Partial<ProfileInput>) =>
      changeProfile(deps, { id }, input),
  };
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
