import { setImmediate as turn } from 'node:timers/promises';
import { createAtMost } from '../../core/at-most.js';
import type { AppId, PostId, StreamRuleId } from '../../core/ids.js';
import type { StreamRule } from '../../core/stream-rule.js';
import type { Engine } from '../../database/engine.js';
import type { FeedEntry } from '../../database/feed.js';
import { grouped } from '../../core/grouped.js';
import { listAllStreamRules } from '../../stores/stream-rules.js';
import { RuleIndex } from './matching/rule-index.js';
import { loadRulePosts } from './matching/rule-post.js';
import { postsOf } from './streamed-posts.js';

/** A post and the rules of one app that match it. */
export interface StreamMatch {
  readonly postId: PostId;
  readonly rules: readonly StreamRule[];
}

/** The rules of an app by their ids. */
type AppRules = ReadonlyMap<StreamRuleId, StreamRule>;

/** The number of rules added to the index before other requests get a turn: milliseconds of work. */
const RULES_PER_TURN = 50;

/** The rules of the apps that somebody follows, in step with the database (docs/design/streams.md#matching). */
export class LiveRules {
  readonly #engine: Engine;
  readonly #apps = new Map<AppId, AppRules>();
  /** How often each app is held. */
  readonly #holds = new Map<AppId, number>();
  readonly #index = new RuleIndex();
  readonly #version: () => number;
  readonly #exclusively = createAtMost(1);
  #knownVersion = -1;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#version = engine.changesIn(['stream_rules']);
  }

  /** Loads the rules of an app, and keeps them until the returned function is called as often as this one. */
  async hold(appId: AppId): Promise<() => void> {
    const release = this.#count(appId);
    try {
      await this.#exclusively(() => this.#include(appId));
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  /** Returns the matches of each held app among the posts that the entries made, in their order, by today's rules. */
  async match(entries: readonly FeedEntry[]): Promise<Map<AppId, StreamMatch[]>> {
    await this.#exclusively(() => this.#refresh());
    const posts = await loadRulePosts(this.#engine, postsOf(entries), this.#index.listIds());
    return grouped(
      posts.flatMap((post) => {
        const byApp = grouped(this.#index.match(post).map((rule) => [rule.appId, rule]));
        return [...byApp].map(([appId, rules]) => [appId, { postId: post.id, rules }] as const);
      }),
    );
  }

  #count(appId: AppId): () => void {
    this.#holds.set(appId, (this.#holds.get(appId) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const others = (this.#holds.get(appId) ?? 1) - 1;
      if (others > 0) this.#holds.set(appId, others);
      else this.#exclude(appId);
    };
  }

  #exclude(appId: AppId): void {
    this.#holds.delete(appId);
    for (const rule of this.#apps.get(appId)?.values() ?? []) this.#index.remove(rule);
    this.#apps.delete(appId);
  }

  async #include(appId: AppId): Promise<void> {
    if (this.#apps.has(appId) || !this.#holds.has(appId)) return;
    this.#apps.set(appId, new Map());
    try {
      await this.#update(appId);
    } catch (error) {
      this.#apps.delete(appId);
      throw error;
    }
  }

  /** Takes over the changes of rules that any process made. */
  async #refresh(): Promise<void> {
    await this.#engine.catchUp();
    const version = this.#version();
    if (version === this.#knownVersion) return;
    for (const appId of this.#apps.keys()) await this.#update(appId);
    this.#knownVersion = version;
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
