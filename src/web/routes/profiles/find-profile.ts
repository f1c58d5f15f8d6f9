import type { Answer } from '../../../http/answer.js';
import { PipitError } from '../../../core/errors.js';
import { parseId } from '../../../core/ids.js';
import { PROFILE_SELECTION } from '../../api/fields.js';
import type { Envelope, WireUser } from '../../api/objects.js';
import { profilePath } from '../../posts/paths.js';
import type { Visit } from '../../visit.js';
import { isSuspended, refusePage } from '../posts/public-pages.js';

/**
 * Returns the user in the path of a profile or of a page below it, at `tail`, or the answer in place of the page: a
 * redirect to the canonical path, or a refusal. Throws `route-not-found` for unknown users.
 */
export async function findProfile(visit: Visit, tail = ''): Promise<{ readonly user: WireUser } | Answer> {
  const found = await lookUp(visit);
  const { data: user } = found;
  if (user === undefined) {
    if (isSuspended(found)) return refusePage(visit, 'suspended');
    throw new PipitError({ code: 'route-not-found' });
  }
  const right = profilePath(user) + tail;
  const [sent = '', ...query] = visit.request.url.split('?');
  return sent === right ? { user } : visit.goTo([right, ...query].join('?'));
}

function lookUp({ api, request: { path } }: Visit): Promise<Envelope<WireUser>> {
  const { username, id = '' } = path;
  if (username !== undefined) return api.call('findUserByUsername', { username, ...PROFILE_SELECTION });
  if (parseId(id) === undefined) throw new PipitError({ code: 'route-not-found' });
  return api.call('findUserById', { id, ...PROFILE_SELECTION });
}
