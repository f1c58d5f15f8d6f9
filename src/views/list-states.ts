import type { ListId, UserId } from '../core/ids.js';
import type { WireObject } from '../core/wire-json.js';
import { ObjectSet } from './hydrate/objects.js';
import { Includes, type Envelope } from './includes.js';
import type { ViewDeps } from './post-page.js';
import { notFoundError, type Asking, wantedOf } from './present/partial-errors.js';
import { listStateFields } from './wire/list-state.js';
import { presenter } from './wire/presenter.js';

const present = presenter(listStateFields, new Set());

export interface ListStateRequest extends Asking {
  readonly ids: readonly ListId[];
  readonly viewerId: UserId;
  /** Those that the viewer follows. */
  readonly followed: ReadonlySet<ListId>;
  /** Those that the viewer has pinned. */
  readonly pinned: ReadonlySet<ListId>;
  /** Those that a user is a member of; absent if the request names no user. */
  readonly withMember?: ReadonlySet<ListId>;
}

/** Returns what the viewer did with these Lists, each once; Lists that the viewer may not see become entries of `errors`. */
export function viewListStates(
  { reads }: ViewDeps,
  request: ListStateRequest,
): Promise<Envelope<WireObject[]>> {
  const { viewerId, followed, pinned, withMember } = request;
  const objects = new ObjectSet(reads, viewerId);
  return objects.complete(() => {
    const includes = new Includes();
    const data: WireObject[] = [];
    for (const id of new Set(request.ids)) {
      const list = objects.findList(id);
      if (!list) {
        includes.addError(notFoundError(wantedOf('list', request, id)));
        continue;
      }
      const hasMember = list.ownerId === viewerId ? withMember?.has(id) : undefined;
      data.push(present({ id, isFollowed: followed.has(id), isPinned: pinned.has(id), hasMember }));
    }
    return includes.envelope(data.length > 0 ? data : undefined);
  });
}
