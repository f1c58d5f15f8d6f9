import type { UserPrincipal } from '../../core/access.js';
import type { Engine } from '../../database/engine.js';
import type { ProfileInput } from './account-rules.js';
import { changeProfile } from './settings.js';

export type ProfileService = ReturnType<typeof createProfileService>;

/** Creates the service with which users change their own profiles (docs/api/pipit.md#profile). */
export function createProfileService(deps: { readonly engine: Engine }) {
  return {
    /** Changes the given parts; throws as `changeProfile` does. */
    change: ({ userId: id }: UserPrincipal, input: Partial<ProfileInput>) =>
      changeProfile(deps, { id }, input),
  };
}
