import { ApiError, Client, OAuth1 } from '@xdevplatform/xdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WireServer } from './support/wire-server.js';
import {
  ALICE,
  ALICE_OAUTH2,
  APP,
  BOB,
  BOB_KEYS,
  COMMUNITY_ID,
  PICTURE_KEY,
  POSTS,
  startWireServer,
  UNKNOWN_POST,
} from './support/wire-world.js';

/**
 * The original platform’s SDK of 2025, unmodified, with its option `baseUrl`. Its types have the newer names, as
 * `post.fields` and `referenced_posts` (docs/api/objects.md#vocabularies).
 */

type PostOptions = Required<NonNullable<Parameters<Client['posts']['getById']>[1]>>;

/** Every value of the types but the metrics of own posts. */
const POST_FIELDS: PostOptions['postFields'] = [
  'article',
  'article_title',
  'attachments',
  'card_uri',
  'community_id',
  'context_annotations',
  'conversation_id',
  'created_at',
  'display_text_range',
  'edit_controls',
  'entities',
  'geo',
  'id',
  'lang',
  'matched_media_notes',
  'media_metadata',
  'note_post',
  'note_request_suggestions',
  'paid_partnership',
  'possibly_sensitive',
  'public_metrics',
  'reply_settings',
  'scopes',
  'source',
  'suggested_source_links',
  'suggested_source_links_with_counts',
  'text',
  'withheld',
];
const USER_FIELDS: PostOptions['userFields'] = [
  'confirmed_email',
  'connection_status',
  'created_at',
  'description',
  'entities',
  'id',
  'is_identity_verified',
  'location',
  'name',
  'parody',
  'profile_banner_url',
  'profile_image_url',
  'protected',
  'public_metrics',
  'receives_your_dm',
  'subscribes_to_you',
  'subscription',
  'subscription_type',
  'url',
  'username',
  'verified',
  'verified_followers_count',
  'verified_type',
  'withheld',
];
const POST_EXPANSIONS: PostOptions['expansions'] = [
  'article.cover_media',
  'article.media_entities',
  'attachments.media_keys',
  'attachments.media_source_tweet',
  'attachments.poll_ids',
  'author_id',
  'edit_history_post_ids',
  'entities.mentions.username',
  'geo.place_id',
  'in_reply_to_user_id',
  'referenced_posts',
  'username',
];

let server: WireServer;
let app: Client;
let alice: Client;
let bob: Client;

beforeAll(async () => {
  server = await startWireServer();
  const baseUrl = server.url;
  app = new Client({ baseUrl, bearerToken: APP.bearerToken });
  alice = new Client({ baseUrl, accessToken: ALICE_OAUTH2 });
  const oauth1 = new OAuth1({
    apiKey: APP.apiKey,
    apiSecret: APP.apiSecret,
    callback: 'oob',
    accessToken: BOB_KEYS.accessToken,
    accessTokenSecret: BOB_KEYS.accessSecret,
  });
  bob = new Client({ baseUrl, oauth1 });
});

afterAll(() => server.close());

test('reads posts with expansions and partial errors', async () => {
  const answer = await app.posts.getByIds([POSTS.poll, UNKNOWN_POST], {
    expansions: ['author_id', 'attachments.poll_ids'],
    userFields: ['created_at', 'verified'],
  });
  expect(answer.data?.map((post) => post.id)).toEqual([POSTS.poll]);
  expect(answer.includes?.users).toMatchObject([{ id: ALICE.id, username: 'alice', verified: false }]);
  expect(answer.includes?.polls).toHaveLength(1);
  expect(answer.errors).toMatchObject([{ title: 'Not Found Error', resourceId: UNKNOWN_POST }]);
});

test('reads posts and what they refer to in the names of its types', async () => {
  const answer = await app.posts.getById(POSTS.quote, {
    postFields: ['conversation_id', 'public_metrics'],
    expansions: ['referenced_posts', 'edit_history_post_ids', 'author_id'],
  });
  expect(answer.data).toMatchObject({
    id: POSTS.quote,
    conversationId: POSTS.quote,
    editHistoryPostIds: [POSTS.quote],
    referencedPosts: [{ type: 'quoted', id: POSTS.root }],
  });
  expect(answer.includes?.posts).toMatchObject([{ id: POSTS.root, editHistoryPostIds: [POSTS.root] }]);
  const timeline = await app.users.getPosts(BOB.id, { postFields: ['created_at'], maxResults: 5 });
  expect(timeline.data?.map(({ editHistoryPostIds }) => editHistoryPostIds)).toEqual([
    [POSTS.quote],
    [POSTS.reply],
  ]);
});

test('reads pinned posts in the names of its types', async () => {
  const { data, includes } = await app.users.getById(BOB.id, {
    expansions: ['pinned_post_id', 'most_recent_post_id'],
    postFields: ['created_at'],
  });
  expect(data).toMatchObject({ ...BOB, pinnedPostId: POSTS.reply });
  expect(includes?.posts).toMatchObject([{ id: POSTS.reply }]);
});

test('may ask for every field that its types offer', async () => {
  const answer = await app.posts.getById(POSTS.root, {
    postFields: POST_FIELDS,
    userFields: USER_FIELDS,
    expansions: POST_EXPANSIONS,
  });
  expect(answer.errors).toBeUndefined();
  expect(answer.data).toMatchObject({ id: POSTS.root, editHistoryPostIds: [POSTS.root] });
});

test('reads users by id, by username and, with either user credential, as itself', async () => {
  expect((await app.users.getById(BOB.id)).data).toMatchObject(BOB);
  expect((await app.users.getByUsername('bob')).data).toMatchObject(BOB);
  expect((await alice.users.getMe({ userFields: ['created_at'] })).data).toMatchObject(ALICE);
  expect((await bob.users.getMe()).data).toMatchObject(BOB);
});

test('posts, replies and deletes with either user credential', async () => {
  const post = await alice.posts.create({ text: 'From the newer SDK' });
  const id = String(post.data?.id);
  const reply = await bob.posts.create({ text: 'Signed this time', reply: { inReplyToTweetId: id } });
  const read = await app.posts.getById(String(reply.data?.id));
  expect(read.data?.text).toBe('@alice Signed this time');
  expect(await alice.posts.delete(id)).toEqual({ data: { deleted: true } });
});

test('posts and reads long posts', async () => {
  const text = `${'pond '.repeat(60)}#heron`;
  const { data } = await alice.posts.create({ text });
  const read = await app.posts.getById(String(data?.id), { postFields: ['note_post'] });
  expect(read.data).toMatchObject({
    text: expect.stringMatching(/^pond .*…$/),
    notePost: { text, entities: { hashtags: [{ start: 300, end: 306, tag: 'heron' }] } },
  });
});

test('drafts and publishes articles', async () => {
  const blocks = [{ text: 'Herons stand still.', type: 'unstyled' as const }];
  const draft = await alice.articles.articleCreateDraft({
    title: 'On herons',
    contentState: { blocks, entities: [] },
  });
  const id = String(draft.data?.id);
  const published = await alice.articles.articlePublish(id);
  const read = await app.posts.getById(String(published.data?.postId), { postFields: ['article'] });
  expect(read.data).toMatchObject({ text: 'On herons', article: { title: 'On herons' } });
});

test('reads communities and posts in them', async () => {
  const { data } = await app.communities.getById(COMMUNITY_ID, { communityFields: ['member_count'] });
  expect(data).toEqual({ id: COMMUNITY_ID, name: 'Birds', memberCount: 1 });
  const found = await alice.communities.search('birds');
  expect(found.data).toMatchObject([{ id: COMMUNITY_ID }]);
  const post = await alice.posts.create({
    text: 'A gull',
    communityId: COMMUNITY_ID,
    shareWithFollowers: true,
  });
  const read = await app.posts.getById(String(post.data?.id), { postFields: ['community_id'] });
  expect(read.data?.communityId).toBe(COMMUNITY_ID);
});

test('reads the analytics of media', async () => {
  const answer = await alice.media.getAnalytics(
    [PICTURE_KEY],
    '2022-07-01T00:00:00Z',
    '2022-07-02T00:00:00Z',
  );
  expect(answer.data).toEqual([{ mediaKey: PICTURE_KEY }]);
});

test('reads the usage in the types that it declares', async () => {
  const { data } = await app.usage.get({ usageFields: ['daily_project_usage', 'daily_client_app_usage'] });
  expect([typeof data?.projectUsage, typeof data?.projectCap, typeof data?.capResetDay]).toEqual([
    'string',
    'string',
    'number',
  ]);
  expect(typeof data?.dailyProjectUsage?.usage?.[0]?.usage).toBe('string');
});

test('throws the problem of a refused request', async () => {
  const refused = app.posts.getById('none');
  await expect(refused).rejects.toBeInstanceOf(ApiError);
  await expect(refused).rejects.toMatchObject({ status: 400, data: { title: 'Invalid Request' } });
});
