/**
 * The cost of matching new posts with the rules of filtered streams: posts per second on one core, of loading what rules
 * look at and of matching alone. `npm run bench:stream-rules -- --help`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import type { AppId, PostId, StreamRuleId } from '../src/core/ids.js';
import { openEngine } from '../src/database/open-engine.js';
import type { Engine } from '../src/database/engine.js';
import { RuleIndex } from '../src/services/streams/matching/rule-index.js';
import { loadRulePosts, type RulePost } from '../src/services/streams/matching/rule-post.js';
import { pagePosts } from '../src/stores/posts.js';
import { seeded } from '../test/support/random-search.js';
import { fillSearchable } from './search-fill.js';
import { FIRST_AUTHOR_ID, AUTHORS, WORDS } from './search-posts.js';
import { seedDatabase } from './server.js';
import { zipf } from './zipf.js';

const USAGE = `Usage: npm run bench:stream-rules -- [options]
  --rules N  rules (10000)
  --apps N   apps that the rules belong to (100)
  --posts N  posts to match (5000)`;

/** Posts that are loaded together, as from the feed of changes. */
const BATCH = 20;
const SEEDED = 10;
const TARGET_PER_SECOND = 1_000;

type Random = () => number;

/** Returns the values of rules as people write them: words, phrases, alternatives, tags, authors and exclusions. */
function ruleValues(count: number, random: Random): string[] {
  const rank = zipf(WORDS, random, 1);
  const word = (): string => `w${rank()}`;
  const author = (): number => FIRST_AUTHOR_ID + Math.floor(random() * AUTHORS);
  const forms: readonly (readonly [share: number, form: () => string])[] = [
    [0.3, () => word()],
    [0.2, () => `${word()} ${word()}`],
    [0.1, () => `"${word()} ${word()}"`],
    [0.1, () => `(${word()} OR ${word()} OR ${word()}) lang:en`],
    [0.1, () => `#${word()}`],
    [0.1, () => `from:${author()}`],
    [0.05, () => `${word()} -${word()} -is:reply`],
    [0.05, () => `url:example has:links ${word()} ${word()}`],
  ];
  const formAt = (point: number): (() => string) => {
    let left = point;
    return forms.find(([share]) => (left -= share) < 0)?.[1] ?? word;
  };
  return Array.from({ length: count }, () => formAt(random())());
}

function indexOf(rules: number, apps: number): RuleIndex {
  const index = new RuleIndex();
  const startMs = performance.now();
  ruleValues(rules, seeded(11)).forEach((value, n) =>
    index.add({
      id: BigInt(n) as StreamRuleId,
      appId: BigInt(n % apps) as AppId,
      value,
      createdAtMs: 0,
    }),
  );
  console.log(`${rules} rules of ${apps} apps added in ${(performance.now() - startMs).toFixed(0)} ms`);
  return index;
}

/** Runs `work` on batches of posts after a warm-up, and returns the CPU microseconds per post. */
async function costOf(ids: readonly PostId[], work: (batch: readonly PostId[]) => Promise<void>) {
  const run = async (some: readonly PostId[]): Promise<void> => {
    for (let at = 0; at < some.length; at += BATCH) await work(some.slice(at, at + BATCH));
  };
  await run(ids.slice(0, ids.length / 5));
  const before = process.cpuUsage();
  await run(ids);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / ids.length;
}

async function report(engine: Engine, index: RuleIndex, posts: number): Promise<void> {
  const ids = (await pagePosts(engine, 0n as PostId, posts + SEEDED)).map(({ id }) => id).slice(SEEDED);
  const loaded = new Map<PostId, RulePost>();
  let matches = 0;
  const loading = await costOf(ids, async (batch) => {
    for (const post of await loadRulePosts(engine, batch, index.listIds())) loaded.set(post.id, post);
  });
  const matching = await costOf(ids, async (batch) => {
    for (const id of batch) {
      const post = loaded.get(id);
      if (post) matches += index.match(post).length;
    }
    await Promise.resolve();
  });
  console.log(`${(matches / ids.length / 1.2).toFixed(1)} rules match a post`);
  print('matching', matching);
  print('loading and matching', loading + matching, TARGET_PER_SECOND);
}

function print(what: string, microseconds: number, target?: number): void {
  const perSecond = 1_000_000 / microseconds;
  const outcome =
    target === undefined ? '' : ` (target ${target}: ${perSecond >= target ? 'reached' : 'MISSED'})`;
  console.log(
    `${what}: ${microseconds.toFixed(0)} us of CPU per post, ${perSecond.toFixed(0)} posts/s${outcome}`,
  );
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rules: { type: 'string', default: '10000' },
      apps: { type: 'string', default: '100' },
      posts: { type: 'string', default: '5000' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const folder = await mkdtemp(join(tmpdir(), 'pipit-stream-rules-'));
  const url = `sqlite:${join(folder, 'pipit.db')}`;
  try {
    await seedDatabase(folder, SEEDED, url);
    const engine = await openEngine(url, { durability: 'relaxed' });
    await fillSearchable(engine, Number(values.posts));
    await report(engine, indexOf(Number(values.rules), Number(values.apps)), Number(values.posts));
    await engine.close();
  } finally {
    await rm(folder, { recursive: true });
  }
}

await main();
