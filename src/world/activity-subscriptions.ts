import { ACTIVITY_DIRECTIONS, ACTIVITY_TYPES, type ActivitySubscription } from '../core/activity.js';
import type { ActivitySubscriptionId, AppId, UserId, WebhookId } from '../core/ids.js';
import { MAX_ACTIVITY_TAG_CHARACTERS } from '../core/limits.js';
import { timeOfId } from '../core/snowflake.js';
import * as v from '../core/validators.js';
import { findSameSubscription } from '../services/activity/activity-subscriptions.js';
import { faultOfFilter, faultOfSubscriber, subscriptionKey } from '../services/activity/filter-rules.js';
import { findActivitySubscription, insertActivitySubscription } from '../stores/activity-subscriptions.js';
import { findWebhook } from '../stores/webhooks.js';
import { requireApps } from './credentials.js';
import { referencesIn, type Known } from './known.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { idOf, listOf, objectOf } from './readers.js';
import { username } from './users.js';
import type { WorldWebhook } from './webhooks.js';
import { worldTime } from './world-time.js';

const subscription = objectOf({
  id: v.required(idOf<ActivitySubscriptionId>()),
  app: v.required(idOf<AppId>()),
  subscriber: username,
  type: v.required(v.oneOf(ACTIVITY_TYPES)),
  user: username,
  keyword: v.text({ min: 1 }),
  direction: v.oneOf(ACTIVITY_DIRECTIONS),
  tag: v.text({ min: 1, max: MAX_ACTIVITY_TAG_CHARACTERS }),
  webhook: idOf<WebhookId>(),
  created_at: worldTime,
  updated_at: worldTime,
});
export const readActivitySubscriptions = listOf(subscription);
type WorldSubscription = v.ValueOf<typeof subscription>;

/** Checks that apps, users and webhooks exist, that filters fit their types, and that no subscription stands twice. */
export async function checkActivitySubscriptions(
  entries: readonly WorldSubscription[],
  file: { readonly apps: ReadonlySet<string>; readonly webhooks: readonly WorldWebhook[] },
  check: Check,
): Promise<void> {
  const { known, faults } = check;
  requireUnique(entries, 'id', (entry) => entry.id, faults);
  await requireApps(entries, file.apps, check);
  await known.requireUsers(referencesIn(entries, 'subscriber', 'user'), faults);
  const read = entries.map((entry) => ({ ...entry, key: keyOf(entry, known) }));
  requireUnique(read, 'type', ({ app, key }) => key && `${app} ${key}`, faults);
  const declared = new Map(file.webhooks.map(({ id, app }) => [id, app]));
  for (const entry of read) {
    checkFilter(entry, check);
    await checkWebhook(entry, declared, check);
    const stored = await findActivitySubscription(known.db, entry.app, entry.id);
    if (stored && entry.key !== undefined && subscriptionKey(stored) !== entry.key)
      faults.add(`${entry.path}.id`, 'is another subscription in the database');
  }
}

function checkFilter(entry: WorldSubscription, { known, faults }: Check): void {
  const { type, user, subscriber, path } = entry;
  const fault = faultOfFilter(type, filterOf(entry, known));
  if (fault) {
    const member = fault.member === 'user_id' ? 'user' : fault.member;
    faults.add(
      `${path}.${member}`,
      fault.isMissing ? `is missing: ${type} needs it` : `does not go with ${type}`,
    );
  }
  const [userId, subscriberId] = [user, subscriber].map((name) => name && known.findUserId(name));
  if (user !== undefined && userId === undefined) return;
  const refusal = faultOfSubscriber(type, { userId: userId || undefined }, subscriberId || undefined);
  if (refusal !== undefined) faults.add(`${path}.subscriber`, refusal);
}

async function checkWebhook(
  { app, webhook, path }: WorldSubscription,
  declared: ReadonlyMap<WebhookId, AppId>,
  { known, faults }: Check,
): Promise<void> {
  if (webhook === undefined) return;
  const appId = declared.get(webhook) ?? (await findWebhook(known.db, webhook))?.appId;
  if (appId !== app) faults.add(`${path}.webhook`, `app ${app} has no webhook ${webhook}`);
}

function filterOf({ user, keyword, direction }: WorldSubscription, known: Known) {
  // A user who is not known was reported, and takes the place of one.
  const userId = user === undefined ? undefined : (known.findUserId(user) ?? (0n as UserId));
  return { userId, keyword, direction };
}

/** Returns what makes a subscription the same as another; undefined if a user is not known. */
function keyOf(entry: WorldSubscription, known: Known): string | undefined {
  const { type, subscriber, user, webhook: webhookId } = entry;
  const isKnown = [subscriber, user].every(
    (name) => name === undefined || known.findUserId(name) !== undefined,
  );
  if (!isKnown) return undefined;
  const subscriberId = subscriber === undefined ? undefined : known.userId(subscriber);
  return subscriptionKey({ ...filterOf(entry, known), type, subscriberId, webhookId });
}

/** Stores the subscriptions that the apps do not have; those to a webhook that was not stored are skipped. */
export async function storeActivitySubscriptions(
  entries: readonly WorldSubscription[],
  { tx, known, nowMs, added }: Load,
): Promise<void> {
  for (const entry of entries) {
    const createdAtMs = entry.created_at?.at(nowMs) ?? timeOfId(entry.id) ?? nowMs;
    const wanted: ActivitySubscription = {
      ...filterOf(entry, known),
      id: entry.id,
      appId: entry.app,
      subscriberId: entry.subscriber === undefined ? undefined : known.userId(entry.subscriber),
      type: entry.type,
      tag: entry.tag,
      webhookId: entry.webhook,
      createdAtMs,
      updatedAtMs: entry.updated_at?.at(nowMs) ?? createdAtMs,
    };
    if (wanted.webhookId !== undefined && !(await findWebhook(tx, wanted.webhookId))) continue;
    if (await findActivitySubscription(tx, wanted.appId, wanted.id)) continue;
    if (await findSameSubscription(tx, wanted)) continue;
    await insertActivitySubscription(tx, wanted);
    added('activity_subscriptions');
  }
}
