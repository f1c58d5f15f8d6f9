import type { TestAnswer } from '../../support/app.js';
import { ID, type Caller, type Name, type Network } from './network.js';
import { idOf, type Target } from './relations.js';

/** Lists and what users do with them, as requests. */

/** The id of a List that the user now makes; fails when the server refuses it. */
export async function madeList(
  { as }: Network,
  owner: Name,
  body: object = { name: 'Pond' },
): Promise<string> {
  const answer = await as(owner).post('/2/lists', body);
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data.id as string;
}

export function addMember({ as }: Network, owner: Name, list: string, user: Target): Promise<TestAnswer> {
  return as(owner).post(`/2/lists/${list}/members`, { user_id: idOf(user) });
}

export function removeMember({ as }: Network, owner: Name, list: string, user: Target): Promise<TestAnswer> {
  return as(owner).delete(`/2/lists/${list}/members/${idOf(user)}`);
}

type Shelf = 'followed_lists' | 'pinned_lists';

function put(shelf: Shelf, { as }: Network, user: Name, list: string): Promise<TestAnswer> {
  return as(user).post(`/2/users/${ID[user]}/${shelf}`, { list_id: list });
}

function take(shelf: Shelf, { as }: Network, user: Name, list: string): Promise<TestAnswer> {
  return as(user).delete(`/2/users/${ID[user]}/${shelf}/${list}`);
}

export const followList = put.bind(undefined, 'followed_lists');
export const unfollowList = take.bind(undefined, 'followed_lists');
export const pinList = put.bind(undefined, 'pinned_lists');
export const unpinList = take.bind(undefined, 'pinned_lists');

/** Members and followers of a List, as counted. */
export async function listCounts(caller: Caller, list: string): Promise<[number, number]> {
  const { body } = await caller.get(`/2/lists/${list}?list.fields=member_count,follower_count`);
  return [body.data.member_count, body.data.follower_count];
}

/** In how many Lists the user is said to be. */
export async function listedCount({ app }: Network, name: Name): Promise<number> {
  const { body } = await app.get(`/2/users/${ID[name]}?user.fields=public_metrics`);
  return body.data.public_metrics.listed_count as number;
}
