import type { AppId } from '../../core/ids.js';
import type { Queryable } from '../../database/engine.js';
import { listSubscribedUsers } from '../../stores/account-subscriptions.js';
import { listActivitySubscriptionsOf } from '../../stores/activity-subscriptions.js';
import { listLinks, type WebhookLink } from '../../stores/webhook-links.js';
import { listWebhooks } from '../../stores/webhooks.js';
import { entryOf, someOf, timeBeside, unless, worldTimeOf, type Entry } from './entry.js';
import type { Names } from './names.js';

/** Returns the webhooks of apps, with the filtered streams and the accounts whose activity goes to them. */
export async function exportWebhooks(
  db: Queryable,
  names: Names,
  appIds: readonly AppId[],
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const appId of appIds) {
    const links = new Map((await listLinks(db, appId)).map((link) => [link.webhookId, link]));
    for (const { id, url, createdAtMs, isValid, invalidReason } of await listWebhooks(db, appId)) {
      const link = links.get(id);
      entries.push(
        entryOf({
          id: String(id),
          app: String(appId),
          url,
          created_at: timeBeside(id, createdAtMs),
          valid: unless(true, isValid),
          invalid_reason: isValid ? undefined : invalidReason,
          filtered_stream: link && entryOfLink(link),
          account_activity: someOf(names.findAll(await listSubscribedUsers(db, id))),
        }),
      );
    }
  }
  return entries;
}

function entryOfLink({ fields, createdAtMs }: WebhookLink): Entry {
  const chosen = Object.entries(fields).length > 0 ? fields : undefined;
  return entryOf({ fields: chosen, created_at: worldTimeOf(createdAtMs) });
}

/** Returns the subscriptions of apps to the activity of users who still exist, oldest first. */
export async function exportActivitySubscriptions(
  db: Queryable,
  names: Names,
  appIds: readonly AppId[],
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const appId of appIds) {
    for (const { id, subscriberId, userId, ...found } of await listActivitySubscriptionsOf(db, appId)) {
      const subscriber = subscriberId === undefined ? undefined : names.find(subscriberId);
      const user = userId === undefined ? undefined : names.find(userId);
      const { createdAtMs, updatedAtMs, webhookId } = found;
      const entry = {
        id: String(id),
        app: String(appId),
        subscriber,
        type: found.type,
        user,
        keyword: found.keyword,
        direction: found.direction,
        tag: found.tag,
        webhook: webhookId === undefined ? undefined : String(webhookId),
        created_at: timeBeside(id, createdAtMs),
        updated_at: updatedAtMs === createdAtMs ? undefined : worldTimeOf(updatedAtMs),
      };
      if (
        (subscriber === undefined) === (subscriberId === undefined) &&
        (user === undefined) === (userId === undefined)
      )
        entries.push(entryOf(entry));
    }
  }
  return entries;
}
