import { html, type Html } from '../../../api/reference/html.js';
import { REPLY_SETTINGS } from '../../../core/post.js';
import { selectField, textArea, textField, type Faults } from '../../fields.js';
import { NO_FAULTS } from '../../forms.js';
import { icon } from '../../icons.js';
import type { UploadedMedia } from '../../posts/uploaded-media.js';
import { OPTION_FIELDS, readWritten, type Written, type WrittenPost } from '../../posts/written-posts.js';
import type { Visit } from '../../visit.js';
import { attachedFiles, filePicker, fileTemplate } from './attached-files.js';

export interface Composer {
  /** What is written so far. */
  readonly written?: Partial<Written>;
  /** By field: `text`, `text-2` and so on for the posts of a thread, `poll`. */
  readonly faults?: Faults;
  /** What happened to the form, above it. */
  readonly told?: Html;
  /** The uploads of the written posts, and the address of their files. */
  readonly uploads?: UploadedMedia;
  readonly publicUrl?: string;
  /** True for the short form above a timeline or below a post; the others are a button away. */
  readonly isShort?: boolean;
  readonly label?: string;
}

/** The path of the page with the whole form, which every composer is sent to. */
export const COMPOSE_PATH = '/compose/post';

/** Nothing written. */
const NOTHING = readWritten(new URLSearchParams());

/**
 * Returns the form that writes a post or a thread. It works without script; the script counts, completes, uploads
 * pictures as they are added, and keeps drafts.
 */
export function composer(visit: Visit, options: Composer = {}): Html {
  const written: Written = { ...NOTHING, ...options.written };
  const { faults = NO_FAULTS, isShort = false, told } = options;
  const { replyTo, quote, edit, posts } = written;
  const hidden = { reply_to: replyTo, quote, edit };
  const isNew = replyTo === '' && edit === '';
  return html`<form
    class="composer ${isShort ? 'short' : 'card'}"
    method="post"
    action="${COMPOSE_PATH}"
    enctype="multipart/form-data"
    data-user="${visit.viewer?.user.id.toString()}"
    id="${replyTo === '' ? 'compose' : 'reply'}"
  >
    ${visit.csrfField()} <button hidden>${sendLabel(written)}</button>
    ${Object.entries(hidden).map(
      ([name, value]) =>
        html`${value !== '' && html`<input type="hidden" name="${name}" value="${value}" />`}`,
    )}
    <div class="told">${told}</div>
    <div class="posts-written">${posts.map((post, index) => partOf(post, index, posts.length, options))}</div>
    ${!isShort && isNew && pollFields(written, faults)} ${!isShort && isNew && replySettings(written)}
    ${!isShort && sendRow(written)}
    <template class="part-template">${partOf(EMPTY, NEW_PART, 2, {})}</template>
    ${fileTemplate()}
  </form>`;
}

function sendRow(written: Written): Html {
  const more = html`<button class="plain" name="do" value="add">${icon('plus')} Add another post</button>`;
  return html`<p class="send">${written.edit === '' && more} <button>${sendLabel(written)}</button></p>`;
}

/** Returns what ends the only row of buttons of a short form. */
function shortEnd(written: Written): Html {
  return html`<button class="plain" name="do" value="show">More</button>
    <button>${sendLabel(written)}</button>`;
}

const EMPTY: WrittenPost = { text: '', files: [] };

/** The index of the part that the script copies for each post that it adds. */
const NEW_PART = -1;

function sendLabel({ edit, replyTo, posts }: Written): string {
  if (edit !== '') return 'Save';
  if (posts.length > 1) return 'Post all';
  return replyTo === '' ? 'Post' : 'Reply';
}

/** Returns the fields of one post of a thread. */
function partOf(post: WrittenPost, index: number, count: number, options: Composer): Html {
  const {
    faults = NO_FAULTS,
    uploads = new Map(),
    publicUrl = '',
    label = 'Post',
    isShort = false,
  } = options;
  const id = fieldOf(index);
  return html`<div class="part">
    ${textArea({ id, name: 'text', label: index === 0 ? label : 'Next post', value: post.text, fault: faults.get(id) })}
    ${attachedFiles(post.files, uploads, publicUrl)}
    <div class="tools">
      ${filePicker(`${id}-files`)}
      ${count > 1 && html`<button class="plain drop" name="do" value="drop ${index}">Remove this post</button>`}
      <output class="left" for="${id}" aria-live="off"></output>
      ${isShort && shortEnd({ ...NOTHING, ...options.written })}
    </div>
  </div>`;
}

/** Returns the id of a post's text, which is the name of its faults, too. */
export function fieldOf(index: number): string {
  if (index === NEW_PART) return 'text-new';
  return index === 0 ? 'text' : `text-${index + 1}`;
}

function pollFields({ options, days }: Written, faults: Faults): Html {
  const isUsed = options.some((option) => option !== '') || faults.has('poll');
  return html`<details class="poll-fields" ${isUsed && html`open`}>
    <summary>${icon('poll')}<span>Poll</span></summary>
    ${faults.has('poll') && html`<p class="fault">${faults.get('poll') ?? ''}</p>`}
    ${OPTION_FIELDS.map((name, index) =>
      textField({ name, label: `Option ${index + 1}`, value: options[index], maxLength: 25 }),
    )}
    ${selectField('days', 'Days', ['1', '2', '3', '5', '7'], days)}
  </details>`;
}

/** The words for who may reply. */
const REPLY_WORDS: Readonly<Record<string, string>> = {
  everyone: 'Everyone can reply',
  following: 'People you follow can reply',
  mentionedUsers: 'Only mentioned people can reply',
};

function replySettings({ replySettings: chosen }: Written): Html {
  const offered = REPLY_SETTINGS.filter((setting) => Object.hasOwn(REPLY_WORDS, setting));
  return selectField(
    'reply_settings',
    'Replies',
    offered.map((setting) => [setting, REPLY_WORDS[setting] ?? setting]),
    chosen,
  );
}
