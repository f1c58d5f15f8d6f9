import { activityRuleOf, type ActivityFilter, type ActivityType } from '../../core/activity.js';
import type { UserId, WebhookId } from '../../core/ids.js';

/** The rules of filters of activity (docs/api/activity.md#subscriptions), for requests and world files. */

/** A member of a filter that its type requires or does not have. */
export interface FilterFault {
  readonly member: 'user_id' | 'keyword' | 'direction';
  readonly isMissing: boolean;
}

/** Returns why a filter does not fit a type; undefined if it does. */
export function faultOfFilter(type: ActivityType, filter: ActivityFilter): FilterFault | undefined {
  const { takesKeyword = false, isDirectional = false } = activityRuleOf(type);
  const given = { user_id: filter.userId, keyword: filter.keyword };
  const [needed, other] = takesKeyword
    ? (['keyword', 'user_id'] as const)
    : (['user_id', 'keyword'] as const);
  if (given[needed] === undefined) return { member: needed, isMissing: true };
  if (given[other] !== undefined) return { member: other, isMissing: false };
  if (filter.direction !== undefined && !isDirectional) return { member: 'direction', isMissing: false };
  return undefined;
}

/** Returns why a subscriber may not receive a kind of activity; undefined if nothing but its rule is needed. */
export function faultOfSubscriber(
  type: ActivityType,
  { userId }: ActivityFilter,
  subscriberId: UserId | undefined,
): string | undefined {
  const { isPrivate = false } = activityRuleOf(type);
  if (!isPrivate || (subscriberId !== undefined && userId === subscriberId)) return undefined;
  return `Users may subscribe to ${type} only for their own account.`;
}

/** What makes two subscriptions of an app the same. */
interface Subscribed extends ActivityFilter {
  readonly subscriberId?: UserId;
  readonly type: ActivityType;
  readonly webhookId?: WebhookId;
}

/** Returns a text that is equal for subscriptions of one app that are the same. */
export function subscriptionKey(of: Subscribed): string {
  const { type, subscriberId, userId, keyword, direction, webhookId } = of;
  const ids = [subscriberId, userId, webhookId].map((id) => (id === undefined ? null : String(id)));
  return JSON.stringify([type, ...ids, keyword ?? null, direction ?? null]);
}
