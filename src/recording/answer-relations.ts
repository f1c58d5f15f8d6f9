import { asArray, asIdText, asObject, asObjects } from '../archive/wire-json.js';
import { isV1, itemsOf, type SeenAnswer } from './seen-answer.js';
import { itemsOfV1 } from './v1-objects.js';

export type RelationKind =
  | 'follows'
  | 'blocks'
  | 'mutes'
  | 'likes'
  | 'bookmarks'
  | 'members'
  | 'listFollowers'
  | 'buyers'
  | 'spacePosts';

/** A relation as two ids: of the user, List or Space that has it, and of its target. */
export interface SeenRelation {
  readonly kind: RelationKind;
  readonly from: string;
  readonly to: string;
}

/** A list of relations, which either all begin or all end at its owner. */
type Listed = readonly [kind: RelationKind, isOwnerFirst: boolean];

/** By the beginning and the end of the path in v2; the owner stands between them. */
const LISTED: Readonly<Record<string, Listed>> = {
  'users following': ['follows', true],
  'users followers': ['follows', false],
  'users blocking': ['blocks', true],
  'users muting': ['mutes', true],
  'users liked_tweets': ['likes', true],
  'users bookmarks': ['bookmarks', true],
  'tweets liking_users': ['likes', false],
  'lists members': ['members', true],
  'lists followers': ['listFollowers', true],
  'spaces buyers': ['buyers', true],
  'spaces tweets': ['spacePosts', true],
};

/** By the path in v1.1; parameters name the owner, by default the caller. */
const LISTED_V1: Readonly<Record<string, Listed>> = {
  'friends/ids': ['follows', true],
  'friends/list': ['follows', true],
  'followers/ids': ['follows', false],
  'followers/list': ['follows', false],
  'blocks/ids': ['blocks', true],
  'blocks/list': ['blocks', true],
  'mutes/users/ids': ['mutes', true],
  'mutes/users/list': ['mutes', true],
  'favorites/list': ['likes', true],
};

/** Returns the relations that an answer lists. `idOfName` finds users by username. */
export function relationsOf(
  answer: SeenAnswer,
  idOfName: (username: string) => string | undefined,
): SeenRelation[] {
  if (answer.method !== 'GET') return [];
  const [listed, ownerId, ids] = isV1(answer) ? listedInV1(answer, idOfName) : listedIn(answer);
  if (!listed || ownerId === undefined) return [];
  const [kind, isOwnerFirst] = listed;
  return ids.map((id) => (isOwnerFirst ? { kind, from: ownerId, to: id } : { kind, from: id, to: ownerId }));
}

type ListedIds = readonly [listed: Listed | undefined, ownerId: string | undefined, ids: readonly string[]];

function listedIn(answer: SeenAnswer): ListedIds {
  const [, noun = '', ownerId, last = ''] = /^\/2\/(\w+)\/(\w+)\/(\w+)$/.exec(answer.path) ?? [];
  const ids = itemsOf(answer).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  return [LISTED[`${noun} ${last}`], ownerId, ids];
}

function listedInV1(answer: SeenAnswer, idOfName: (username: string) => string | undefined): ListedIds {
  const { path, query, callerId, json } = answer;
  const name = query.get('screen_name');
  const named = query.get('user_id') ?? (name ? idOfName(name.replace(/^@/, '')) : callerId);
  const ids = asArray(asObject(json)?.ids);
  const items = asObjects(itemsOfV1(json)).map(({ id_str }) => id_str);
  return [
    LISTED_V1[path.slice('/1.1/'.length).replace(/\.json$/, '')],
    /^\d{1,19}$/.test(named ?? '') ? (named ?? undefined) : undefined,
    [...ids, ...items].flatMap((id) => asIdText(id) ?? []),
  ];
}
