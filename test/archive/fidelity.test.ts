import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importTwarc, type ImportResult } from '../../src/archive/import-twarc.js';
import { fileSource } from '../../src/archive/source.js';
import { findPlaces } from '../../src/stores/places.js';
import { startTestApp, type TestApp } from '../support/app.js';
import {
  compareMedia,
  comparePlace,
  comparePoll,
  comparePost,
  compareUser,
  type Difference,
  type Surroundings,
} from './fidelity.js';
import {
  collectTwarcFiles,
  hasTwarcFiles,
  TWARC_FOLDER,
  twarcFiles,
  type Seen,
  type SeenObjects,
  type WireObject,
} from './twarc-files.js';

const POST_FIELDS =
  'attachments,author_id,context_annotations,conversation_id,created_at,edit_controls,edit_history_tweet_ids,entities,' +
  'geo,id,in_reply_to_user_id,lang,possibly_sensitive,public_metrics,referenced_tweets,reply_settings,source,text,withheld';
const USER_FIELDS =
  'created_at,description,entities,id,location,name,pinned_tweet_id,profile_image_url,protected,public_metrics,url,' +
  'username,verified,verified_type,withheld';
const MEDIA_FIELDS =
  'alt_text,duration_ms,height,media_key,preview_image_url,public_metrics,type,url,variants,width';
const POLL_FIELDS = 'duration_minutes,end_datetime,id,options,voting_status';
const PLACE_FIELDS = 'contained_within,country,country_code,full_name,geo,id,name,place_type';
const EXPANSIONS = 'attachments.media_keys,attachments.poll_ids,geo.place_id,author_id,referenced_tweets.id';

const POSTS_PATH =
  `/2/tweets?tweet.fields=${POST_FIELDS}&user.fields=${USER_FIELDS}&media.fields=${MEDIA_FIELDS}` +
  `&poll.fields=${POLL_FIELDS}&place.fields=${PLACE_FIELDS}&expansions=${EXPANSIONS}&ids=`;
const USERS_PATH = `/2/users?user.fields=${USER_FIELDS}&ids=`;

/** The maximum number of ids per lookup. */
const PAGE = 100;

const title = hasTwarcFiles ? 'real twarc2 files' : `real twarc2 files: skipped without ${TWARC_FOLDER}`;

describe.skipIf(!hasTwarcFiles)(title, () => {
  let app: TestApp;
  let result: ImportResult;
  let seen: SeenObjects;
  const answers = {
    posts: new Map<string, WireObject>(),
    users: new Map<string, WireObject>(),
    media: new Map<string, WireObject>(),
    polls: new Map<string, WireObject>(),
    places: new Map<string, WireObject>(),
  };

  beforeAll(async () => {
    app = await startTestApp();
    const sources = await Promise.all(twarcFiles().map((name) => fileSource(TWARC_FOLDER + name)));
    const { engine } = app.pipit.backend;
    result = await importTwarc({ engine, indexPosts: () => Promise.resolve() }, sources);
    seen = collectTwarcFiles();
    for (const ids of pages([...seen.posts.keys()])) await lookUpPosts(ids);
    for (const ids of pages([...seen.users.keys()])) await lookUpUsers(ids);
  }, 120_000);

  afterAll(() => app?.close());

  const lookUpPosts = async (ids: readonly string[]): Promise<void> => {
    const { status, body } = await app.get(POSTS_PATH + ids.join(','), app.bearer);
    expect(status).toBe(200);
    keep(answers.posts, 'id', body.data);
    keep(answers.media, 'media_key', body.includes?.media);
    keep(answers.polls, 'id', body.includes?.polls);
    keep(answers.places, 'id', body.includes?.places);
  };
  const lookUpUsers = async (ids: readonly string[]): Promise<void> => {
    const { status, body } = await app.get(USERS_PATH + ids.join(','), app.bearer);
    expect(status).toBe(200);
    keep(answers.users, 'id', body.data);
  };

  it('returns every complete post and user of the files', () => {
    expect(seen.posts.size).toBeGreaterThan(1_600);
    expect(seen.users.size).toBeGreaterThan(1_800);
    expect([...seen.posts.keys()].filter((id) => !answers.posts.has(id))).toEqual([]);
    expect([...seen.users.keys()].filter((id) => !answers.users.has(id))).toEqual([]);
    expect([...seen.media.keys()].filter((key) => !answers.media.has(key))).toEqual([]);
    expect([...seen.polls.keys()].filter((id) => !answers.polls.has(id))).toEqual([]);
  });

  it('stores every place; a place without a post is not returned', async () => {
    const stored = await findPlaces(app.pipit.backend.engine, [...seen.places.keys()]);
    expect([...stored.keys()].sort()).toEqual([...seen.places.keys()].sort());
    const posts = [...seen.posts.values()].flat().map(({ object }) => object.geo as WireObject | undefined);
    const referred = new Set(posts.map((geo) => String(geo?.place_id)));
    for (const id of seen.places.keys()) if (!referred.has(id)) seen.places.delete(id);
    expect([...seen.places.keys()].filter((id) => !answers.places.has(id))).toEqual([]);
  });

  it('skips lines of other types and rejects only the truncated one', () => {
    expect(result.skipped).toMatchObject({
      counts: 1,
      lists: 2,
      compliance: 4,
      errors: 0,
      other: 0,
      empty: 0,
    });
    expect(result.firstRefusals.map(({ reason }) => reason)).toEqual([
      'truncated: not JSON, and no line end',
    ]);
    expect(result.refused).toBe(1);
  });

  it.each([
    ['posts', comparePost],
    ['users', compareUser],
    ['media', compareMedia],
    ['polls', comparePoll],
    ['places', comparePlace],
  ] as const)('returns %s as in the files; every difference is explained', (kind, compareObject) => {
    const differences: Difference[] = [];
    for (const [id, sightings] of seen[kind]) {
      const answer = answers[kind].get(id) ?? {};
      for (const sighting of sightings) {
        differences.push(...compareObject(sighting, answer, surroundings(sighting, sightings)));
      }
    }
    expect(differences.filter(({ rule }) => !rule)).toEqual([]);
    report(kind, seen[kind], differences);
  });

  const surroundings = (sighting: Seen, sightings: readonly Seen[]): Surroundings => {
    const references = (sighting.object.referenced_tweets ?? []) as { type: string; id: string }[];
    const repost = references.find(({ type }) => type === 'retweeted');
    return { sightings, original: repost && (seen.posts.get(repost.id) ?? []) };
  };
});

function keep(
  answers: Map<string, WireObject>,
  key: string,
  objects: readonly WireObject[] | undefined,
): void {
  for (const object of objects ?? []) answers.set(String(object[key]), object);
}

function pages(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / PAGE) }, (_unused, n) =>
    ids.slice(n * PAGE, (n + 1) * PAGE),
  );
}

/** Prints the explained differences: the count per rule and field. */
function report(
  kind: string,
  seen: ReadonlyMap<string, readonly Seen[]>,
  differences: readonly Difference[],
): void {
  const sightings = [...seen.values()].reduce((sum, { length }) => sum + length, 0);
  const counts = new Map<string, number>();
  for (const { rule, field } of differences) {
    const key = `${rule} ${field}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const lines = [...counts].sort().map(([key, count]) => `  ${count} ${key}`);
  console.log([`${kind}: ${seen.size}, seen ${sightings} times`, ...lines].join('\n'));
}
