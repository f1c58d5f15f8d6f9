import { invalidRequest, PipitError } from '../../core/errors.js';
import type { WebApi } from '../api/web-api.js';
import { uploadFile } from './media-upload.js';
import { findUploads, uploadIdOf, type UploadedMedia } from './uploaded-media.js';
import { isEmpty, type Written, type WrittenFile, type WrittenPost } from './written-posts.js';

/** What became of written posts. */
export interface Published {
  /** The ids of the posts that are there now, in order. */
  readonly ids: readonly string[];
  /** What was not posted; undefined if everything was. */
  readonly rest?: { readonly written: Written; readonly error: unknown };
}

/** Posts what is written, in order. The first refusal ends it: the posts before it stay, the others are the rest. */
export async function publish(api: WebApi, given: Written): Promise<Published> {
  const [first, ...later] = given.posts;
  const written = { ...given, posts: [...(first ? [first] : []), ...later.filter((post) => !isEmpty(post))] };
  const ids: string[] = [];
  try {
    const known = await findUploads(api, keysOf(written.posts));
    requirePrepared(known);
    for (const post of written.posts) {
      await describe(api, post.files, known);
      const { data } = await api.call<{ id: string }>('createTweet', postBody(written, post, ids.at(-1)));
      ids.push(data?.id ?? '');
    }
    return { ids };
  } catch (error) {
    return { ids, rest: { written: restOf(written, ids), error } };
  }
}

/** Returns the media keys of posts. */
export function keysOf(posts: readonly WrittenPost[]): string[] {
  return posts.flatMap(({ files }) => files.flatMap(({ key }) => key ?? []));
}

/** What of the files of a form was uploaded. */
export interface Uploaded {
  readonly posts: readonly WrittenPost[];
  /** Why files were refused, by the index of their post. */
  readonly refused: ReadonlyMap<number, readonly { readonly name: string; readonly error: unknown }[]>;
}

/** Uploads the files that came with a form. Those that are refused are left out. */
export async function uploadFiles(api: WebApi, posts: readonly WrittenPost[]): Promise<Uploaded> {
  const refused = new Map<number, { name: string; error: unknown }[]>();
  const uploaded: WrittenPost[] = [];
  for (const [index, post] of posts.entries()) {
    const files: WrittenFile[] = [];
    for (const file of post.files) {
      try {
        files.push(await withKey(api, file));
      } catch (error) {
        refused.set(index, [...(refused.get(index) ?? []), { name: file.sent?.name ?? '', error }]);
      }
    }
    uploaded.push({ ...post, files });
  }
  return { posts: uploaded, refused };
}

async function withKey(api: WebApi, file: WrittenFile): Promise<WrittenFile> {
  if (!file.sent) return file;
  const { media_key: key } = await uploadFile(api, file.sent);
  if (key === undefined) throw new PipitError({ code: 'internal' });
  // The form asks for a description from now on.
  return { key, alt: file.alt ?? '' };
}

/** Throws 'invalid-request' while a video is being processed. */
export function requirePrepared(uploads: UploadedMedia): void {
  if ([...uploads.values()].some(({ type }) => type === undefined))
    throw invalidRequest('media', [], 'A video is still being prepared. Try again in a moment.');
}

/** Sets the descriptions that the writer changed. */
export async function describe(
  api: WebApi,
  files: readonly WrittenFile[],
  known: UploadedMedia,
): Promise<void> {
  for (const { key = '', alt } of files) {
    if (alt === undefined || alt === (known.get(key)?.alt_text ?? '')) continue;
    await api.call('createMediaMetadata', {
      id: uploadIdOf(key),
      metadata: { alt_text: { text: alt } },
    });
  }
}

/** Returns the arguments of `createTweet`. What belongs to the first post of a thread is left out of the others. */
function postBody(
  { replyTo, quote, edit, replySettings, options, days }: Written,
  { text, files }: WrittenPost,
  previousId: string | undefined,
): Readonly<Record<string, unknown>> {
  const isFirst = previousId === undefined;
  const parent = previousId ?? replyTo;
  const choices = options.filter((option) => option.trim() !== '');
  return {
    text: text === '' && (files.length > 0 || (isFirst && quote !== '')) ? undefined : text,
    media: files.length > 0 ? { media_ids: files.map(({ key = '' }) => uploadIdOf(key)) } : undefined,
    reply: parent === '' ? undefined : { in_reply_to_tweet_id: parent },
    ...(isFirst && {
      quote_tweet_id: quote === '' ? undefined : quote,
      edit_options: edit === '' ? undefined : { previous_post_id: edit },
      reply_settings: replySettings === '' || replySettings === 'everyone' ? undefined : replySettings,
      poll: choices.length === 0 ? undefined : { options: choices, duration_minutes: Number(days) * 24 * 60 },
    }),
  };
}

/** Returns what is still to be posted: it goes on below the last post that is there. */
function restOf(written: Written, ids: readonly string[]): Written {
  const last = ids.at(-1);
  if (last === undefined) return written;
  const { days } = written;
  const posts = written.posts.slice(ids.length);
  return { posts, options: [], days, replySettings: '', replyTo: last, quote: '', edit: '' };
}
