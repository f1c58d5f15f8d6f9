import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ID, openNetwork, type Caller, type Name, type Network } from './support/network.js';
import { SocialModel } from './support/social-model.js';

const PEOPLE = ['alice', 'bob', 'carol', 'dave'] as const satisfies readonly Name[];

const person = fc.constantFrom(...PEOPLE);
const verbs = [
  'follow',
  'unfollow',
  'block',
  'unblock',
  'mute',
  'unmute',
  'post',
  'repost',
  'unrepost',
  'delete',
  'run jobs',
  'cool',
] as const;
const step = fc.record({
  verb: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('post', 'repost', 'follow') },
    { weight: 2, arbitrary: fc.constantFrom(...verbs) },
  ),
  who: person,
  whom: person,
  which: fc.nat(30),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('timelines and counts against a model', () => {
  it('show what the model shows after every step, whatever people do to each other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const network = await openNetwork();
        try {
          const model = new SocialModel([...PEOPLE]);
          for (const [at, one] of steps.entries()) {
            await take(network, model, one, at);
            await compare(network, model, one);
          }
        } finally {
          await network.close();
        }
      }),
      { numRuns: 8 },
    );
  }, 120_000);
});

async function take(network: Network, model: SocialModel, { verb, who, whom, which }: Step, at: number) {
  await network.advance(1_000);
  const caller = network.as(who);
  if (verb === 'run jobs') return network.runJobs();
  if (verb === 'cool') return network.coolHomeTimelines();
  if (verb === 'post') {
    const others = PEOPLE.filter((_, n) => (which >> n) % 2 === 1);
    const text = `post ${at} ${others.map((name) => `@${name}`).join(' ')}`;
    return model.post(who, await network.posted(who, text), others);
  }
  if (verb === 'repost' || verb === 'unrepost' || verb === 'delete') {
    return takeOnPost(caller, model, verb, who, which);
  }
  if (who === whom) return undefined;
  const [path, isStart] = RELATION[verb];
  const answer = isStart
    ? await caller.post(`/2/users/${ID[who]}/${path}`, { target_user_id: ID[whom] })
    : await caller.delete(`/2/users/${ID[who]}/${path}/${ID[whom]}`);
  const isRefused = verb === 'follow' && model.isBlocked(who, whom);
  expect(answer.status).toBe(isRefused ? 403 : 200);
  return model[verb](who, whom);
}

const RELATION = {
  follow: ['following', true],
  unfollow: ['following', false],
  block: ['blocking', true],
  unblock: ['blocking', false],
  mute: ['muting', true],
  unmute: ['muting', false],
} as const;

async function takeOnPost(
  caller: Caller,
  model: SocialModel,
  verb: 'repost' | 'unrepost' | 'delete',
  who: Name,
  which: number,
) {
  const originals = model.originals();
  const post = originals[which % Math.max(originals.length, 1)];
  if (!post) return;
  const known = model.repostOf(who, post.id);
  if (verb === 'delete') {
    if (post.author !== who) return;
    expect((await caller.delete(`/2/tweets/${post.id}`)).status).toBe(200);
    model.delete(post.id);
  } else if (verb === 'unrepost') {
    expect((await caller.delete(`/2/users/${ID[who]}/retweets/${post.id}`)).status).toBe(200);
    if (known !== undefined) model.delete(known);
  } else if (known === undefined && !model.isBlocked(who, post.author)) {
    expect((await caller.post(`/2/users/${ID[who]}/retweets`, { tweet_id: post.id })).status).toBe(200);
    const [newest] = (await caller.get(`/2/users/${ID[who]}/tweets?max_results=5`)).body.data;
    model.repost(who, newest.id, post.id);
  }
}

/** Looks at what the step concerned: both people as viewers of themselves and of each other. */
async function compare(network: Network, model: SocialModel, { who, whom }: Step): Promise<void> {
  for (const viewer of new Set([who, whom])) {
    const caller = network.as(viewer);
    const home = `/2/users/${ID[viewer]}/timelines/reverse_chronological?max_results=7`;
    expect(await walk(caller, home), `home of ${viewer}`).toEqual(model.home(viewer));
    for (const other of [who, whom]) {
      const posts = await walk(caller, `/2/users/${ID[other]}/tweets?max_results=100`);
      expect(posts, `posts of ${other} for ${viewer}`).toEqual(model.userPosts(viewer, other));
      const mentions = await walk(caller, `/2/users/${ID[other]}/mentions?max_results=100`);
      expect(mentions, `mentions of ${other} for ${viewer}`).toEqual(model.mentions(viewer, other));
    }
    const { data } = (await caller.get(`/2/users/${ID[viewer]}?user.fields=public_metrics`)).body;
    expect(data.public_metrics, `counts of ${viewer}`).toMatchObject(model.counts(viewer));
  }
}

async function walk(caller: Caller, path: string): Promise<string[]> {
  const ids: string[] = [];
  for (let token = ''; ;) {
    const { data = [], meta } = (await caller.get(`${path}${token}`)).body;
    ids.push(...data.map(({ id }: { id: string }) => id));
    if (meta.next_token === undefined) return ids;
    token = `&pagination_token=${meta.next_token}`;
  }
}
