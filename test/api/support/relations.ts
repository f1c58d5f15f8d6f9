import type { TestAnswer } from '../../support/app.js';
import { ID, type Name, type Network } from './network.js';

/** Acts of one user upon another, as requests. */

/** Somebody of the network, or any id. */
export type Target = Name | (string & {});

/** The last part of the paths of a relation. */
export type Relation = 'following' | 'blocking' | 'muting';

export function idOf(target: Target): string {
  return Object.hasOwn(ID, target) ? ID[target as Name] : target;
}

/** Asks for the relation as `from`, on the own account. */
export function begin(relation: Relation, { as }: Network, from: Name, to: Target): Promise<TestAnswer> {
  return as(from).post(`/2/users/${ID[from]}/${relation}`, { target_user_id: idOf(to) });
}

export function end(relation: Relation, { as }: Network, from: Name, to: Target): Promise<TestAnswer> {
  return as(from).delete(`/2/users/${ID[from]}/${relation}/${idOf(to)}`);
}

export const follow = begin.bind(undefined, 'following');
export const unfollow = end.bind(undefined, 'following');
export const block = begin.bind(undefined, 'blocking');
export const unblock = end.bind(undefined, 'blocking');
export const mute = begin.bind(undefined, 'muting');
export const unmute = end.bind(undefined, 'muting');

/** Followers and followed of a user, as counted. */
export async function countsOf({ app }: Network, name: Name): Promise<[number, number]> {
  const { body } = await app.get(`/2/users/${ID[name]}?user.fields=public_metrics`);
  const { followers_count: followers, following_count: following } = body.data.public_metrics;
  return [followers, following];
}

/** What the user is to the viewer, as `connection_status` tells it. */
export async function statusOf({ as }: Network, viewer: Name, name: Name): Promise<string[]> {
  const { body } = await as(viewer).get(`/2/users/${ID[name]}?user.fields=connection_status`);
  return (body.data.connection_status as string[] | undefined) ?? [];
}
