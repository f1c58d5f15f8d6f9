import type { UserPrincipal } from '../../core/access.js';
import { invalidRequest } from '../../core/errors.js';
import { parseId, type MediaId, type UserId } from '../../core/ids.js';
import { MAX_ADDITIONAL_OWNERS, MAX_SEGMENTS } from '../../core/limits.js';
import { MEDIA_CATEGORIES, parseMediaCategory, type MediaCategory } from '../../core/media.js';
import type { MediaService, UploadStatus } from '../../services/media/media.js';
import type { UploadForm } from './upload-form.js';

/** An executed upload command (docs/api/media.md#uploads); `whole` is an upload in one piece. */
export interface DoneCommand {
  readonly command: 'whole' | 'INIT' | 'APPEND' | 'FINALIZE';
  readonly upload: UploadStatus;
}

/** Executes the command of a form. Throws PipitError for missing or invalid fields, and the errors of the service. */
export async function runUploadCommand(
  media: MediaService,
  principal: UserPrincipal,
  form: UploadForm,
): Promise<DoneCommand> {
  const command = form.fields.get('command')?.toUpperCase();
  switch (command) {
    case undefined:
      return { command: 'whole', upload: await media.upload(principal, requireMedia(form), optionsOf(form)) };
    case 'INIT': {
      const totalBytes = integerOf(form, 'total_bytes', 1, Number.MAX_SAFE_INTEGER);
      const options = { ...optionsOf(form), totalBytes };
      return { command, upload: await media.initialize(principal, options) };
    }
    case 'APPEND':
      return { command, upload: await appendSegment(media, principal, mediaIdOf(form), form) };
    case 'FINALIZE':
      return { command, upload: await media.finalize(principal, mediaIdOf(form)) };
    default:
      throw invalidRequest(
        'command',
        [command],
        `The command [${command}] is not one of INIT, APPEND, FINALIZE.`,
      );
  }
}

/** Stores the segment in a form. */
export function appendSegment(
  media: MediaService,
  principal: UserPrincipal,
  id: MediaId,
  form: UploadForm,
): Promise<UploadStatus> {
  const index = integerOf(form, 'segment_index', 0, MAX_SEGMENTS - 1);
  return media.append(principal, id, index, requireMedia(form));
}

/** Returns the media id in a text. */
export function parseMediaId(name: string, text: string | undefined): MediaId {
  const id = parseId<MediaId>(text ?? '');
  if (id !== undefined) return id;
  throw text === undefined || text === ''
    ? missing(name)
    : invalidRequest(name, [text], `${name} parameter is invalid: [${text}].`);
}

function mediaIdOf({ fields }: UploadForm): MediaId {
  return parseMediaId('media_id', fields.get('media_id'));
}

function requireMedia({ media }: UploadForm): NonNullable<UploadForm['media']> {
  if (media) return media;
  throw missing('media');
}

function optionsOf({ fields }: UploadForm) {
  return {
    category: categoryOf(fields.get('media_category')),
    declaredType: fields.get('media_type'),
    additionalOwners: ownersOf(fields.get('additional_owners')),
  };
}

function categoryOf(text: string | undefined): MediaCategory | undefined {
  if (text === undefined || text === '') return undefined;
  const category = parseMediaCategory(text);
  if (category) return category;
  const known = MEDIA_CATEGORIES.join(',');
  throw invalidRequest('media_category', [text], `media_category [${text}] is not one of [${known}].`);
}

function ownersOf(text: string | undefined): UserId[] {
  // twitter-api-v2 sends the value that it was given, which may be a JSON list.
  const entries = (text ?? '').replaceAll(/["[\]\s]/g, '').split(',');
  return entries.filter(Boolean).map((entry, at) => {
    const id = parseId<UserId>(entry);
    if (id !== undefined && at < MAX_ADDITIONAL_OWNERS) return id;
    throw invalidRequest(
      'additional_owners',
      [text ?? ''],
      `additional_owners must be up to ${MAX_ADDITIONAL_OWNERS} user ids.`,
    );
  });
}

function integerOf({ fields }: UploadForm, name: string, min: number, max: number): number {
  const text = fields.get(name);
  if (text === undefined || text === '') throw missing(name);
  const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw invalidRequest(name, [text], `${name} parameter is invalid: [${text}].`);
}

function missing(name: string): Error {
  return invalidRequest(name, [], `${name} parameter is missing.`);
}
