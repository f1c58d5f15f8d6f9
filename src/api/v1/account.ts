import type { UserId } from '../../core/ids.js';
import { count, object, ref, text } from '../../core/json-schema.js';
import { PICTURE_RULES, WHOLE_BANNER } from '../../core/profile-picture.js';
import { PipitError } from '../../core/errors.js';
import { Answer } from '../../http/answer.js';
import type { ApiContext } from '../context.js';
import { endpoint, perQuarterHour, type AnyEndpoint } from '../endpoint.js';
import { changePicture, pictureBody } from '../media/picture-form.js';
import { viewerOf } from '../viewer.js';
import { answerV1, ENDPOINT_V1, READ_V1, USER_WRITE_V1 } from './endpoint-v1.js';
import { findNamedUser, userParams } from './named-user.js';
import { textV1Param } from './params.js';
import { noSuchUser, refusedV1, suspendedUser } from './refusals.js';

/** See docs/api/v1.md#profiles. */

const common = { ...ENDPOINT_V1, tag: 'Accounts, version 1.1' } as const;
const write = {
  ...common,
  access: USER_WRITE_V1,
  method: 'POST',
  rateLimits: perQuarterHour({ user: 50 }),
} as const;
/** A body that is read as a stream has no form parameters. */
const withPicture = { ...write, formParams: undefined } as const;

const PROFILE_PARTS = ['name', 'description', 'location', 'url'] as const;

const updateProfile = endpoint({
  ...write,
  operationId: 'updateProfileV1',
  summary: 'Changes the given parts of the profile',
  path: '/1.1/account/update_profile.json',
  params: {
    name: textV1Param('The display name.', 'Ada the bird'),
    description: textV1Param('Empty removes it.'),
    location: textV1Param('Empty removes it.'),
    url: textV1Param('Empty removes it; an address without scheme gets http://.', 'https://birds.example'),
  },
  response: ref('UserV1'),
  handler: async (context, { principal, params }) => {
    const given = PROFILE_PARTS.flatMap((name) => {
      const value = params[name];
      return value === undefined ? [] : [[name, name === 'url' ? withScheme(value) : value] as const];
    });
    try {
      await context.profiles.change(principal, Object.fromEntries(given));
    } catch (error) {
      throw asFailedUpdate(error);
    }
    return answerUser(context, principal.userId);
  },
});

function withScheme(url: string): string {
  const trimmed = url.trim();
  return trimmed === '' || /^https?:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
}

/** Gives faults in the profile the number that they have in v1.1. */
function asFailedUpdate(error: unknown): unknown {
  if (!(error instanceof PipitError) || error.failure.code !== 'invalid-request') return error;
  const messages = error.failure.violations.map(({ message }) => message).join(' ');
  return refusedV1(120, 403, `Account update failed: ${messages}`);
}

async function answerUser({ views }: ApiContext, userId: UserId): Promise<Answer> {
  const user = await views.userV1(userId);
  if (!user) throw noSuchUser();
  return answerV1(user);
}

const updateImage = endpoint({
  ...withPicture,
  operationId: 'updateProfileImageV1',
  summary: 'Changes the picture of the profile',
  path: '/1.1/account/update_profile_image.json',
  body: pictureBody('image'),
  response: ref('UserV1'),
  handler: async (context, call) => {
    await changePicture(context.media, call, 'picture', 'image');
    return answerUser(context, call.principal.userId);
  },
});

const updateBanner = endpoint({
  ...withPicture,
  operationId: 'updateProfileBannerV1',
  summary: 'Changes the banner of the profile',
  path: '/1.1/account/update_profile_banner.json',
  success: 201,
  body: pictureBody('banner'),
  handler: async ({ media }, call) => {
    await changePicture(media, call, 'banner', 'banner');
    return new Answer(201, Buffer.alloc(0));
  },
});

const removeBanner = endpoint({
  ...write,
  operationId: 'removeProfileBannerV1',
  summary: 'Removes the banner of the profile',
  path: '/1.1/account/remove_profile_banner.json',
  removes: true,
  handler: async ({ media }, { principal }) => {
    await media.profiles.remove(principal, 'banner');
    return new Answer(200, Buffer.alloc(0));
  },
});

const BANNER_SIZES = { ...PICTURE_RULES.banner.sizes, [WHOLE_BANNER]: PICTURE_RULES.banner.main };
const bannerSize = object({ h: count, w: count, url: text }, ['h', 'w', 'url']);

const showBanner = endpoint({
  ...common,
  operationId: 'showProfileBannerV1',
  summary: 'The addresses of the banner of a profile, by size',
  path: '/1.1/users/profile_banner.json',
  access: READ_V1,
  rateLimits: perQuarterHour({ app: 180, user: 180 }),
  params: userParams,
  response: object(
    { sizes: object(Object.fromEntries(Object.keys(BANNER_SIZES).map((name) => [name, bannerSize]))) },
    ['sizes'],
  ),
  handler: async (context, { principal, params }) => {
    const { visibility, user } = await findNamedUser(context, params, viewerOf(principal));
    if (visibility === undefined) throw noSuchUser();
    if (!user) throw suspendedUser();
    const url = user['profile_banner_url'];
    if (typeof url !== 'string') throw refusedV1(34, 404, 'Sorry, that page does not exist.');
    return {
      sizes: Object.fromEntries(
        Object.entries(BANNER_SIZES).map(([name, { width: w, height: h }]) => [
          name,
          { h, w, url: `${url}/${name}` },
        ]),
      ),
    };
  },
});

/** The endpoints with which older clients change profiles. */
export const accountV1Endpoints: readonly AnyEndpoint[] = [
  updateProfile,
  updateImage,
  updateBanner,
  removeBanner,
  showBanner,
];
