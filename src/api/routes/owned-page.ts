import type { ListId, PostId, UserId } from '../../core/ids.js';
import { SPACE_ID_PATTERN, type SpaceId } from '../../core/space.js';
import type { Envelope } from '../../views/includes.js';
import type { Views } from '../../views/views.js';
import type { AnyEndpoint, CredentialRules } from '../endpoint.js';
import { pagedEndpoint, type PagedSpec, type PageSize } from '../paged-endpoint.js';
import {
  listFieldParams,
  postFieldParams,
  userFieldParams,
  userWithPostFieldParams,
} from '../params/families.js';
import { idParam, inPath, type ParamMap, type ParamSpec, patternParam } from '../params/params.js';
import { lookupOf, viewOf } from '../viewer.js';

export const userInPath = { id: inPath(idParam<UserId>('The user.')) };
export const postInPath = { id: inPath(idParam<PostId>('The post.')) };
export const listInPath = { id: inPath(idParam<ListId>('The List.')) };
export const spaceInPath = {
  id: inPath(patternParam(SPACE_ID_PATTERN, 'The Space.', '1DXxyRYNejbKM')) as ParamSpec<SpaceId>,
};

/** The object in the path that a list belongs to. */
interface Owner<Id> {
  readonly inPath: { readonly id: ParamSpec<Id> };
  /** Returns the answer if it is missing or its list is not visible; absent if the caller is the owner. */
  refuse?(views: Views, lookup: ReturnType<typeof lookupOf> & { readonly id: Id }): Promise<Refusal>;
}

type Refusal = Envelope<never> | undefined;

/** The user who calls, for endpoints with `ownId`. */
export const ofCaller: Owner<UserId> = { inPath: userInPath };
export const ofUser: Owner<UserId> = {
  inPath: userInPath,
  refuse: (views, id) => views.refuseListOfUser(id),
};
export const ofPost: Owner<PostId> = {
  inPath: postInPath,
  refuse: (views, id) => views.refuseListOfPost(id),
};
export const ofList: Owner<ListId> = {
  inPath: listInPath,
  refuse: (views, id) => views.refusePageOfList(id),
};
export const ofSpace: Owner<SpaceId> = {
  inPath: spaceInPath,
  refuse: (views, id) => views.refusePageOfSpace(id),
};

/** The objects of a list, and how to show them. */
interface Items<T> extends Pick<PagedSpec<CredentialRules, ParamMap, T>, 'component'> {
  readonly params: ParamMap;
  show(
    views: Views,
    ids: readonly T[],
    view: ReturnType<typeof viewOf>,
  ): Promise<Envelope<readonly unknown[]>>;
}

export const posts: Items<PostId> = {
  component: 'Tweet',
  params: postFieldParams,
  show: (views, ids, view) => views.posts({ ids, ...view }),
};
export const users: Items<UserId> = {
  component: 'User',
  params: userFieldParams,
  show: (views, names, view) => views.users({ names, ...view }),
};
/** Users who acted on a post; those whose activity the viewer may not see are omitted. */
export const actors: Items<UserId> = {
  component: 'User',
  params: userWithPostFieldParams,
  show: (views, ids, view) => views.actors({ ids, ...view }),
};
export const lists: Items<ListId> = {
  component: 'List',
  params: listFieldParams,
  show: (views, ids, view) => views.lists({ ids, ...view }),
};

type OwnedParams<Id> = Owner<Id>['inPath'] & Pick<typeof userFieldParams, 'expansions'>;

interface OwnedSpec<A extends CredentialRules, Id, T> extends Omit<
  PagedSpec<A, OwnedParams<Id>, T>,
  'params' | 'page' | 'component' | 'refuse' | 'show'
> {
  /** Default: 1 to 100 entries, 100 unless requested. */
  readonly page?: PageSize;
}

/** Declares a page of the objects that belong to the object in the path. */
export function ownedPage<const A extends CredentialRules, Id, T>(
  owner: Owner<Id>,
  items: Items<T>,
  spec: OwnedSpec<A, Id, T>,
): AnyEndpoint {
  const { refuse } = owner;
  return pagedEndpoint({
    page: { min: 1, max: 100, default: 100 },
    ...spec,
    component: items.component,
    params: { ...owner.inPath, ...items.params } as OwnedParams<Id>,
    refuse:
      refuse && (async ({ views }, call) => refuse(views, { id: call.params.id, ...lookupOf(call, 'id') })),
    show: ({ views }, call, ids) => items.show(views, ids, viewOf(call)),
  });
}
