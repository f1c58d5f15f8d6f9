import type { PostId } from '../../../core/ids.js';
import type { PictureKind } from '../../../core/profile-picture.js';
import * as v from '../../../core/validators.js';
import { idField, jsonBody } from '../../body/body.js';
import { changeEndpoint } from '../../change-endpoint.js';
import { endpoint, perQuarterHour, userWrite, type AnyEndpoint } from '../../endpoint.js';
import { changePicture, pictureBody } from '../../media/picture-form.js';
import { userFieldParams } from '../../params/families.js';
import { singleSchema } from '../../schemas/envelopes.js';
import { viewOf } from '../../viewer.js';

/** See docs/api/pipit.md#profile, #picture-and-banner and #pinned-post. */

const common = {
  tag: 'Pipit',
  access: userWrite('tweet.write'),
  rateLimits: perQuarterHour({ user: 50 }),
} as const;

const pinning = { ...common, path: '/_pipit/pinned_post' } as const;

/** Requests that are answered with the changed user. */
const ofUser = { ...common, params: userFieldParams, response: singleSchema('User') } as const;

/** The name of the file in requests. */
const FIELD = 'image';

function pictureEndpoints(kind: PictureKind, operation: string): readonly AnyEndpoint[] {
  const path = `/_pipit/profile/${kind}`;
  return [
    endpoint({
      ...ofUser,
      path,
      operationId: `change${operation}`,
      summary: `Shows a picture as the ${kind} of the user's profile`,
      method: 'PUT',
      openQuery: true,
      body: pictureBody(FIELD),
      handler: async ({ media, views }, call) => {
        await changePicture(media, call, kind, FIELD);
        return views.user({ names: [call.principal.userId], ...viewOf(call) });
      },
    }),
    endpoint({
      ...ofUser,
      path,
      operationId: `remove${operation}`,
      summary: `Removes the ${kind} of the user's profile`,
      method: 'DELETE',
      handler: async ({ media, views }, call) => {
        await media.profiles.remove(call.principal, kind);
        return views.user({ names: [call.principal.userId], ...viewOf(call) });
      },
    }),
  ];
}

export const profileEndpoints: readonly AnyEndpoint[] = [
  changeEndpoint({
    ...pinning,
    operationId: 'pinPost',
    summary: 'Pins a post of the user to the profile, in place of another',
    method: 'PUT',
    body: jsonBody(v.object({ post_id: v.required(idField<PostId>('A post of the user.')) })),
    answers: { pinned: true },
    run: ({ posts }, { principal, body }) => posts.pin(principal, body.post_id),
  }),
  changeEndpoint({
    ...pinning,
    operationId: 'unpinPost',
    summary: 'Unpins the pinned post of the user; idempotent',
    method: 'DELETE',
    answers: { pinned: false },
    run: ({ posts }, { principal }) => posts.unpin(principal),
  }),
  endpoint({
    ...ofUser,
    operationId: 'changeProfile',
    summary: 'Changes the profile of the user; absent members stay as they are',
    method: 'PUT',
    path: '/_pipit/profile',
    body: jsonBody(
      v.object({
        name: v.text({ description: 'The display name.', example: 'Ada the bird' }),
        description: v.text({ description: 'What the user says about themselves; empty removes it.' }),
        location: v.text({ description: 'Empty removes it.' }),
        url: v.text({ description: 'A web address; empty removes it.', example: 'https://birds.example' }),
      }),
    ),
    handler: async ({ profiles, views }, call) => {
      const given = Object.entries(call.body).filter(([, value]) => value !== undefined);
      await profiles.change(call.principal, Object.fromEntries(given));
      return views.user({ names: [call.principal.userId], ...viewOf(call) });
    },
  }),
  ...pictureEndpoints('picture', 'ProfilePicture'),
  ...pictureEndpoints('banner', 'ProfileBanner'),
];
