import { setImmediate as turn } from 'node:timers/promises';
import type { AppId, PostId, StreamRuleId } from '../../core/ids.js';
import type { StreamRule } from '../../core/stream-rule.js';
import type { Engine } from '../../database/engine.js';
import type { FeedEntry } from '../../database/feed.js';
import { listAllStreamRules } from '../../stores/stream-rules.js';
import { RuleIndex } from './matching/rule-index.js';
import { loadRulePosts } from './matching/rule-post.js';

/** A post and the rules of one app that match it. */
export interface StreamMatch {
  readonly postId: PostId;
  readonly rules: readonly StreamRule[];
}

/** The rules of an app by their ids. */
type AppRules = ReadonlyMap<StreamRuleId, StreamRule>;

/** The number of rules added to the index before other requests get a turn: milliseconds of work. */
const RULES_PER_TURN = 50;

/** The rules of the apps that have streams, in step with the database (docs/design/streams.md#streams). */
export class LiveRules {
  readonly #engine: Engine;
  readonly #apps = new Map<AppId, AppRules>();
  readonly #index = new RuleIndex();
  readonly #version: () => number;
  #knownVersion = -1;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#version = engine.changesIn(['stream_rules']);
  }

  /** Adds the rules of an app. Does nothing if they are there. */
  async include(appId: AppId): Promise<void> {
    if (this.#apps.has(appId)) return;
    this.#apps.set(appId, new Map());
    await this.#update(appId);
  }

  /** Removes the rules of an app. */
  exclude(appId: AppId): void {
    for (const rule of this.#apps.get(appId)?.values() ?? []) this.#index.remove(rule);
    this.#apps.delete(appId);
  }

  /** Takes over the changes of rules that any process made. */
  async refresh(): Promise<void> {
    await this.#engine.catchUp();
    const version = this.#version();
    if (version === this.#knownVersion) return;
    for (const appId of this.#apps.keys()) await this.#update(appId);
    this.#knownVersion = version;
  }

  /** Returns the matches of each app among the posts that the entries made, in their order. */
  async match(entries: readonly FeedEntry[]): Promise<Map<AppId, StreamMatch[]>> {
    const matches = new Map<AppId, StreamMatch[]>();
    for (const post of await loadRulePosts(this.#engine, postsOf(entries), this.#index.listIds())) {
      for (const [appId, rules] of byApp(this.#index.match(post))) {
        const found = matches.get(appId) ?? [];
        found.push({ postId: post.id, rules });
        matches.set(appId, found);
      }
    }
    return matches;
  }

  /** Brings an app's rules up to date, unless the app is excluded meanwhile. */
  async #update(appId: AppId): Promise<void> {
    const stored = await listAllStreamRules(this.#engine, appId);
    const known = this.#apps.get(appId);
    if (known === undefined) return;
    const rules: AppRules = new Map(stored.map((rule) => [rule.id, rule]));
    this.#apps.set(appId, rules);
    for (const rule of known.values()) if (!rules.has(rule.id)) this.#index.remove(rule);
    const added = stored.filter(({ id }) => !known.has(id));
    for (const [index, rule] of added.entries()) {
      if (index % RULES_PER_TURN === RULES_PER_TURN - 1) await turn();
      if (this.#apps.get(appId) !== rules) return;
      this.#index.add(rule);
    }
  }
}

function postsOf(entries: readonly FeedEntry[]): PostId[] {
  return entries.flatMap(({ events }) =>
    events.flatMap((event) =>
      event.kind === 'post-made' || event.kind === 'post-edited' ? [event.postId] : [],
    ),
  );
}

function byApp(rules: readonly StreamRule[]): Map<AppId, StreamRule[]> {
  const apps = new Map<AppId, StreamRule[]>();
  for (const rule of rules) {
    const list = apps.get(rule.appId) ?? [];
    list.push(rule);
    apps.set(rule.appId, list);
  }
  return apps;
}
