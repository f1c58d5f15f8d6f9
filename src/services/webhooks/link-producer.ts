import type { AppId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import type { FeedEntry } from '../../database/feed.js';
import { listLiveLinks, type LinkFields, type WebhookLink } from '../../stores/webhook-links.js';
import { LiveRules, type StreamMatch } from '../streams/live-rules.js';
import type { NewDelivery, WebhookProducer } from './producer.js';

/** Returns the message of a stream for a match, as JSON; undefined if the post is no longer visible. */
export type WriteMessage = (match: StreamMatch, fields: LinkFields) => Promise<string | undefined>;

/** All posts of a link arrive in order. */
const SUBSCRIPTION = 'filtered stream';

/** Sends the filtered streams of apps to the webhooks that they are linked to. */
export class LinkProducer implements WebhookProducer {
  readonly #engine: Engine;
  readonly #write: WriteMessage;
  readonly #rules: LiveRules;
  /** Releases the rules of each app with links. */
  readonly #held = new Map<AppId, () => void>();

  constructor(engine: Engine, write: WriteMessage) {
    this.#engine = engine;
    this.#write = write;
    this.#rules = new LiveRules(engine);
  }

  async deliveriesFor(entries: readonly FeedEntry[]): Promise<readonly NewDelivery[]> {
    const links = await listLiveLinks(this.#engine);
    await this.#use(new Set(links.map(({ appId }) => appId)));
    if (links.length === 0) return [];
    const matches = await this.#rules.match(entries);
    const deliveries: NewDelivery[] = [];
    for (const link of links)
      deliveries.push(...(await this.#deliveriesTo(link, matches.get(link.appId) ?? [])));
    return deliveries;
  }

  /** Knows the rules of these apps, and of no others. */
  async #use(apps: ReadonlySet<AppId>): Promise<void> {
    for (const [appId, release] of this.#held) {
      if (apps.has(appId)) continue;
      release();
      this.#held.delete(appId);
    }
    for (const appId of apps)
      if (!this.#held.has(appId)) this.#held.set(appId, await this.#rules.hold(appId));
  }

  async #deliveriesTo(
    { webhookId, fields }: WebhookLink,
    matches: readonly StreamMatch[],
  ): Promise<NewDelivery[]> {
    const deliveries: NewDelivery[] = [];
    for (const match of matches) {
      const body = await this.#write(match, fields);
      if (body !== undefined) deliveries.push({ webhookId, subscription: SUBSCRIPTION, body });
    }
    return deliveries;
  }
}
