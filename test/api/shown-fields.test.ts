import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { components } from '../../src/api/schemas/components.js';
import type { DmEvent } from '../../src/core/direct-message.js';
import type { Entities } from '../../src/core/entities.js';
import type { DmEventId, ListId, MediaId, PollId, PostId, UserId } from '../../src/core/ids.js';
import type { Media, Place, Poll, Post, PostCounts, PostDetail } from '../../src/core/post.js';
import type { Space, SpaceId } from '../../src/core/space.js';
import type { User } from '../../src/core/user.js';
import { presentComplianceJob } from '../../src/views/wire/compliance-job.js';
import { dmEventFields } from '../../src/views/wire/dm-event.js';
import { objectSchema } from '../../src/views/wire/field.js';
import { listFields } from '../../src/views/wire/list.js';
import { mediaFields } from '../../src/views/wire/media.js';
import { placeFields } from '../../src/views/wire/place.js';
import { pollFields } from '../../src/views/wire/poll.js';
import { changingPostFields, fixedPostFields } from '../../src/views/wire/post.js';
import { publicMetricFields } from '../../src/views/wire/post-metrics.js';
import { presenter } from '../../src/views/wire/presenter.js';
import { spaceFields, topicFields } from '../../src/views/wire/space.js';
import { userFields } from '../../src/views/wire/user.js';
import { userV1Fields } from '../../src/views/v1/user.js';
import { closed } from './support/conformity.js';

/** Presented objects conform to their schemas: every object with all members and all fields. */

/** A set that contains every field. */
const EVERY_FIELD = { has: () => true, size: 1 } as unknown as ReadonlySet<string>;

const CREATED_MS = Date.UTC(2022, 0, 1);
const link = {
  start: 0,
  end: 13,
  url: 'https://x.org',
  expanded_url: 'https://x.org/a',
  display_url: 'x.org/a',
  unwound_url: 'https://y.org',
  status: 200,
  title: 'A page',
  description: 'About it',
  images: [{ url: 'https://x.org/a.png', width: 1, height: 1 }],
  media_key: '3_1',
};
const tag = { start: 0, end: 2, tag: 'a' };
const inText = {
  cashtags: [tag],
  hashtags: [tag],
  mentions: [{ start: 0, end: 4, username: 'bob', id: '2' }],
  urls: [link],
};
const entities: Required<Entities> = {
  ...inText,
  annotations: [{ start: 0, end: 3, probability: 1, type: 'Person', normalized_text: 'Bob' }],
};
const withheld = { copyright: true, country_codes: ['DE'], scope: 'tweet' };

const detail: Required<PostDetail> = {
  entities,
  note: { text: 'a & b and more', entities: inText, wireText: 'a &amp; b and more' },
  mediaKeys: ['3_1'],
  pollIds: ['1'],
  coordinates: { type: 'Point', coordinates: [1, 2] },
  contextAnnotations: [{ domain: { id: '1', name: 'a', description: 'b' }, entity: { id: '2', name: 'c' } }],
  withheld,
  editHistory: ['1', '2'],
  firstVersion: { id: '1', createdAtMs: CREATED_MS },
  editControls: { edits_remaining: 5, is_edit_eligible: true, editable_until: '2022-01-01T00:00:00.000Z' },
  excludedReplyUserIds: ['3'],
  replyLimitedBy: ['4'],
  taggedUserIds: ['5'],
  directMessageDeepLink: 'https://x.org/messages/compose',
  cardUri: 'card://1',
  wireText: 'a &amp; b',
  article: { id: '9', title: 'a', plainText: 'b & c', coverMediaKey: '3_1', mediaKeys: ['3_2'] },
  communityId: '7',
  sharedWithFollowers: true,
  paidPartnership: true,
  madeWithAi: true,
  mediaTitle: 'a',
  mediaDescription: 'b',
};
const post: Required<Post> = {
  id: 2n as PostId,
  authorId: 1n as UserId,
  createdAtMs: CREATED_MS,
  conversationId: 1n as PostId,
  text: 'a & b',
  lang: 'en',
  source: 'Pipit',
  inReplyToPostId: 1n as PostId,
  inReplyToUserId: 1n as UserId,
  quotedPostId: 1n as PostId,
  repostedPostId: 1n as PostId,
  replySettings: 'everyone',
  superFollowersOnly: true,
  possiblySensitive: true,
  nullcast: true,
  placeId: '01a9',
  detail,
};
const counts: Required<PostCounts> = {
  reposts: 1,
  replies: 1,
  likes: 1,
  quotes: 1,
  bookmarks: 1,
  impressions: 1,
};
const user: Required<User> = {
  id: 1n as UserId,
  username: 'alice',
  name: 'Alice',
  createdAtMs: CREATED_MS,
  description: 'Hello',
  location: 'The pond',
  url: 'https://x.org',
  profileImageUrl: 'https://x.org/a_normal.png',
  profileBannerUrl: 'https://x.org/a',
  profileImageId: 1n as MediaId,
  profileBannerId: 1n as MediaId,
  protected: true,
  verified: true,
  verifiedType: 'blue',
  subscriptionType: 'Premium',
  pinnedPostId: 1n as PostId,
  allowsPhotoTagging: true,
  receivesDms: 'everyone',
  suspended: false,
  entities: { url: { urls: [link] }, description: inText },
  withheld: { country_codes: ['DE'], scope: 'user' },
};
const userCounts = { followers: 1, following: 1, posts: 1, listed: 1 };
const relation = {
  isSelf: false,
  following: true,
  followedBy: true,
  followRequestSent: true,
  followRequestReceived: true,
  blocking: true,
  blockedBy: true,
  muting: true,
  hasConversation: true,
};
const media: Required<Media> = {
  id: 1n as MediaId,
  mediaKey: '7_1',
  type: 'video',
  ownerId: 1n as UserId,
  url: 'https://x.org/a.mp4',
  previewImageUrl: 'https://x.org/a.png',
  width: 1,
  height: 1,
  durationMs: 1,
  altText: 'a',
  viewCount: 1,
  variants: [{ bit_rate: 1, content_type: 'video/mp4', url: 'https://x.org/a.mp4' }],
  attachedTo: 1n,
  createdAtMs: CREATED_MS,
  expiresAtMs: CREATED_MS,
};
const poll: Required<Poll> = {
  id: 1n as PollId,
  options: [
    { label: 'a', votes: 1 },
    { label: 'b', votes: 2 },
  ],
  durationMinutes: 5,
  endsAtMs: CREATED_MS,
  votingStatus: 'open',
};
const place: Required<Place> = {
  id: '01a9',
  fullName: 'Boulder, CO',
  name: 'Boulder',
  country: 'United States',
  countryCode: 'US',
  placeType: 'city',
  containedWithin: ['02b8'],
  geo: {
    type: 'Feature',
    bbox: [1, 2, 3, 4],
    properties: {},
    geometry: { type: 'Point', coordinates: [1, 2] },
  },
};
const space: Required<Space> = {
  id: '1DXxyRYNejbKM' as SpaceId,
  title: 'Birds',
  lang: 'en',
  isTicketed: true,
  scheduledStartMs: CREATED_MS,
  hostIds: [1n as UserId],
  speakerIds: [1n as UserId],
  invitedIds: [1n as UserId],
  topics: [{ id: '1', name: 'Birds', description: 'All of them' }],
  creatorId: 1n as UserId,
  state: 'ended',
  createdAtMs: CREATED_MS,
  updatedAtMs: CREATED_MS,
  startedAtMs: CREATED_MS,
  endedAtMs: CREATED_MS,
  participants: 1,
};
const event: Required<DmEvent> = {
  id: 1n as DmEventId,
  conversationId: '1-2' as DmEvent['conversationId'],
  type: 'MessageCreate',
  createdAtMs: CREATED_MS,
  senderId: 1n as UserId,
  text: 'Hello',
  detail: { participantIds: ['1'], mediaKeys: ['3_1'], postIds: ['1'], entities },
};

const moment = { nowMs: CREATED_MS, privateCounts: counts };
const ownPost: Post = { ...post, repostedPostId: undefined };
const list = {
  id: 1n as ListId,
  ownerId: 1n as UserId,
  name: 'Birds',
  description: 'All',
  private: true,
  createdAtMs: CREATED_MS,
};
const job = {
  id: 1n as never,
  appId: 1n as never,
  subject: 'posts',
  name: 'Birds',
  resumable: true,
  createdAtMs: CREATED_MS,
  status: 'created',
  uploadUrl: 'https://x.org/u',
  downloadUrl: 'https://x.org/d',
  estimatedCompletionMs: CREATED_MS,
} as const;

const SHOWN: readonly (readonly [schema: string, wire: object])[] = [
  ['Tweet', presenter(fixedPostFields, EVERY_FIELD)(post, '2')],
  ['Tweet', { id: '2', text: 'a', ...presenter(changingPostFields, EVERY_FIELD)(ownPost, moment) }],
  ['Tweet', { id: '2', text: 'a', ...presenter(publicMetricFields, EVERY_FIELD)(counts, undefined) }],
  [
    'User',
    presenter(userFields, EVERY_FIELD)(user, {
      counts: userCounts,
      relation,
    }),
  ],
  ['Media', presenter(mediaFields, EVERY_FIELD)(media)],
  ['Media', presenter(mediaFields, EVERY_FIELD)({ ...media, type: 'photo' })],
  ['Poll', presenter(pollFields, EVERY_FIELD)(poll, CREATED_MS)],
  ['Place', presenter(placeFields, EVERY_FIELD)(place)],
  ['Space', presenter(spaceFields, EVERY_FIELD)(space, 1)],
  ['Topic', presenter(topicFields, EVERY_FIELD)({ id: '1', name: 'a', description: 'b' })],
  ['List', presenter(listFields, EVERY_FIELD)(list, { members: 1, followers: 1 })],
  ['DmEvent', presenter(dmEventFields, EVERY_FIELD)(event)],
  ['ComplianceJob', presentComplianceJob(job)],
  [
    'UserV1',
    {
      id: 1,
      ...presenter(userV1Fields, EVERY_FIELD)(user, {
        counts: userCounts,
        likes: 1,
        publicUrl: 'https://x.org',
      }),
    },
  ],
];

describe('presented objects conform to the OpenAPI document', () => {
  const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }));
  const schemas = JSON.parse(JSON.stringify({ ...components, UserV1: objectSchema(userV1Fields) })) as object;
  ajv.addSchema({ $id: 'root', components: { schemas: closed(schemas) } });

  it.each(SHOWN)('%s', (schema, wire) => {
    ajv.validate({ $ref: `root#/components/schemas/${schema}` }, JSON.parse(JSON.stringify(wire)));
    expect(ajv.errorsText()).toBe('No errors');
    expect(Object.values(wire)).not.toContain(undefined);
  });
});
