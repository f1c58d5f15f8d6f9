import type { ListId, UserId } from '../../core/ids.js';
import type { Page, PageRequest } from '../../core/page.js';
import type { ListService } from '../../services/lists/lists.js';
import { publicRead } from '../access.js';
import { pagedEndpoint } from '../paged-endpoint.js';
import { listFieldParams, userFieldParams } from '../params/families.js';
import { perQuarterHour } from '../rates.js';
import { lookupOf, viewOf } from '../viewer.js';
import { listInPath, listPage } from './list-inputs.js';
import { userInPath } from './post-actions.js';

/** The common part of list endpoints around Lists (docs/api/lists.md). */

interface PageSpec<Owner, T> {
  readonly operationId: string;
  readonly summary: string;
  readonly path: string;
  /** Calls per 15 minutes of an app or a user. */
  readonly limit: number;
  list(lists: ListService, owner: Owner, page: PageRequest): Promise<Page<T>>;
}

const common = {
  tag: 'Lists',
  access: publicRead('list.read'),
  page: listPage,
} as const;

/** Declares a page of a user's Lists, visible to those who may see the user's activity. */
export function listsOfUser({ limit, list, ...spec }: PageSpec<UserId, ListId>) {
  return pagedEndpoint({
    ...common,
    ...spec,
    rateLimits: perQuarterHour({ app: limit, user: limit }),
    params: { ...userInPath, ...listFieldParams },
    component: 'List',
    refuse: ({ views }, call) => views.refuseListOfUser({ id: call.params.id, ...lookupOf(call, 'id') }),
    list: ({ lists }, { params }, page) => list(lists, params.id, page),
    show: ({ views }, call, ids) => views.lists({ ids, ...viewOf(call) }),
  });
}

/** Declares a page of a List's users, visible to those who may see the List. */
export function usersOfList({ limit, list, ...spec }: PageSpec<ListId, UserId>) {
  return pagedEndpoint({
    ...common,
    ...spec,
    rateLimits: perQuarterHour({ app: limit, user: limit }),
    params: { ...listInPath, ...userFieldParams },
    component: 'User',
    refuse: ({ views }, call) => views.refusePageOfList({ id: call.params.id, ...lookupOf(call, 'id') }),
    list: ({ lists }, { params }, page) => list(lists, params.id, page),
    show: ({ views }, call, names) => views.users({ names, ...viewOf(call) }),
  });
}
