import { html, type Html } from '../../../api/reference/html.js';
import { REPLY_SETTINGS } from '../../../core/post.js';
import { textArea, textField, type Faults } from '../../fields.js';
import { faultNote, NO_FAULTS } from '../../forms.js';
import type { Visit } from '../../visit.js';

/** The values of a composer's fields, as sent. */
export type ComposerValues = Readonly<Record<string, string>>;

export interface Composer {
  readonly values?: ComposerValues;
  readonly faults?: Faults;
  /** The post that the new one replies to, or quotes. */
  readonly replyTo?: string;
  readonly quoted?: string;
  /** True for the short form above a timeline or below a post, with a text alone. */
  readonly isShort?: boolean;
  readonly label?: string;
  readonly hint?: string;
}

/** The path of the page with the whole form, which every composer is sent to. */
export const COMPOSE_PATH = '/compose/post';

/** The most options of a poll. */
const OPTIONS = ['option1', 'option2', 'option3', 'option4'] as const;

/** Returns the form that writes a post. It works without script; the script counts and keeps drafts. */
export function composer(visit: Visit, options: Composer = {}): Html {
  const { values = {}, faults = NO_FAULTS, replyTo, quoted, isShort = false, label = 'Post', hint } = options;
  return html`<form
    class="composer ${isShort ? 'short' : 'card'}"
    method="post"
    action="${COMPOSE_PATH}"
    data-user="${visit.viewer?.user.id.toString()}"
    id="${replyTo === undefined ? 'compose' : 'reply'}"
  >
    ${visit.csrfField()} ${faultNote(faults)}
    ${replyTo !== undefined && html`<input type="hidden" name="reply_to" value="${replyTo}" />`}
    ${quoted !== undefined && html`<input type="hidden" name="quote" value="${quoted}" />`}
    ${textArea({ name: 'text', label, value: values['text'], fault: faults.get('text'), hint })}
    ${!isShort && replyTo === undefined && pollFields(values, faults)}
    ${!isShort && replyTo === undefined && replySettings(values)}
    <p class="send">
      <output class="left" for="text" aria-live="off"></output>
      <button>${replyTo === undefined ? 'Post' : 'Reply'}</button>
    </p>
  </form>`;
}

function pollFields(values: ComposerValues, faults: Faults): Html {
  const isUsed = OPTIONS.some((name) => (values[name] ?? '') !== '') || faults.has('poll');
  return html`<details ${isUsed && html`open`}>
    <summary>Poll</summary>
    ${faults.has('poll') && html`<p class="fault">${faults.get('poll') ?? ''}</p>`}
    ${OPTIONS.map((name, index) =>
      textField({ name, label: `Option ${index + 1}`, value: values[name], maxLength: 25 }),
    )}
    <div class="field">
      <label for="days">Days</label>
      <select id="days" name="days">
        ${[1, 2, 3, 5, 7].map(
          (days) =>
            html`<option value="${days}" ${values['days'] === String(days) && html`selected`}>
              ${days}
            </option>`,
        )}
      </select>
    </div>
  </details>`;
}

/** The words for who may reply. */
const REPLY_WORDS: Readonly<Record<string, string>> = {
  everyone: 'Everyone can reply',
  following: 'People you follow can reply',
  mentionedUsers: 'Only mentioned people can reply',
};

function replySettings(values: ComposerValues): Html {
  const offered = REPLY_SETTINGS.filter((setting) => Object.hasOwn(REPLY_WORDS, setting));
  return html`<div class="field">
    <label for="reply_settings">Replies</label>
    <select id="reply_settings" name="reply_settings">
      ${offered.map(
        (setting) =>
          html`<option value="${setting}" ${values['reply_settings'] === setting && html`selected`}>
            ${REPLY_WORDS[setting] ?? setting}
          </option>`,
      )}
    </select>
  </div>`;
}

/** Reads a composer's form as the arguments of `createTweet`. */
export function postOf(form: URLSearchParams): Readonly<Record<string, unknown>> {
  const value = (name: string): string => form.get(name) ?? '';
  const options = OPTIONS.map(value).filter((option) => option.trim() !== '');
  const settings = value('reply_settings');
  // Browsers send line breaks as CRLF.
  const text = value('text').replaceAll('\r\n', '\n');
  return {
    text: text === '' && value('quote') !== '' ? undefined : text,
    reply: value('reply_to') === '' ? undefined : { in_reply_to_tweet_id: value('reply_to') },
    quote_tweet_id: value('quote') === '' ? undefined : value('quote'),
    reply_settings: settings === '' || settings === 'everyone' ? undefined : settings,
    poll: options.length === 0 ? undefined : { options, duration_minutes: Number(value('days')) * 24 * 60 },
  };
}
