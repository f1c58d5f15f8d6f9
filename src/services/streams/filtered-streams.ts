import { PipitError } from '../../core/errors.js';
import type { AppId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import type { FeedEntry } from '../../database/feed.js';
import { countStreamRules } from '../../stores/stream-rules.js';
import { LiveRules, type StreamMatch } from './live-rules.js';

/** The matches of each app. */
type Matches = ReadonlyMap<AppId, readonly StreamMatch[]>;

/** Matches new posts with the rules of the apps that have filtered streams (docs/design/streams.md#matching). */
export class FilteredStreams {
  readonly #engine: Engine;
  readonly #rules: LiveRules;
  /** The matches among entries that several streams ask for. */
  readonly #known = new WeakMap<readonly FeedEntry[], Promise<Matches>>();

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#rules = new LiveRules(engine);
  }

  /** Loads the rules of an app until the returned function is called. Throws 'stream-refused' if there are none. */
  async hold(appId: AppId): Promise<() => void> {
    if ((await countStreamRules(this.#engine, appId)) === 0) throw noRules();
    return this.#rules.hold(appId);
  }

  /** Returns the posts among the entries that match rules of the app, in order. The app's rules must be loaded. */
  async matches(appId: AppId, entries: readonly FeedEntry[]): Promise<readonly StreamMatch[]> {
    let matches = this.#known.get(entries);
    if (matches === undefined) {
      matches = this.#rules.match(entries);
      this.#known.set(entries, matches);
    }
    return (await matches).get(appId) ?? [];
  }
}

function noRules(): PipitError {
  const detail =
    'The app has no rules. Add rules with POST /2/tweets/search/stream/rules before you connect to the stream.';
  return new PipitError({ code: 'stream-refused', issue: 'RuleConfigurationIssue', detail });
}
