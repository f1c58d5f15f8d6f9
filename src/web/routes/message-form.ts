import { html, type Html } from '../../api/reference/html.js';
import { PipitError } from '../../core/errors.js';
import type { Answer } from '../../http/answer.js';
import { failureOf, problemOf } from '../../http/problems.js';
import { checkbox, note, textArea } from '../fields.js';
import { FILE_FIELD } from '../file-form.js';
import { icon } from '../icons.js';
import type { FileVisit } from '../page-routes.js';
import { uploadFile } from '../posts/media-upload.js';
import { problemText } from '../problem-page.js';
import type { SignedInVisit } from '../visit.js';
import type { WebContext } from '../web-context.js';
import { ACCEPTED } from './posts/attached-files.js';

/** A message as the API takes it (docs/api/messages.md#events). */
export interface MessageBody {
  readonly text?: string;
  readonly attachments?: readonly { readonly media_id: string }[];
}

/** A form that was refused: what it had, with the id of the file that was uploaded, and why. */
export interface RefusedMessage {
  readonly text: string;
  readonly mediaId?: string;
  readonly status: number;
  readonly reason: Html;
}

/** Returns the fields of a message: its text and a file, which a refused form keeps. */
export function messageFields(refused: RefusedMessage | undefined): Html {
  const { text = '', mediaId } = refused ?? {};
  return html`${textArea({ name: 'text', label: 'Your message', value: text })}
    ${
      mediaId !== undefined &&
      checkbox({ name: 'media', label: 'Send the file that you chose before', value: mediaId, checked: true })
    }
    <div class="tools">
      <details class="pick">
        <summary>${icon('picture')}<span>Picture</span></summary>
        <div class="field">
          <label for="picture">A picture or a video</label>
          <input id="picture" type="file" name="${FILE_FIELD}" accept="${ACCEPTED}" />
        </div>
      </details>
      <button>Send</button>
    </div>`;
}

/**
 * Uploads the file of a form, and sends its message with `send`, which returns the id of the conversation. What the API
 * refuses is answered with `showForm`.
 */
export async function sendWritten(
  visit: SignedInVisit<FileVisit>,
  { clock }: Pick<WebContext, 'clock'>,
  send: (message: MessageBody) => Promise<string>,
  showForm: (refused: RefusedMessage) => Promise<Answer>,
): Promise<Answer> {
  const { api, form, files } = visit;
  const text = (form.get('text') ?? '').replaceAll('\r\n', '\n');
  let mediaId = form.get('media') ?? undefined;
  try {
    const [file] = files;
    if (file) mediaId = (await uploadFile(api, file)).id;
    return visit.goTo(conversationPath(await send(bodyOf(text, mediaId))));
  } catch (error) {
    if (!(error instanceof PipitError)) throw error;
    const problem = problemOf(failureOf(error), clock());
    const reason = note('bad', html`This was not sent: it stays here. ${problemText(problem)}`);
    return showForm({ text, mediaId, status: problem.status, reason });
  }
}

function bodyOf(text: string, mediaId: string | undefined): MessageBody {
  if (mediaId === undefined) return { text };
  return { ...(text.trim() !== '' && { text }), attachments: [{ media_id: mediaId }] };
}

/** Returns the path of the page of a conversation. */
export function conversationPath(id: string): string {
  return `/messages/${encodeURIComponent(id)}`;
}
