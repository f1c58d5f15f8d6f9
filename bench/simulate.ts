/**
 * Simulates fan-out and hot keys on a network whose followers have a power law (docs/scaling.md). It runs no server.
 * `npm run bench:simulate -- --help`.
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '../src/core/seeded-random.js';
import { LARGE_AUTHOR_FOLLOWERS } from '../src/services/timelines/home-writes.js';
import { arrivingEntries, backlogOf, thresholdCosts } from './simulate-fan-out.js';
import { hotPosts } from './simulate-hot-posts.js';
import { createNetwork, type NetworkShape } from './simulate-network.js';
import { shardLoad } from './simulate-shards.js';

const USAGE = `Usage: npm run bench:simulate -- [options]
  --users N          users of the network (10000000)
  --follows N        accounts that a user follows, on average (100)
  --exponent X       exponent of the number of followers (2.276)
  --posts-per-user X posts a day for each user (0.5)
  --activity X       rates of posts grow with followers to this power (0.3)
  --homes-per-post N home pages that are read for each post (100)
  --shards NS        numbers of shards, separated by commas (4,16,64)
  --peak X           the busiest hour, as a multiple of the mean (3)
  --seed N           another seed gives another network of the same shape (1)`;

/** Simulated time: the busiest hour for queues, less for shards, whose every second is alike. */
const QUEUE_SECONDS = 3_600;
const SHARD_SECONDS = 120;

/** Home pages a second that are drawn at most: each takes a hundred draws. */
const MOST_HOMES = 200;

const THRESHOLDS = [1_000, LARGE_AUTHOR_FOLLOWERS, 20_000, 100_000, Number.POSITIVE_INFINITY];

function main(): void {
  const { values } = parseArgs({
    options: {
      users: { type: 'string', default: '10000000' },
      follows: { type: 'string', default: '100' },
      exponent: { type: 'string', default: '2.276' },
      'posts-per-user': { type: 'string', default: '0.5' },
      activity: { type: 'string', default: '0.3' },
      'homes-per-post': { type: 'string', default: '100' },
      shards: { type: 'string', default: '4,16,64' },
      peak: { type: 'string', default: '3' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const shape: NetworkShape = {
    users: Number(values.users),
    follows: Number(values.follows),
    exponent: Number(values.exponent),
    postsPerUser: Number(values['posts-per-user']),
    activity: Number(values.activity),
  };
  const [peak, homesPerPost] = [Number(values.peak), Number(values['homes-per-post'])];
  simulate(shape, {
    peak,
    homesPerPost,
    shards: values.shards.split(',').map(Number),
    seed: Number(values.seed),
  });
}

interface Load {
  readonly peak: number;
  readonly homesPerPost: number;
  readonly shards: readonly number[];
  readonly seed: number;
}

function simulate(shape: NetworkShape, { peak, homesPerPost, shards, seed }: Load): void {
  const random = seededRandom(seed);
  const network = createNetwork(shape, random);
  const postsPerSecond = (shape.users * shape.postsPerUser * peak) / 86_400;
  const threshold = LARGE_AUTHOR_FOLLOWERS;
  print('Network', [
    {
      users: shape.users,
      'follows, mean': network.followers.reduce((sum, count) => sum + count, 0) / shape.users,
      'most followers': network.followers.reduce((most, count) => Math.max(most, count), 0),
      'posts a second, peak': postsPerSecond,
      'home pages a second, peak': postsPerSecond * homesPerPost,
    },
  ]);
  print(
    'Threshold between fan-out and merging on read',
    thresholdCosts(network, THRESHOLDS).map(({ mergedLists: { mean, p50, p99 }, ...cost }) => ({
      ...cost,
      'entries a second, peak': cost.entriesPerPost * postsPerSecond,
      'lists a page, mean': mean,
      p50,
      p99,
    })),
  );
  const entries = arrivingEntries(network, { postsPerSecond, seconds: QUEUE_SECONDS, threshold, random });
  const mean = entries.reduce((sum, count) => sum + count, 0) / entries.length;
  print(
    'Waiting of entries in the busiest hour, in seconds',
    [1.1, 1.25, 1.5, 2, 3].map((factor) => backlogOf(entries, factor * mean)),
  );
  const homesPerSecond = Math.min(MOST_HOMES, postsPerSecond * homesPerPost);
  const run = { seconds: SHARD_SECONDS, postsPerSecond, homesPerSecond, threshold, random };
  print(
    'Busiest shard, as a multiple of the mean: of the run, and of a second (p99)',
    shards.map((count) => {
      const { entries: fanOut, posts, merges, cachedMerges } = shardLoad(network, { ...run, shards: count });
      return {
        shards: count,
        entries: fanOut.busiest,
        'a second': fanOut.busiestSecond,
        posts: posts.busiest,
        'a second ': posts.busiestSecond,
        merges: merges.busiest,
        'a second  ': merges.busiestSecond,
        'merges from 1,000 cached lists': cachedMerges,
      };
    }),
  );
  print('Hot posts: changes of the counts of one post', hotPosts(network.followers));
}

function print(title: string, rows: readonly Readonly<Record<string, number>>[]): void {
  console.log(`\n${title}`);
  console.table(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, rounded(value)]))),
  );
}

/** Returns a number with three digits, or whole. */
function rounded(value: number): number {
  return Number.isFinite(value) && Math.abs(value) < 1_000 ? Number(value.toPrecision(3)) : Math.round(value);
}

main();
