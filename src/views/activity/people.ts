import type { ViewDeps } from '../post-page.js';
import { viewActors, viewUsers } from '../user-page.js';
import type { Payload, Showing, SubjectOf } from './payload.js';
import { ACTIVITY_SELECTION as selection } from './selection.js';

export async function viewEdge(
  deps: ViewDeps,
  { userId, targetId }: SubjectOf<'edge'>,
  { viewerId }: Showing,
): Promise<Payload | undefined> {
  const isInvolved = viewerId === userId || viewerId === targetId;
  const ids = [userId, targetId];
  const { data: [source, target] = [] } = isInvolved
    ? await viewUsers(deps, { names: ids, viewerId, selection })
    : await viewActors(deps, { ids, viewerId, selection });
  return source && target && { payload: { source: { data: source }, target: { data: target } } };
}

export async function viewProfileChange(
  deps: ViewDeps,
  { userId, before, after }: SubjectOf<'profile'>,
  { viewerId }: Showing,
): Promise<Payload | undefined> {
  const { data } = await viewUsers(deps, { names: [userId], viewerId, selection });
  return data && { payload: { before, after } };
}

export async function viewSpace(
  deps: ViewDeps,
  { space, userId }: SubjectOf<'space'>,
  { viewerId, type }: Showing,
): Promise<Payload | undefined> {
  const { data: [user] = [] } = await viewActors(deps, { ids: [userId], viewerId, selection });
  const event_type = type.replace('.', '_');
  return user && { payload: { user: { data: user }, broadcast_id: space, event_type } };
}
