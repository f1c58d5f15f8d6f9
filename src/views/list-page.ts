import type { ListId } from '../core/ids.js';
import type { List } from '../core/list.js';
import type { WireObject } from '../core/wire-json.js';
import { hydrateLists } from './hydrate/lists.js';
import { includeUsers } from './include-users.js';
import { Includes, type Envelope } from './includes.js';
import type { Lookup, ListOwner } from './list-owner.js';
import { type ViewDeps } from './post-page.js';
import { notFoundError, wantedOf } from './present/partial-errors.js';
import { primaryListFields } from './selection.js';
import { listFields } from './wire/list.js';
import { presenter } from './wire/presenter.js';

export interface ListRequest extends Lookup {
  readonly ids: readonly ListId[];
}

/** Returns the requested Lists in order; missing ones and private Lists of others become entries of `errors`. */
export async function viewLists(deps: ViewDeps, request: ListRequest): Promise<Envelope<WireObject[]>> {
  const { ids, selection, viewerId, parameter } = request;
  const includes = new Includes();
  const fields = primaryListFields(selection);
  const lists = await hydrateLists(deps.reads, ids, viewerId, fields);
  const shown: List[] = [];
  for (const id of ids) {
    const list = lists.find(id);
    if (list) shown.push(list);
    else if (parameter !== undefined) includes.addError(notFoundError(wantedOf('list', request, id)));
  }
  const present = presenter(listFields, fields);
  const data = shown.map((list) => present(list, lists.countsOf(list.id)));
  if (selection.expansions.has('owner_id')) {
    const owners = shown.map(({ ownerId }) => ['owner_id', ownerId] as const);
    await includeUsers(deps.reads, includes, owners, { viewerId, fields: selection.userFields });
  }
  return includes.envelope(data.length > 0 ? data : undefined);
}

/**
 * Returns the answer to a page of a List's content if the List is missing or not visible: a 200 with `errors`
 * (docs/api/errors.md#partial-errors). Returns undefined if the page may be shown.
 */
export async function refusePageOfList(
  { reads }: ViewDeps,
  { id, viewerId, asSent }: ListOwner<ListId>,
): Promise<Envelope<never> | undefined> {
  const lists = await hydrateLists(reads, [id], viewerId, new Set());
  return lists.find(id) ? undefined : { errors: [notFoundError(wantedOf('list', { asSent }, id))] };
}
