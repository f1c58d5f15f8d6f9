import { html, type Html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import type { Answer } from '../../../http/answer.js';
import { failureOf, problemOf } from '../../../http/problems.js';
import { note, textArea } from '../../fields.js';
import type { FileVisit } from '../../page-routes.js';
import { wantsPart } from '../../part-answer.js';
import { refusedFilesNote, withUploads } from '../../posts/attached-uploads.js';
import { describe, keysOf, requirePrepared, uploadFiles } from '../../posts/publish.js';
import { findUploads, uploadIdOf } from '../../posts/uploaded-media.js';
import { readWritten, rearrange, type WrittenPost } from '../../posts/written-posts.js';
import { problemText } from '../../problem-page.js';
import type { SignedInVisit } from '../../visit.js';
import type { WebContext } from '../../web-context.js';
import { attachedFiles, filePicker, fileTemplate } from '../posts/attached-files.js';

/** A message as the API takes it (docs/api/messages.md#events). */
export interface MessageBody {
  readonly text?: string;
  readonly attachments?: readonly { readonly media_id: string }[];
}

/** What a form of messages has: what is written, what happened to it, and the address it goes to. */
export interface MessageForm {
  readonly written?: WrittenPost;
  readonly told?: Html;
  readonly status?: number;
  /** The conversation that has the first of the messages, if a later one was refused. */
  readonly begun?: string;
}

/** The most files that are sent at once, each as a message of its own. */
const MAX_FILES = 4;

const NOTHING: WrittenPost = { text: '', files: [] };

/**
 * Returns the form that writes messages to `path`; `fields` are those above the text. It works without script; the
 * script is that of the composer of posts.
 */
export async function messageForm(
  visit: SignedInVisit,
  { publicUrl }: Pick<WebContext, 'publicUrl'>,
  { path, form, fields }: { readonly path: string; readonly form: MessageForm; readonly fields?: Html },
): Promise<Html> {
  const { posts, uploads = new Map(), lost } = await withUploads(visit.api, [form.written ?? NOTHING]);
  const [written = NOTHING] = posts;
  return html`<form
    class="composer short message"
    method="post"
    action="${path}"
    enctype="multipart/form-data"
    data-user="${visit.viewer.user.id.toString()}"
    data-draft="${path}"
    id="write"
  >
    ${visit.csrfField()} <button hidden>Send</button>
    <div class="told">${form.told} ${lost}</div>
    ${fields}
    <div class="part">
      ${textArea({ name: 'text', label: 'Your message', value: written.text })}
      ${attachedFiles(written.files, uploads, publicUrl)}
      <div class="tools">
        ${filePicker('files', TAKEN)}
        <button class="send-message">Send</button>
      </div>
    </div>
    ${fileTemplate()}
  </form>`;
}

/** What the form takes. */
const TAKEN = 'Up to four pictures or videos; each is a message of its own.';

/** What becomes of a form of messages. */
export interface MessageSending {
  /** Sends one message, to the conversation that `begun` names once there is one, and returns its conversation. */
  readonly send: (message: MessageBody, begun: string | undefined) => Promise<string>;
  /** Answers with the form, and what is still to be sent. */
  readonly showForm: (form: MessageForm) => Promise<Answer>;
  /** Answers when everything was sent. */
  readonly finish: (conversation: string) => Answer | Promise<Answer>;
}

/** Does what the pressed button of the form says, or sends it: the text with the first file, then each other file. */
export async function sendWritten(
  visit: SignedInVisit<FileVisit>,
  context: Pick<WebContext, 'clock'>,
  { send, showForm, finish }: MessageSending,
): Promise<Answer> {
  const { api, form, files } = visit;
  const action = form.get('do');
  const uploaded = await uploadFiles(api, readWritten(form, files).posts.slice(0, 1));
  const [written = NOTHING] = action === null ? uploaded.posts : rearrange(uploaded.posts, action);
  const told = refusedFilesNote(uploaded, context.clock());
  if (told) return showForm({ written, told, status: 400 });
  if (action !== null) return showForm({ written });
  let begun: string | undefined;
  let sent = 0;
  try {
    if (written.files.length > MAX_FILES)
      return await showForm({ written, told: note('bad', TOO_MANY), status: 400 });
    const known = await findUploads(api, keysOf([written]));
    requirePrepared(known);
    await describe(api, written.files, known);
    for (const message of messagesOf(written)) {
      begun = await send(message, begun);
      sent += 1;
    }
    return await finish(begun ?? '');
  } catch (error) {
    if (!(error instanceof PipitError)) throw error;
    const rest = sent === 0 ? written : { text: '', files: written.files.slice(sent) };
    return showForm({ written: rest, begun, ...refused(error, sent, context) });
  }
}

const TOO_MANY = `This was not sent: it stays here. At most ${MAX_FILES} files are sent at once.`;

function messagesOf({ text, files }: WrittenPost): MessageBody[] {
  const [first, ...others] = files.map(({ key = '' }) => ({ attachments: [{ media_id: uploadIdOf(key) }] }));
  const withText = { ...((text.trim() !== '' || !first) && { text }), ...first };
  return [withText, ...others];
}

function refused(error: PipitError, sent: number, { clock }: Pick<WebContext, 'clock'>) {
  const problem = problemOf(failureOf(error), clock());
  const what = sent === 0 ? 'This was not sent' : 'The first messages were sent, the rest was not';
  const told = note('bad', html`${what}: it stays here. ${problemText(problem)}`);
  return { told, status: problem.status };
}

/** Reports whether the script asks for the form alone. */
export function wantsForm(visit: SignedInVisit): boolean {
  return wantsPart(visit, 'composer');
}
