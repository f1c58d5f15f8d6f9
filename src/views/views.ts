import type { Clock } from '../core/clock.js';
import type { Engine } from '../database/engine.js';
import type { RelationCache } from '../stores/relation-cache.js';
import { viewAccountActivity } from './account-activity/account-activity.js';
import { viewActivity } from './activity/activity.js';
import { viewDmConversations } from './dm-conversation-page.js';
import { viewDmEvent, viewDmEvents } from './dm-page.js';
import { createViewReads } from './hydrate/reads.js';
import { viewLists } from './list-page.js';
import { viewListStates } from './list-states.js';
import { refuseListOfPost, refuseListOfUser, refusePageOfList, refusePageOfSpace } from './list-owner.js';
import { viewMediaObjects } from './media-page.js';
import { viewEachPost, viewPosts } from './post-page.js';
import { findHiddenNotifications, viewNotifications } from './notification-page.js';
import { viewPostStates } from './post-states.js';
import { viewCompletions } from './completion-list.js';
import { viewConversation } from './conversation-page.js';
import { viewSpaces, viewSpacesOfCreators } from './space-page.js';
import { viewStatus, viewStatuses, viewUserIds, viewUsersV1 } from './v1-page.js';
import { findVisiblePosts } from './visible-posts.js';
import { viewActors, viewUsers, viewUserV1 } from './user-page.js';
import { viewOnly } from './includes.js';

/** Creates the views of endpoints, which load data, apply the visibility rules and return wire objects. */
export function createViews({
  engine,
  relations,
  clock,
  publicUrl,
}: {
  readonly engine: Engine;
  readonly relations: RelationCache;
  readonly clock: Clock;
  readonly publicUrl: string;
}) {
  const deps = { reads: createViewReads(engine, relations, publicUrl), clock, publicUrl };
  return {
    accountActivity: viewAccountActivity.bind(undefined, deps),
    activity: viewActivity.bind(undefined, deps),
    actors: viewActors.bind(undefined, deps),
    completions: viewCompletions.bind(undefined, deps),
    conversation: viewConversation.bind(undefined, deps),
    dmConversations: viewDmConversations.bind(undefined, deps),
    dmEvent: viewDmEvent.bind(undefined, deps),
    dmEvents: viewDmEvents.bind(undefined, deps),
    hiddenNotifications: findHiddenNotifications.bind(undefined, deps),
    list: viewOnly(deps, viewLists),
    lists: viewLists.bind(undefined, deps),
    listStates: viewListStates.bind(undefined, deps),
    mediaObject: viewOnly(deps, viewMediaObjects),
    mediaObjects: viewMediaObjects.bind(undefined, deps),
    notifications: viewNotifications.bind(undefined, deps),
    post: viewOnly(deps, viewPosts),
    postStates: viewPostStates.bind(undefined, deps),
    posts: viewPosts.bind(undefined, deps),
    eachPost: viewEachPost.bind(undefined, deps),
    refuseListOfPost: refuseListOfPost.bind(undefined, deps),
    refuseListOfUser: refuseListOfUser.bind(undefined, deps),
    refusePageOfList: refusePageOfList.bind(undefined, deps),
    refusePageOfSpace: refusePageOfSpace.bind(undefined, deps),
    space: viewOnly(deps, viewSpaces),
    spaces: viewSpaces.bind(undefined, deps),
    spacesOfCreators: viewSpacesOfCreators.bind(undefined, deps),
    user: viewOnly(deps, viewUsers),
    users: viewUsers.bind(undefined, deps),
    status: viewStatus.bind(undefined, deps),
    statuses: viewStatuses.bind(undefined, deps),
    userIdsV1: viewUserIds.bind(undefined, deps),
    usersV1: viewUsersV1.bind(undefined, deps),
    userV1: viewUserV1.bind(undefined, deps),
    visiblePosts: findVisiblePosts.bind(undefined, deps),
  };
}

export type Views = ReturnType<typeof createViews>;
