import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SNOWFLAKE_EPOCH_MS } from '../src/core/snowflake.js';
import { openEngine } from '../src/database/open-engine.js';
import { sql } from '../src/database/sql.js';
import { startChild } from './child.js';
import { measureSide, median } from './measure.js';
import { countedPost, getRequest, type RequestPlan } from './requests.js';
import { loadWorldDocument, startBenchServer } from './server.js';

/** The cost of many relations compared with few. */
const FEW = 10;
const MANY_FOLLOWED = 2_000;
const MANY_FOLLOWERS = 100_000;
const POSTS_EACH = 5;

const TARGET = 1.3;
const CONNECTIONS = 8;
const WARM_UP_SECONDS = 2;
const HOST = 'bench.example';
const FIRST_ID = 1_000;
const FIRST_FOLLOWER = 10_000_000;
const FIRST_POST_MS = Date.UTC(2022, 0, 1);
const APP_ID = '32';

const READERS = ['reader_few', 'reader_many'] as const;
const AUTHORS = ['author_few', 'author_many'] as const;
const ACTORS = [...READERS, ...AUTHORS];

/** Prints the cost of a home page by the number of followed users, and of a post by the number of followers. */
export async function measureCosts(
  engine: string,
  folder: string,
  url: string,
  settings: { readonly seconds: number; readonly rounds: number },
): Promise<void> {
  const file = join(folder, 'costs.json');
  await writeFile(file, JSON.stringify(costsWorld()));
  await loadWorldDocument(folder, file, url);
  await addFollowers(url);
  const server = await startBenchServer(url, [], folder);
  const generator = startChild('./generator.ts');
  const compare = async (plans: readonly (() => RequestPlan)[], status: number): Promise<number> => {
    const ask = async (plan: () => RequestPlan, seconds: number): Promise<number> => {
      const round = {
        port: server.port,
        connections: CONNECTIONS,
        seconds,
        status,
        polls: true,
        plan: plan(),
      };
      return (await measureSide(generator, server.pid, round)).perSecond;
    };
    for (const plan of plans) await ask(plan, WARM_UP_SECONDS);
    const ratios: number[] = [];
    for (let round = 0; round < settings.rounds * 2; round += 1) {
      const [few, many] = [
        await ask(plans[0] ?? fail, settings.seconds),
        await ask(plans[1] ?? fail, settings.seconds),
      ];
      ratios.push(few / many);
    }
    return median(ratios);
  };
  try {
    const home = await compare(
      READERS.map((name) => () => homePlan(name)),
      200,
    );
    print(engine, `home page, ${FEW} and ${MANY_FOLLOWED} followed users`, home);
    const post = await compare(
      AUTHORS.map((name) => () => postPlan(name)),
      201,
    );
    print(engine, `post, ${FEW} and ${MANY_FOLLOWERS} followers`, post);
  } finally {
    await Promise.all([generator.end(), server.end('SIGTERM')]);
  }
}

function print(engine: string, title: string, ratio: number): void {
  const verdict = ratio <= TARGET ? 'reached' : 'MISSED';
  console.log(`  ${engine}, ${title}: ${ratio.toFixed(2)} times the time (target <= ${TARGET}, ${verdict})`);
}

function fail(): never {
  throw new Error('nothing to compare');
}

function homePlan(name: string): RequestPlan {
  const path = `/2/users/${idOf(name)}/timelines/reverse_chronological?max_results=20&expansions=author_id`;
  return { kind: 'same', text: getRequest(path, HOST, `Bearer ${tokenOf(name)}`) };
}

function postPlan(name: string): RequestPlan {
  return countedPost('/2/tweets', HOST, `Bearer ${tokenOf(name)}`, (Date.now() * 100) % 1e12);
}

function idOf(name: string): string {
  return String(FIRST_ID + ACTORS.findIndex((actor) => actor === name));
}

function tokenOf(name: string): string {
  return `costs-token-${name}`;
}

function followedName(index: number): string {
  return `followed_${index}`;
}

function costsWorld(): object {
  const followed = Array.from({ length: MANY_FOLLOWED }, (_, index) => followedName(index));
  return {
    users: [
      ...ACTORS.map((username) => ({ id: idOf(username), username, name: username })),
      ...followed.map((username, index) => ({
        id: String(FIRST_ID + 100 + index),
        username,
        name: username,
      })),
    ],
    follows: [
      ...followed.slice(0, FEW).map((to) => ({ from: 'reader_few', to })),
      ...followed.map((to) => ({ from: 'reader_many', to })),
      ...followed.slice(0, FEW).map((from) => ({ from, to: 'author_few' })),
    ],
    posts: followed.flatMap((author, person) =>
      Array.from({ length: POSTS_EACH }, (_, n) => {
        const number = n * followed.length + person;
        const id = BigInt(FIRST_POST_MS + number * 1_000 - SNOWFLAKE_EPOCH_MS) << 22n;
        return { id: String(id), author, text: `Post no. ${number}` };
      }),
    ),
    apps: [
      {
        id: APP_ID,
        name: 'Costs bench',
        owner: ACTORS[0],
        access_level: 'elevated',
        track: 'standard',
        permissions: 'read_write',
        api_key: 'costs-api-key',
        api_secret: 'costs-api-secret',
        bearer_token: 'costs-bearer',
        client_id: 'costs-client',
        redirect_uris: [],
      },
    ],
    tokens: ACTORS.map((user) => ({
      app: APP_ID,
      user,
      kind: 'oauth2',
      access_token: tokenOf(user),
      scopes: ['tweet.read', 'tweet.write', 'users.read'],
    })),
  };
}

/** Inserts the rows of follows directly: a world file of so many people would take longer than everything else. */
async function addFollowers(url: string): Promise<void> {
  const engine = await openEngine(url, { durability: 'relaxed' });
  const author = BigInt(idOf('author_many'));
  const numbers = sql`numbers (n) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MANY_FOLLOWERS - 1})`;
  const follower = sql`${FIRST_FOLLOWER} + n`;
  await engine.tx('followers', async (tx) => {
    await tx.run(sql`WITH RECURSIVE ${numbers} INSERT INTO followers (user_id, follower_id, edge_id)
      SELECT ${author}, ${follower}, n FROM numbers`);
    await tx.run(sql`WITH RECURSIVE ${numbers} INSERT INTO follows (user_id, target_id, edge_id)
      SELECT ${follower}, ${author}, n FROM numbers`);
    await tx.run(sql`WITH RECURSIVE ${numbers} INSERT INTO large_follows (user_id, author_id)
      SELECT ${follower}, ${author} FROM numbers`);
    await tx.run(sql`INSERT INTO large_authors (user_id, is_ready) VALUES (${author}, 1)`);
    await tx.run(sql`UPDATE user_counts SET followers = ${MANY_FOLLOWERS} WHERE user_id = ${author}`);
  });
  await engine.close();
}
