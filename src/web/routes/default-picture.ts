import { Answer } from '../../http/answer.js';
import { isNamedIn } from '../../http/entity-tag.js';
import type { PlainRoute } from '../../http/plain-route.js';
import { DEFAULT_PICTURES_PATH, NO_INITIALS } from '../../core/default-picture.js';
import { PipitError } from '../../core/errors.js';
import { parseId } from '../../core/ids.js';
import { drawDefaultPicture } from '../default-picture/draw.js';

/** Side lengths in pixels, by the suffix that replaces `_normal` in the URL. */
const SIZES: Readonly<Record<string, number>> = {
  '': 400,
  _mini: 24,
  _normal: 48,
  _bigger: 73,
  _x96: 96,
  _reasonably_small: 128,
  _192x192: 192,
  _200x200: 200,
  _400x400: 400,
  _512x512: 512,
};

const FILE_NAME = new RegExp(`^([A-Z0-9]{1,2}|${NO_INITIALS})((?:_[a-z0-9_]+)?)\\.png$`);

const HEADERS = {
  'content-type': 'image/png',
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * Serves default profile pictures, drawn from their URL alone (`defaultPictureUrl`). No user is looked up, so the URL
 * does not disclose whether a user exists.
 */
export const defaultPictureRoute: PlainRoute = {
  method: 'GET',
  path: `${DEFAULT_PICTURES_PATH}/{id}/{file}`,
  handler: ({ path, headers }) => {
    const id = parseId(path['id'] ?? '');
    const [, initials, form = ''] = FILE_NAME.exec(path['file'] ?? '') ?? [];
    const size = Object.hasOwn(SIZES, form) ? SIZES[form] : undefined;
    if (id === undefined || initials === undefined || size === undefined)
      throw new PipitError({ code: 'route-not-found' });
    const etag = `"${id}-${initials}-${size}"`;
    const sent = { ...HEADERS, etag };
    if (isNamedIn(headers['if-none-match'], etag)) return new Answer(304, Buffer.alloc(0), sent);
    return new Answer(200, drawDefaultPicture(id, initials, size), sent);
  },
};
