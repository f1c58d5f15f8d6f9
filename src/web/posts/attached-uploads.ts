import { html, type Html } from '../../api/reference/html.js';
import { failureOf, problemOf } from '../../http/problems.js';
import { ifPossible } from '../api/if-possible.js';
import type { WebApi } from '../api/web-api.js';
import { note } from '../fields.js';
import { problemText } from '../problem-page.js';
import { keysOf, type Uploaded } from './publish.js';
import { findUploads, type UploadedMedia } from './uploaded-media.js';
import type { WrittenPost } from './written-posts.js';

/** What is written, with its uploads. */
export interface WithUploads {
  /** Without files that are not there any more. */
  readonly posts: readonly WrittenPost[];
  /** Undefined if they could not be asked for, such as above a limit. */
  readonly uploads?: UploadedMedia;
  /** Says that files are not there any more. */
  readonly lost?: Html;
}

/** Returns the uploads of what is written, and leaves out the files that are not there any more. */
export async function withUploads(api: WebApi, posts: readonly WrittenPost[]): Promise<WithUploads> {
  const keys = keysOf(posts);
  const uploads = await ifPossible(findUploads(api, keys));
  // Without an answer, they stay.
  if (!uploads) return { posts };
  return {
    uploads,
    posts: posts.map((post) => ({
      ...post,
      files: post.files.filter(({ key = '' }) => uploads.has(key)),
    })),
    lost: keys.every((key) => uploads.has(key))
      ? undefined
      : note('bad', 'A file is no longer there. Choose it again.'),
  };
}

/** Says which files of a form were refused, and why; undefined without such. */
export function refusedFilesNote({ refused }: Uploaded, nowMs: number): Html | undefined {
  if (refused.size === 0) return undefined;
  const lines = [...refused.values()].flat().map(({ name, error }) => {
    const text = problemText(problemOf(failureOf(error), nowMs));
    return html`<div><strong dir="auto">${name}</strong> was not added: ${text}</div>`;
  });
  return note('bad', html`${lines}`);
}
