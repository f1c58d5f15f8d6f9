import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SocialModel, type ModelPost } from './support/social-model.js';
import { openStage, type Player, type Stage } from './support/social-stage.js';

const PEOPLE = ['ann', 'ben', 'cat', 'dan'] as const;
const START_MS = Date.parse('2022-10-07T22:42:12.000Z');

const RELATIONS = {
  follow: ['following', true],
  unfollow: ['following', false],
  block: ['blocking', true],
  unblock: ['blocking', false],
  mute: ['muting', true],
  unmute: ['muting', false],
} as const;
type Relation = keyof typeof RELATIONS;

const ON_POSTS = ['reply', 'quote', 'repost', 'unrepost', 'like', 'unlike', 'delete'] as const;
type OnPost = (typeof ON_POSTS)[number];

const verbs = [
  ...(Object.keys(RELATIONS) as Relation[]),
  ...ON_POSTS,
  'post',
  'protect',
  'unprotect',
  'run jobs',
  'cool',
] as const;
const person = fc.constantFrom(...PEOPLE);
const step = fc.record({
  verb: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('post', 'repost', 'follow', 'reply', 'quote') },
    { weight: 15, arbitrary: fc.constantFrom(...verbs) },
    { weight: 1, arbitrary: fc.constant('leave') },
  ),
  who: person,
  whom: person,
  which: fc.nat(30),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** One run: who is there, and what should be seen. */
interface Run {
  readonly stage: Stage;
  readonly players: ReadonlyMap<string, Player>;
  readonly model: SocialModel;
}

let stage: Stage;
let casts = 0;
beforeAll(async () => {
  stage = await openStage(START_MS);
});
afterAll(() => stage[Symbol.asyncDispose]());

describe('timelines and counts against a model', () => {
  it('show what the model shows after every step, whatever people do to each other', async () => {
    const steps = fc.array(step, { minLength: 10, maxLength: 40, size: 'max' });
    const property = fc.asyncProperty(steps, async (taken) => {
      const players = await stage.enter((casts += 1), PEOPLE);
      const run: Run = { stage, players, model: new SocialModel(PEOPLE) };
      for (const [at, one] of taken.entries()) {
        if (await take(run, one, at)) await compareThose(run, [one.who, one.whom]);
      }
      await compareThose(run, PEOPLE);
    });
    await fc.assert(property, { numRuns: 12 });
  }, 120_000);
});

/** Takes a step; false when nothing was done. */
async function take(run: Run, step: Step, at: number): Promise<boolean> {
  const { model } = run;
  const { verb, who, whom, which } = step;
  if (![who, whom].every((name) => model.people().includes(name))) return false;
  run.stage.advance(1_000);
  switch (verb) {
    case 'run jobs':
      await run.stage.runJobs();
      return true;
    case 'cool':
      await run.stage.coolHomeTimelines();
      return true;
    case 'leave':
      await playerOf(run, who).leave();
      model.remove(who);
      return true;
    case 'protect':
    case 'unprotect':
      await playerOf(run, who)[verb]();
      model[verb](who);
      return true;
    case 'post':
      await write(run, who, namesOf(which), at);
      return true;
    case 'follow':
    case 'unfollow':
    case 'block':
    case 'unblock':
    case 'mute':
    case 'unmute':
      return relate(run, verb, who, whom);
    case 'reply':
    case 'quote':
    case 'repost':
    case 'unrepost':
    case 'like':
    case 'unlike':
    case 'delete': {
      const originals = model.originals();
      const post = originals[which % Math.max(originals.length, 1)];
      if (post) await takeOnPost(run, verb, who, post, at);
      return post !== undefined;
    }
  }
}

function playerOf({ players }: Run, name: string): Player {
  return players.get(name) ?? expect.fail(`nobody is called ${name}`);
}

/** Some of the people, chosen by the bits of a number. */
function namesOf(bits: number): string[] {
  return PEOPLE.filter((_, n) => (bits >> n) % 2 === 1);
}

/** Posts with mentions, in answer to something or not; false when it is refused. */
async function write(
  run: Run,
  who: string,
  mentioned: readonly string[],
  at: number,
  to: { readonly replyTo?: ModelPost; readonly quoteOf?: ModelPost } = {},
): Promise<boolean> {
  const { model } = run;
  const { replyTo, quoteOf } = to;
  const there = mentioned.filter((name) => model.people().includes(name));
  const answer = await playerOf(run, who).post('/2/tweets', {
    text: `post ${at} ${there.map((name) => `@${playerOf(run, name).username}`).join(' ')}`,
    ...(replyTo && { in_reply_to_tweet_id: replyTo.id }),
    ...(quoteOf && { quote_tweet_id: quoteOf.id }),
  });
  if (answer.status !== 201) {
    expect([answer.status, answer.body.title]).toEqual([403, 'Forbidden']);
    return false;
  }
  const mentions = [...(replyTo ? model.namedBelow(who, replyTo) : []), ...there];
  model.add({ id: answer.body.data.id, author: who, mentions, replyTo: replyTo?.id, quoteOf: quoteOf?.id });
  return true;
}

async function relate({ model, ...run }: Run, verb: Relation, who: string, whom: string): Promise<boolean> {
  if (who === whom) return false;
  const [from, to] = [who, whom].map((name) => playerOf({ model, ...run }, name)) as [Player, Player];
  const [path, isStart] = RELATIONS[verb];
  const answer = isStart
    ? await from.post(`/2/users/${from.id}/${path}`, { target_user_id: to.id })
    : await from.delete(`/2/users/${from.id}/${path}/${to.id}`);
  expect(answer.status).toBe(verb === 'follow' && model.isBlocked(who, whom) ? 403 : 200);
  model[verb](who, whom);
  return true;
}

async function takeOnPost(run: Run, verb: OnPost, who: string, post: ModelPost, at: number): Promise<void> {
  const { model } = run;
  const player = playerOf(run, who);
  const own = `/2/users/${player.id}`;
  const known = model.repostOf(who, post.id);
  switch (verb) {
    case 'reply':
      expect(await write(run, who, [], at, { replyTo: post })).toBe(model.mayTouch(who, post));
      return;
    case 'quote':
      expect(await write(run, who, [], at, { quoteOf: post })).toBe(model.mayCarry(who, post));
      return;
    case 'repost': {
      const { status } = await player.post(`${own}/retweets`, { tweet_id: post.id });
      expect(status).toBe(model.mayCarry(who, post) ? 200 : 403);
      if (status !== 200 || known !== undefined) return;
      const [newest] = (await player.get(`${own}/tweets?max_results=5`)).body.data;
      model.add({ id: newest.id, author: who, mentions: [], repostOf: post.id });
      return;
    }
    case 'unrepost':
      expect((await player.delete(`${own}/retweets/${post.id}`)).status).toBe(200);
      if (known !== undefined) model.delete(known);
      return;
    case 'like': {
      const { status } = await player.post(`${own}/likes`, { tweet_id: post.id });
      expect(status).toBe(model.mayTouch(who, post) ? 200 : 403);
      if (status === 200) model.like(who, post.id);
      return;
    }
    case 'unlike':
      expect((await player.delete(`${own}/likes/${post.id}`)).status).toBe(200);
      model.unlike(who, post.id);
      return;
    case 'delete': {
      const author = playerOf(run, post.author);
      expect((await author.delete(`/2/tweets/${post.id}`)).status).toBe(200);
      model.delete(post.id);
    }
  }
}

/** Holds what those of the people who are there see, of themselves and of each other, against the model. */
async function compareThose(run: Run, names: readonly string[]): Promise<void> {
  const there = [...new Set(names)].filter((name) => run.model.people().includes(name));
  await Promise.all(
    there.flatMap((viewer) => [
      compareHome(run, viewer),
      comparePosts(run, viewer),
      ...there.map((other) => compareLists(run, viewer, other)),
    ]),
  );
}

async function compareHome(run: Run, viewer: string): Promise<void> {
  const player = playerOf(run, viewer);
  const home = `/2/users/${player.id}/timelines/reverse_chronological?max_results=7`;
  expect(await walk(player, home), `home of ${viewer}`).toEqual(run.model.home(viewer));
}

async function compareLists(run: Run, viewer: string, other: string): Promise<void> {
  const { model } = run;
  const [player, { id }] = [playerOf(run, viewer), playerOf(run, other)];
  const posts = await walk(player, `/2/users/${id}/tweets?max_results=100`);
  expect(posts, `posts of ${other} for ${viewer}`).toEqual(model.userPosts(viewer, other));
  const mentions = await walk(player, `/2/users/${id}/mentions?max_results=100`);
  expect(mentions, `mentions of ${other} for ${viewer}`).toEqual(model.mentions(viewer, other));
  const { data } = (await player.get(`/2/users/${id}?user.fields=public_metrics`)).body;
  expect(data.public_metrics, `counts of ${other}`).toMatchObject(model.counts(other));
}

/** The counts of all posts as the viewer sees them, and who quotes one of them. */
async function comparePosts(run: Run, viewer: string): Promise<void> {
  const { model } = run;
  const ids = model.originals().map(({ id }) => id);
  const [some] = ids;
  if (some === undefined) return;
  const player = playerOf(run, viewer);
  const { data = [] } = (await player.get(`/2/tweets?ids=${ids.join()}&tweet.fields=public_metrics`)).body;
  const counted = (data as { id: string; public_metrics: object }[]).map((post) => [
    post.id,
    post.public_metrics,
  ]);
  expect(Object.fromEntries(counted), `posts for ${viewer}`).toMatchObject(model.postCounts(viewer));
  expect(counted.length, `posts for ${viewer}`).toBe(Object.keys(model.postCounts(viewer)).length);
  const isSeen = some in model.postCounts(viewer);
  const quotes = await walk(player, `/2/tweets/${some}/quote_tweets?max_results=100`);
  expect(quotes, `quotes for ${viewer}`).toEqual(isSeen ? model.quotes(viewer, some) : []);
}

async function walk(player: Player, path: string): Promise<string[]> {
  const ids: string[] = [];
  for (let token = ''; ;) {
    const { data = [], meta } = (await player.get(`${path}${token}`)).body;
    ids.push(...data.map(({ id }: { id: string }) => id));
    if (meta.next_token === undefined) return ids;
    token = `&pagination_token=${meta.next_token}`;
  }
}
