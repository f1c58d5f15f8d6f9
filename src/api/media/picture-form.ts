import { invalidRequest, PipitError } from '../../core/errors.js';
import { MAX_PHOTO_BYTES } from '../../core/limits.js';
import type { PictureKind } from '../../core/profile-picture.js';
import type { UserPrincipal } from '../../core/access.js';
import type { MediaService } from '../../services/media/media.js';
import { type StreamedBody, type StreamedBodyValue, streamedBody } from '../body/body.js';
import { readUploadForm } from './upload-form.js';

/** The fields of the part to show (docs/api/pipit.md#picture-and-banner). */
const PART = ['width', 'height', 'offset_left', 'offset_top'] as const;

/** No picture has a longer side. */
const MAX_SIDE = 16_384;

/** Room for the base64 of the largest picture, boundaries and fields. */
const MAX_BYTES = Math.ceil(MAX_PHOTO_BYTES / 3) * 4 + 64 * 1024;

/** Declares the body with a picture in the field `name`: multipart, or base64 in a form or in JSON. */
export function pictureBody(name: string): StreamedBody {
  const number = { type: 'integer', minimum: 0, maximum: MAX_SIDE } as const;
  const properties = {
    [name]: {
      type: 'string',
      format: 'binary',
      description: 'The bytes of a JPEG, PNG, GIF or WebP file; base64 in JSON.',
    },
    ...Object.fromEntries(PART.map((field) => [field, number])),
  };
  const schema = { type: 'object', properties, required: [name] } as const;
  return streamedBody(
    {
      'multipart/form-data': schema,
      'application/json': schema,
      'application/x-www-form-urlencoded': schema,
    },
    MAX_BYTES,
  );
}

/** Reads a picture from a request and shows it on the user's profile. Throws the errors of the service. */
export async function changePicture(
  media: MediaService,
  { principal, body, rawQuery }: { principal: UserPrincipal; body: StreamedBodyValue; rawQuery: string },
  kind: PictureKind,
  name: string,
): Promise<void> {
  await using form = await readUploadForm(media, body, rawQuery, { plain: name, isEither: true });
  if (!form.media) throw invalidRequest(name, [], `${name} parameter is missing.`);
  await media.profiles.change(principal, {
    kind,
    parameter: name,
    file: form.media,
    part: partOf(form.fields),
  });
}

/** Returns the part to show; undefined if none is chosen. */
function partOf(fields: ReadonlyMap<string, string>) {
  const given = PART.filter((name) => (fields.get(name) ?? '') !== '');
  if (given.length === 0) return undefined;
  const [width, height, left, top] = PART.map((name) => {
    const text = fields.get(name) ?? '';
    const least = name === 'width' || name === 'height' ? 1 : 0;
    if (text === '' && least === 0) return 0;
    const value = /^[0-9]{1,5}$/.test(text) ? Number(text) : -1;
    if (value >= least && value <= MAX_SIDE) return value;
    throw invalidRequest(
      name,
      text === '' ? [] : [text],
      `${name} must be a number from ${least} to ${MAX_SIDE}.`,
    );
  });
  if (width === undefined || height === undefined || left === undefined || top === undefined)
    throw new PipitError({ code: 'internal' });
  return { width, height, left, top };
}
