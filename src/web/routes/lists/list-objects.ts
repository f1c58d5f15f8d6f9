import { PipitError } from '../../../core/errors.js';
import { plainLine } from '../../../core/plain-line.js';
import type { Envelope, WireUser } from '../../api/objects.js';
import type { WebApi } from '../../api/web-api.js';
import { idInPath } from '../../id-in-path.js';
import type { Visit } from '../../visit.js';

/** A List as pages show it (docs/api/objects.md#list). */
export interface WireList {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly owner_id?: string;
  readonly private?: boolean;
  readonly member_count?: number;
  readonly follower_count?: number;
}

/** What the viewer did with a List (docs/api/pipit.md#states-of-lists). */
export interface ListState {
  readonly following: boolean;
  readonly pinned: boolean;
  /** Only of own Lists, if a user was named. */
  readonly has_member?: boolean;
}

/** A List with what belongs to it. */
export interface FoundList {
  readonly list: WireList;
  /** Absent for an account that is not stored. */
  readonly owner: WireUser | undefined;
  /** Absent without a signed-in viewer. */
  readonly state: ListState | undefined;
  readonly isOwn: boolean;
}

/** What pages select of Lists. */
export const LIST_SELECTION = {
  'list.fields': ['description', 'follower_count', 'member_count', 'owner_id', 'private'],
  expansions: ['owner_id'],
  'user.fields': ['profile_image_url', 'protected', 'verified'],
} as const;

/** Returns the path of the page of a List, or of one below it. */
export function listPath(id: string, part = ''): string {
  return `/i/lists/${id}${part === '' ? '' : `/${part}`}`;
}

/** Returns the name of a List for a page, without characters that alter the text around it. */
export function listName({ name }: Pick<WireList, 'name'>): string {
  return plainLine(name, 'List');
}

/** Returns the List in the path. Throws `route-not-found` for one that the viewer may not see. */
export async function findList(visit: Visit): Promise<FoundList> {
  const found = await visit.api.call<WireList>('listIdGet', { id: idInPath(visit), ...LIST_SELECTION });
  if (!found.data) throw new PipitError({ code: 'route-not-found' });
  const [list] = await withStates(visit, { data: [found.data], includes: found.includes });
  if (!list) throw new PipitError({ code: 'route-not-found' });
  return list;
}

/** Returns the Lists of an answer, which was asked for with `LIST_SELECTION`; `memberId` is looked for among members. */
export async function withStates(
  { api, viewer }: Pick<Visit, 'api' | 'viewer'>,
  { data = [], includes }: Envelope<readonly WireList[]>,
  memberId?: string,
): Promise<FoundList[]> {
  const owners = new Map((includes?.users ?? []).map((user) => [user.id, user]));
  const ids = data.map(({ id }) => id);
  const states = await statesOf(api, ids, memberId);
  return data.map((list) => ({
    list,
    owner: owners.get(list.owner_id ?? ''),
    state: states.get(list.id),
    isOwn: list.owner_id !== undefined && list.owner_id === viewer?.user.id.toString(),
  }));
}

async function statesOf(
  api: WebApi,
  ids: readonly string[],
  memberId: string | undefined,
): Promise<ReadonlyMap<string, ListState>> {
  if (!api.isOfUser || ids.length === 0) return new Map();
  const { data = [] } = await api.call<(ListState & { id: string })[]>('getListStates', {
    ids: [...ids],
    user_id: memberId,
  });
  return new Map(data.map((state) => [state.id, state]));
}
