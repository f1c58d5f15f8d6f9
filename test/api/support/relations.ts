import type { TestAnswer } from '../../support/app.js';
import { ID, type Name, type Network } from './network.js';

/** Requests that relate one user to another. */

/** A user of the network, or any id. */
export type Target = Name | (string & {});

/** The last segment of the paths of a relation. */
export type Relation = 'following' | 'blocking' | 'muting';

export function idOf(target: Target): string {
  return Object.hasOwn(ID, target) ? ID[target as Name] : target;
}

/** Creates the relation on one’s own account. */
export function addRelation(
  relation: Relation,
  { as }: Network,
  from: Name,
  to: Target,
): Promise<TestAnswer> {
  return as(from).post(`/2/users/${ID[from]}/${relation}`, { target_user_id: idOf(to) });
}

export function removeRelation(
  relation: Relation,
  { as }: Network,
  from: Name,
  to: Target,
): Promise<TestAnswer> {
  return as(from).delete(`/2/users/${ID[from]}/${relation}/${idOf(to)}`);
}

export const follow = addRelation.bind(undefined, 'following');
export const unfollow = removeRelation.bind(undefined, 'following');
export const block = addRelation.bind(undefined, 'blocking');
export const unblock = removeRelation.bind(undefined, 'blocking');
export const mute = addRelation.bind(undefined, 'muting');
export const unmute = removeRelation.bind(undefined, 'muting');

/** Returns the follower and following counts of a user. */
export async function countsOf({ app }: Network, name: Name): Promise<[number, number]> {
  const { body } = await app.get(`/2/users/${ID[name]}?user.fields=public_metrics`);
  const { followers_count: followers, following_count: following } = body.data.public_metrics;
  return [followers, following];
}

/** Returns `connection_status` of a user for the viewer. */
export async function statusOf({ as }: Network, viewer: Name, name: Name): Promise<string[]> {
  const { body } = await as(viewer).get(`/2/users/${ID[name]}?user.fields=connection_status`);
  return (body.data.connection_status as string[] | undefined) ?? [];
}
