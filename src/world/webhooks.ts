import type { AppId, WebhookId } from '../core/ids.js';
import { timeOfId } from '../core/snowflake.js';
import * as v from '../core/validators.js';
import { faultOfWebhookUrl, MAX_WEBHOOKS } from '../services/webhooks/webhook-url.js';
import { insertAccountSubscription } from '../stores/account-subscriptions.js';
import { beginDispatch } from '../stores/webhook-dispatch.js';
import { replaceLink } from '../stores/webhook-links.js';
import { findWebhook, insertWebhook, listWebhooks } from '../stores/webhooks.js';
import { requireApps } from './credentials.js';
import { referencesIn } from './known.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { idOf, listOf, objectOf, valuesOf } from './readers.js';
import { username } from './users.js';
import { worldTime } from './world-time.js';

const MAX_REASON = 1_000;
const MAX_NAMES = 100;

const names = valuesOf(
  v.matching(/^[a-z][a-z0-9_.]{0,63}$/, { description: 'the name of a field or an expansion' }),
  { min: 1, max: MAX_NAMES },
);

/** What the posts of the stream have, as the parameters of a request name it. */
const fields = v.object({
  expansions: names,
  'tweet.fields': names,
  'media.fields': names,
  'poll.fields': names,
  'place.fields': names,
  'user.fields': names,
});

const webhook = objectOf({
  id: v.required(idOf<WebhookId>()),
  app: v.required(idOf<AppId>()),
  url: v.required(v.text()),
  created_at: worldTime,
  valid: v.boolean(),
  invalid_reason: v.text({ min: 1, max: MAX_REASON }),
  filtered_stream: objectOf({ fields, created_at: worldTime }),
  account_activity: valuesOf(username),
});
export const readWebhooks = listOf(webhook);
export type WorldWebhook = v.ValueOf<typeof webhook>;

/** Checks that apps and users exist, the rules of webhooks, and that a stored webhook has the same app and URL. */
export async function checkWebhooks(
  entries: readonly WorldWebhook[],
  declaredApps: ReadonlySet<string>,
  check: Check,
): Promise<void> {
  const { known, faults } = check;
  requireUnique(entries, 'id', (entry) => entry.id, faults);
  requireUnique(entries, 'url', (entry) => `${entry.app} ${entry.url}`, faults);
  await requireApps(entries, declaredApps, check);
  await known.requireUsers(referencesIn(entries, 'account_activity'), faults);
  const counts = new Map<AppId, number>();
  for (const { id, app, url, valid = true, invalid_reason: reason, path } of entries) {
    counts.set(app, (counts.get(app) ?? 0) + 1);
    if (counts.get(app) === MAX_WEBHOOKS + 1)
      faults.add(path, `app ${app} may have at most ${MAX_WEBHOOKS} webhooks`);
    const fault = faultOfWebhookUrl(url);
    if (fault !== undefined) faults.add(`${path}.url`, fault);
    if (valid && reason !== undefined)
      faults.add(`${path}.invalid_reason`, 'is for a webhook with valid: false');
    const stored = await findWebhook(known.db, id);
    if (stored && (stored.appId !== app || stored.url !== url))
      faults.add(`${path}.id`, `is the webhook ${stored.url} of app ${stored.appId} in the database`);
  }
}

/**
 * Stores the webhooks that the apps do not have, with what goes to them. Sends nothing: the first check is due an hour
 * later. Skips a webhook whose URL the app has registered since, and those beyond the limit.
 */
export async function storeWebhooks(entries: readonly WorldWebhook[], load: Load): Promise<void> {
  const { tx, nowMs, feedPosition } = load;
  for (const entry of entries) {
    const { id, app: appId, url, valid = true, invalid_reason: invalidReason } = entry;
    const stored = await listWebhooks(tx, appId);
    if (stored.length >= MAX_WEBHOOKS || stored.some((each) => each.id === id || each.url === url)) continue;
    const createdAtMs = entry.created_at?.at(nowMs) ?? timeOfId(id) ?? nowMs;
    const state = { isValid: valid, invalidReason, checkedAtMs: nowMs };
    await insertWebhook(tx, { id, appId, url, createdAtMs, ...state });
    await storeSubscriptions(entry, load);
    load.added('webhooks');
    if (feedPosition !== undefined) await beginDispatch(tx, feedPosition);
  }
}

async function storeSubscriptions(entry: WorldWebhook, { tx, known, nowMs }: Load): Promise<void> {
  const { id, app: appId, filtered_stream: stream, account_activity: subscribers = [] } = entry;
  if (stream) {
    const given = Object.entries(stream.fields ?? {}).map(([name, values = []]) => [name, values]);
    const createdAtMs = stream.created_at?.at(nowMs) ?? nowMs;
    await replaceLink(tx, { webhookId: id, appId, fields: Object.fromEntries(given), createdAtMs });
  }
  for (const name of subscribers)
    await insertAccountSubscription(tx, id, known.userId(name), appId, BigInt(nowMs));
}
