import type { PictureKind } from '../../../core/profile-picture.js';
import { endpoint, perQuarterHour, userWrite, type AnyEndpoint } from '../../endpoint.js';
import { changePicture, pictureBody } from '../../media/picture-form.js';
import { userFieldParams } from '../../params/families.js';
import { singleSchema } from '../../schemas/envelopes.js';
import { viewOf } from '../../viewer.js';

/** See docs/api/pipit.md#picture-and-banner. */

/** The name of the file in requests. */
const FIELD = 'image';

interface Names {
  readonly kind: PictureKind;
  readonly operation: string;
}

function endpointsOf({ kind, operation }: Names): readonly AnyEndpoint[] {
  const common = {
    tag: 'Pipit',
    path: `/_pipit/profile/${kind}`,
    access: userWrite('tweet.write'),
    rateLimits: perQuarterHour({ user: 50 }),
    params: userFieldParams,
    response: singleSchema('User'),
  } as const;
  return [
    endpoint({
      ...common,
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
      ...common,
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

export const profilePictureEndpoints: readonly AnyEndpoint[] = [
  ...endpointsOf({ kind: 'picture', operation: 'ProfilePicture' }),
  ...endpointsOf({ kind: 'banner', operation: 'ProfileBanner' }),
];
