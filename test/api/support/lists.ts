import type { TestAnswer } from '../../support/app.js';
import { ID, type Caller, type Name, type Network } from './network.js';
import { idOf, type Target } from './relations.js';

/** Requests about Lists. */

/** Creates a List and returns its id; throws if it is refused. */
export async function createList(
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

type ListRelation = 'followed_lists' | 'pinned_lists';

function add(relation: ListRelation, { as }: Network, user: Name, list: string): Promise<TestAnswer> {
  return as(user).post(`/2/users/${ID[user]}/${relation}`, { list_id: list });
}

function remove(relation: ListRelation, { as }: Network, user: Name, list: string): Promise<TestAnswer> {
  return as(user).delete(`/2/users/${ID[user]}/${relation}/${list}`);
}

export const followList = add.bind(undefined, 'followed_lists');
export const unfollowList = remove.bind(undefined, 'followed_lists');
export const pinList = add.bind(undefined, 'pinned_lists');
export const unpinList = remove.bind(undefined, 'pinned_lists');

/** Returns the member and follower counts of a List. */
export async function listCounts(caller: Caller, list: string): Promise<[number, number]> {
  const { body } = await caller.get(`/2/lists/${list}?list.fields=member_count,follower_count`);
  return [body.data.member_count, body.data.follower_count];
}

/** Returns the listed count of a user. */
export async function listedCount({ app }: Network, name: Name): Promise<number> {
  const { body } = await app.get(`/2/users/${ID[name]}?user.fields=public_metrics`);
  return body.data.public_metrics.listed_count as number;
}
