import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rounds } from '../support/rounds.js';
import { SocialModel, type ModelPost } from './support/social-model.js';
import { startSocialServer, type TestUser, type SocialServer } from './support/social-server.js';

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

const POST_ACTIONS = ['reply', 'quote', 'repost', 'unrepost', 'like', 'unlike', 'delete'] as const;
type PostAction = (typeof POST_ACTIONS)[number];

const actions = [
  ...(Object.keys(RELATIONS) as Relation[]),
  ...POST_ACTIONS,
  'post',
  'protect',
  'unprotect',
  'run jobs',
  'evict',
] as const;
const person = fc.constantFrom(...PEOPLE);
const step = fc.record({
  action: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('post', 'repost', 'follow', 'reply', 'quote') },
    { weight: 15, arbitrary: fc.constantFrom(...actions) },
    { weight: 1, arbitrary: fc.constant('leave') },
  ),
  actor: person,
  target: person,
  index: fc.nat(30),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** One run: its users and the expected state. */
interface Run {
  readonly server: SocialServer;
  readonly testUsers: ReadonlyMap<string, TestUser>;
  readonly model: SocialModel;
}

let server: SocialServer;
let groups = 0;
beforeAll(async () => {
  server = await startSocialServer(START_MS);
});
afterAll(() => server[Symbol.asyncDispose]());

describe('timelines and counts against a model', () => {
  it('match the model after every step', async () => {
    const steps = fc.array(step, { minLength: 10, maxLength: 40, size: 'max' });
    const property = fc.asyncProperty(steps, async (sequence) => {
      const testUsers = await server.addUsers((groups += 1), PEOPLE);
      const run: Run = { server, testUsers, model: new SocialModel(PEOPLE) };
      for (const [at, one] of sequence.entries()) {
        if (await runStep(run, one, at)) await compareUsers(run, [one.actor, one.target]);
      }
      await compareUsers(run, PEOPLE);
    });
    await fc.assert(property, { numRuns: rounds(6) });
  }, 120_000);
});

/** Runs a step; returns false when nothing was done. */
async function runStep(run: Run, step: Step, at: number): Promise<boolean> {
  const { model } = run;
  const { action, actor, target, index } = step;
  if (![actor, target].every((name) => model.people().includes(name))) return false;
  run.server.advance(1_000);
  switch (action) {
    case 'run jobs':
      await run.server.runJobs();
      return true;
    case 'evict':
      await run.server.evictHomeTimelines();
      return true;
    case 'leave':
      await userOf(run, actor).leave();
      model.remove(actor);
      return true;
    case 'protect':
    case 'unprotect':
      await userOf(run, actor)[action]();
      model[action](actor);
      return true;
    case 'post':
      await write(run, actor, namesOf(index), at);
      return true;
    case 'follow':
    case 'unfollow':
    case 'block':
    case 'unblock':
    case 'mute':
    case 'unmute':
      return relate(run, action, actor, target);
    case 'reply':
    case 'quote':
    case 'repost':
    case 'unrepost':
    case 'like':
    case 'unlike':
    case 'delete': {
      const originals = model.originals();
      const post = originals[index % Math.max(originals.length, 1)];
      if (post) await actOnPost(run, action, actor, post, at);
      return post !== undefined;
    }
  }
}

function userOf({ testUsers }: Run, name: string): TestUser {
  return testUsers.get(name) ?? expect.fail(`no user ${name}`);
}

/** Selects users by the bits of a number. */
function namesOf(bits: number): string[] {
  return PEOPLE.filter((_, n) => (bits >> n) % 2 === 1);
}

/** Creates a post with mentions, possibly a reply or quote; returns false when it is refused. */
async function write(
  run: Run,
  actor: string,
  mentioned: readonly string[],
  at: number,
  to: { readonly replyTo?: ModelPost; readonly quoteOf?: ModelPost } = {},
): Promise<boolean> {
  const { model } = run;
  const { replyTo, quoteOf } = to;
  const present = mentioned.filter((name) => model.people().includes(name));
  const answer = await userOf(run, actor).post('/2/tweets', {
    text: `post ${at} ${present.map((name) => `@${userOf(run, name).username}`).join(' ')}`,
    ...(replyTo && { in_reply_to_tweet_id: replyTo.id }),
    ...(quoteOf && { quote_tweet_id: quoteOf.id }),
  });
  if (answer.status !== 201) {
    expect([answer.status, answer.body.title]).toEqual([403, 'Forbidden']);
    return false;
  }
  const mentions = [...(replyTo ? model.mentionsOfReply(actor, replyTo) : []), ...present];
  model.add({ id: answer.body.data.id, author: actor, mentions, replyTo: replyTo?.id, quoteOf: quoteOf?.id });
  return true;
}

async function relate(
  { model, ...run }: Run,
  action: Relation,
  actor: string,
  target: string,
): Promise<boolean> {
  if (actor === target) return false;
  const [from, to] = [actor, target].map((name) => userOf({ model, ...run }, name)) as [TestUser, TestUser];
  const [path, isStart] = RELATIONS[action];
  const answer = isStart
    ? await from.post(`/2/users/${from.id}/${path}`, { target_user_id: to.id })
    : await from.delete(`/2/users/${from.id}/${path}/${to.id}`);
  expect(answer.status).toBe(action === 'follow' && model.isBlocked(actor, target) ? 403 : 200);
  model[action](actor, target);
  return true;
}

async function actOnPost(
  run: Run,
  action: PostAction,
  actor: string,
  post: ModelPost,
  at: number,
): Promise<void> {
  const { model } = run;
  const user = userOf(run, actor);
  const own = `/2/users/${user.id}`;
  const known = model.repostOf(actor, post.id);
  switch (action) {
    case 'reply':
      expect(await write(run, actor, [], at, { replyTo: post })).toBe(model.canReplyOrLike(actor, post));
      return;
    case 'quote':
      expect(await write(run, actor, [], at, { quoteOf: post })).toBe(model.canRepostOrQuote(actor, post));
      return;
    case 'repost': {
      const { status } = await user.post(`${own}/retweets`, { tweet_id: post.id });
      expect(status).toBe(model.canRepostOrQuote(actor, post) ? 200 : 403);
      if (status !== 200 || known !== undefined) return;
      const [newest] = (await user.get(`${own}/tweets?max_results=5`)).body.data;
      model.add({ id: newest.id, author: actor, mentions: [], repostOf: post.id });
      return;
    }
    case 'unrepost':
      expect((await user.delete(`${own}/retweets/${post.id}`)).status).toBe(200);
      if (known !== undefined) model.delete(known);
      return;
    case 'like': {
      const { status } = await user.post(`${own}/likes`, { tweet_id: post.id });
      expect(status).toBe(model.canReplyOrLike(actor, post) ? 200 : 403);
      if (status === 200) model.like(actor, post.id);
      return;
    }
    case 'unlike':
      expect((await user.delete(`${own}/likes/${post.id}`)).status).toBe(200);
      model.unlike(actor, post.id);
      return;
    case 'delete': {
      const author = userOf(run, post.author);
      expect((await author.delete(`/2/tweets/${post.id}`)).status).toBe(200);
      model.delete(post.id);
    }
  }
}

/** Compares what the named users see of themselves and each other with the model. */
async function compareUsers(run: Run, names: readonly string[]): Promise<void> {
  const present = [...new Set(names)].filter((name) => run.model.people().includes(name));
  await Promise.all(
    present.flatMap((viewer) => [
      compareHome(run, viewer),
      comparePosts(run, viewer),
      ...present.map((other) => compareLists(run, viewer, other)),
    ]),
  );
}

async function compareHome(run: Run, viewer: string): Promise<void> {
  const user = userOf(run, viewer);
  const home = `/2/users/${user.id}/timelines/reverse_chronological?max_results=7`;
  expect(await walk(user, home), `home of ${viewer}`).toEqual(run.model.home(viewer));
}

async function compareLists(run: Run, viewer: string, other: string): Promise<void> {
  const { model } = run;
  const [user, { id }] = [userOf(run, viewer), userOf(run, other)];
  const posts = await walk(user, `/2/users/${id}/tweets?max_results=100`);
  expect(posts, `posts of ${other} for ${viewer}`).toEqual(model.userPosts(viewer, other));
  const mentions = await walk(user, `/2/users/${id}/mentions?max_results=100`);
  expect(mentions, `mentions of ${other} for ${viewer}`).toEqual(model.mentions(viewer, other));
  const { data } = (await user.get(`/2/users/${id}?user.fields=public_metrics`)).body;
  expect(data.public_metrics, `counts of ${other}`).toMatchObject(model.counts(other));
}

/** Compares the counts of all posts visible to the viewer, and the quotes of one of them. */
async function comparePosts(run: Run, viewer: string): Promise<void> {
  const { model } = run;
  const ids = model.originals().map(({ id }) => id);
  const [some] = ids;
  if (some === undefined) return;
  const user = userOf(run, viewer);
  const { data = [] } = (await user.get(`/2/tweets?ids=${ids.join()}&tweet.fields=public_metrics`)).body;
  const counted = (data as { id: string; public_metrics: object }[]).map((post) => [
    post.id,
    post.public_metrics,
  ]);
  expect(Object.fromEntries(counted), `posts for ${viewer}`).toMatchObject(model.postCounts(viewer));
  expect(counted.length, `posts for ${viewer}`).toBe(Object.keys(model.postCounts(viewer)).length);
  const isSeen = some in model.postCounts(viewer);
  const quotes = await walk(user, `/2/tweets/${some}/quote_tweets?max_results=100`);
  expect(quotes, `quotes for ${viewer}`).toEqual(isSeen ? model.quotes(viewer, some) : []);
}

async function walk(user: TestUser, path: string): Promise<string[]> {
  const ids: string[] = [];
  for (let token = ''; ;) {
    const { data = [], meta } = (await user.get(`${path}${token}`)).body;
    ids.push(...data.map(({ id }: { id: string }) => id));
    if (meta.next_token === undefined) return ids;
    token = `&pagination_token=${meta.next_token}`;
  }
}
