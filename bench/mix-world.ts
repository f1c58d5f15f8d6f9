import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Engine } from '../src/database/engine.js';
import { openEngine } from '../src/database/open-engine.js';
import { tidyIndex } from '../src/services/search/index-posts.js';
import { seeded } from '../test/support/random-search.js';
import { EDITOR_PASSWORD, EDITORS } from './mix-editors.js';
import { mixPosts, type WirePost } from './mix-posts.js';
import { loadWorldDocument, runPipit } from './server.js';
import { insertFollows, socialWorld, type SocialUser, type SocialWorld } from './social-world.js';
import { shuffled } from './zipf.js';

/** Fixes people's ranks and posts. */
const SEED = 98;
const PAGE = 250;
const RECENT = 20;

/** A user who reads and posts. */
export interface MixPerson extends SocialUser {
  /** The ids of their newest posts. */
  readonly recent: readonly string[];
}

export interface MixWorld {
  /** The origin of the graph. */
  readonly graph: string;
  readonly follows: number;
  /** The most active first. */
  readonly people: readonly MixPerson[];
  readonly posts: number;
}

/**
 * Fills an empty database with the people of the social graph, by `pipit load`, their follows, and `posts` posts, by
 * `pipit import`. `folder` is the one in which the server runs; temporary files are written beside it.
 */
export async function fillMixWorld(folder: string, url: string, posts: number): Promise<MixWorld> {
  const files = `${folder}-files`;
  await mkdir(files);
  const world = socialWorld(0);
  const random = seeded(SEED);
  const ranked = shuffled(world.users, random);
  const recent = new Map<string, string[]>(ranked.map(({ id }) => [id, []]));
  try {
    await writeFile(join(files, 'world.json'), JSON.stringify(withPasswords(world, ranked)));
    await loadWorldDocument(folder, join(files, 'world.json'), url);
    await onEngine(url, (engine) => insertFollows(engine, world.follows));
    const pages = pagesOf(noting(recent, mixPosts(ranked, posts, random)));
    await pipeline(Readable.from(pages), createWriteStream(join(files, 'posts.jsonl')));
    await runPipit(folder, ['import', 'twarc', join(files, 'posts.jsonl'), '--database', url]);
    await onEngine(url, tidy);
  } finally {
    await rm(files, { recursive: true });
  }
  const people = ranked.map((user) => ({ ...user, recent: recent.get(user.id) ?? [] }));
  return { graph: world.graph, follows: world.follows.length, people, posts };
}

/** Returns the world file with passwords for the people who change their profiles. */
function withPasswords({ users, document }: SocialWorld, ranked: readonly SocialUser[]): object {
  const editors = new Set(ranked.slice(0, EDITORS));
  return {
    ...document,
    users: document.users.map((user, index) =>
      editors.has(users[index] as SocialUser) ? { ...user, password: EDITOR_PASSWORD } : user,
    ),
  };
}

/** Passes posts on and keeps the newest ids of each author. */
function* noting(
  recent: ReadonlyMap<string, string[]>,
  posts: Iterable<WirePost>,
): Generator<WirePost, void> {
  for (const post of posts) {
    const own = recent.get(post.data.author_id);
    if (own && own.push(post.data.id) > RECENT) own.shift();
    yield post;
  }
}

function* pagesOf(posts: Iterable<WirePost>): Generator<string, void> {
  let page: WirePost[] = [];
  for (const post of posts) {
    if (page.push(post) < PAGE) continue;
    yield lineOf(page);
    page = [];
  }
  if (page.length > 0) yield lineOf(page);
}

function lineOf(posts: readonly WirePost[]): string {
  const line = {
    data: posts.map(({ data }) => data),
    includes: {
      media: posts.flatMap(({ media }) => media ?? []),
      polls: posts.flatMap(({ poll }) => poll ?? []),
      places: posts.flatMap(({ place }) => place ?? []),
    },
    meta: { result_count: posts.length },
    __twarc: {
      url: 'https://api.example/2/tweets',
      version: '2.9.0',
      retrieved_at: '2024-06-01T00:00:00+00:00',
    },
  };
  return `${JSON.stringify(line)}\n`;
}

/** Does the maintenance of the search index that an idle server does. */
async function tidy(engine: Engine): Promise<void> {
  while (await tidyIndex(engine));
}

async function onEngine(url: string, work: (engine: Engine) => Promise<void>): Promise<void> {
  const engine = await openEngine(url, { durability: 'relaxed' });
  try {
    await work(engine);
  } finally {
    await engine.close();
  }
}
