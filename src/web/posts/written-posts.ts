import type { FileVisit } from '../page-routes.js';
import { FILE_FIELD, type SentFile } from '../file-form.js';

/** A picture or video of a post that is being written. */
export interface WrittenFile {
  /** The media key of an upload. */
  readonly key?: string;
  /** A file that is not uploaded yet. */
  readonly sent?: SentFile;
  /** Undefined if the form does not ask for it, as in edits. */
  readonly alt?: string;
}

/** A post that is being written. */
export interface WrittenPost {
  readonly text: string;
  readonly files: readonly WrittenFile[];
}

/** What a composer's form says: one post or a thread, with what belongs to the first. */
export interface Written {
  readonly posts: readonly WrittenPost[];
  readonly options: readonly string[];
  readonly days: string;
  readonly replySettings: string;
  readonly replyTo: string;
  readonly quote: string;
  /** The newest version of the post that is edited. */
  readonly edit: string;
}

/** The most posts of a thread that is written at once. */
const MAX_THREAD = 25;

/** The names of the fields with a poll's options. */
export const OPTION_FIELDS = ['option1', 'option2', 'option3', 'option4'] as const;

/** Reads a composer's form: each text begins a post, and what follows it belongs to that post. */
export function readWritten(form: URLSearchParams, files: FileVisit['files'] = []): Written {
  const value = (name: string): string => form.get(name) ?? '';
  return {
    posts: readPosts(form, files),
    options: OPTION_FIELDS.map(value),
    days: value('days'),
    replySettings: value('reply_settings'),
    replyTo: value('reply_to'),
    quote: value('quote'),
    edit: value('edit'),
  };
}

function readPosts(form: URLSearchParams, files: FileVisit['files']): WrittenPost[] {
  const posts: { text: string; files: { key?: string; sent?: SentFile; alt?: string }[] }[] = [];
  for (const [name, value] of form) {
    // Browsers send line breaks as CRLF.
    const text = value.replaceAll('\r\n', '\n');
    if (name === 'text' && posts.length < MAX_THREAD) posts.push({ text, files: [] });
    const own = posts.at(-1)?.files;
    const last = own?.at(-1);
    const sent = name === FILE_FIELD ? files[Number(value)] : undefined;
    if (name === 'media' && value !== '') own?.push({ key: value });
    else if (sent) own?.push({ sent });
    else if (name === 'alt' && last && last.alt === undefined) last.alt = text;
  }
  return posts.length === 0 ? [{ text: '', files: [] }] : posts;
}

/** Reports whether a post has nothing in it. */
export function isEmpty({ text, files }: WrittenPost): boolean {
  return text.trim() === '' && files.length === 0;
}

/** What a button of a composer does to what is written. */
export function rearrange(posts: readonly WrittenPost[], action: string): readonly WrittenPost[] {
  const [verb = '', target = ''] = action.split(' ');
  if (verb === 'add') return posts.length < MAX_THREAD ? [...posts, { text: '', files: [] }] : posts;
  if (verb === 'drop') return withoutPost(posts, Number(target));
  if (verb === 'remove')
    return posts.map((post) => ({ ...post, files: post.files.filter(({ key }) => key !== target) }));
  if (verb === 'earlier') return posts.map((post) => ({ ...post, files: movedEarlier(post.files, target) }));
  return posts;
}

function withoutPost(posts: readonly WrittenPost[], index: number): readonly WrittenPost[] {
  return posts.length === 1 ? posts : posts.filter((_, at) => at !== index);
}

function movedEarlier(files: readonly WrittenFile[], target: string): readonly WrittenFile[] {
  const at = files.findIndex(({ key }) => key === target);
  const [before, moved] = [files[at - 1], files[at]];
  if (!before || !moved) return files;
  return files.with(at - 1, moved).with(at, before);
}
