import type { ListId } from '../core/ids.js';
import type { List, ListCounts } from '../core/list.js';
import type { WireObject } from '../core/wire-json.js';
import { ObjectSet } from './hydrate/objects.js';
import { includeUsers } from './include-users.js';
import { Includes, type Envelope } from './includes.js';
import type { Lookup } from './list-owner.js';
import { type ViewDeps } from './post-page.js';
import { notFoundError, wantedOf } from './present/partial-errors.js';
import { withFollowed } from './selection.js';
import { listFields } from './wire/list.js';
import { presenter } from './wire/presenter.js';

export interface ListRequest extends Lookup {
  readonly ids: readonly ListId[];
}

/** Returns the requested Lists in order; missing ones and private Lists of others become entries of `errors`. */
export function viewLists(deps: ViewDeps, request: ListRequest): Promise<Envelope<WireObject[]>> {
  const { ids, selection, viewerId, parameter } = request;
  const fields = withFollowed(selection.listFields, selection);
  const present = presenter(listFields, fields);
  const isCounted = fields.has('member_count') || fields.has('follower_count');
  const objects = new ObjectSet(deps.reads, viewerId);
  return objects.complete(() => {
    const includes = new Includes();
    const shown: List[] = [];
    const counts = new Map<ListId, ListCounts | undefined>();
    for (const id of ids) {
      const list = objects.findList(id);
      // Also for a List that is not read yet, so that both are read at once.
      if (isCounted) counts.set(id, objects.countsOfList(id));
      if (list) shown.push(list);
      else if (parameter !== undefined) includes.addError(notFoundError(wantedOf('list', request, id)));
    }
    const data = shown.map((list) => present(list, counts.get(list.id)));
    if (selection.expansions.has('owner_id')) {
      const owners = shown.map(({ ownerId }) => ({ parameter: 'owner_id', id: ownerId }));
      includeUsers(objects, includes, owners, selection.userFields);
    }
    return includes.envelope(data.length > 0 ? data : undefined);
  });
}
