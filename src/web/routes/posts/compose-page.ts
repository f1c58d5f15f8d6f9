import { html, type Html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import { parseId } from '../../../core/ids.js';
import { unescapeText } from '../../../core/post-text/escape.js';
import type { Answer } from '../../../http/answer.js';
import { failureOf, problemOf, type ProblemAnswer } from '../../../http/problems.js';
import { ifPossible } from '../../api/if-possible.js';
import { note, type Faults } from '../../fields.js';
import { NO_FAULTS } from '../../forms.js';
import { signInPath, type FileVisit } from '../../page-routes.js';
import { staleReason } from '../../stale-form.js';
import { openPage, partAnswer, wantsPart } from '../../part-answer.js';
import { refusedFilesNote, withUploads } from '../../posts/attached-uploads.js';
import { cardOfId, type PostCard } from '../../posts/load-cards.js';
import { postCard } from '../../posts/post-card.js';
import { publish, uploadFiles, type Published } from '../../posts/publish.js';
import { problemText } from '../../problem-page.js';
import { refusalWords } from '../../posts/refusal-words.js';
import { readWritten, rearrange, type Written } from '../../posts/written-posts.js';
import { isSignedIn, type SignedInVisit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { COMPOSE_PATH, composer, fieldOf } from './composer.js';
import { DRAFTS_PATH } from './drafts-page.js';
import { cardContext } from './public-pages.js';

/**
 * `/compose/post`: the form of a new post or thread. The query may name the `text`, the post to `reply_to`, the one to
 * `quote` or the one to `edit`.
 */
export const composeRoutes: CreateRoutes = (pages, context) => [
  pages.showToUser(COMPOSE_PATH, async (visit) => showForm(visit, context, { written: await begin(visit) })),
  pages.acceptFilesFromUser(
    COMPOSE_PATH,
    (visit) => compose(visit, context),
    (visit) => showStale(visit, context),
  ),
];

/** Keeps what was written in a form that came too late. */
function showStale(visit: FileVisit, context: WebContext): Answer | Promise<Answer> {
  const written = readWritten(visit.form);
  if (isSignedIn(visit)) {
    const told = note('bad', `${staleReason(visit)} Your text is below; choose new pictures again.`);
    return showForm(visit, context, { written, told, status: 403 });
  }
  const { replyTo, quote, posts } = written;
  const query = new URLSearchParams({ text: posts.map(({ text }) => text).join('\n\n') });
  if (replyTo !== '') query.set('reply_to', replyTo);
  if (quote !== '') query.set('quote', quote);
  const signIn = signInPath({ next: `${COMPOSE_PATH}?${query.toString().slice(0, MAX_NEXT)}` });
  return visit.show(
    { title: 'Not posted', status: 403 },
    html`<h1>Not posted</h1>
      <div class="card">
        <p>${staleReason(visit)}</p>
        <div class="actions"><a class="button" href="${signIn}">Sign in and go on writing</a></div>
      </div>`,
  );
}

/** The most characters of a query that a sign-in leads back to: browsers and proxies take about 8 KB. */
const MAX_NEXT = 2000;

/** Does what the pressed button says, or posts. */
async function compose(visit: SignedInVisit<FileVisit>, context: WebContext): Promise<Answer> {
  const { api, form, files } = visit;
  const sent = readWritten(form, files);
  const uploaded = await uploadFiles(api, sent.posts);
  const action = form.get('do');
  const written = { ...sent, posts: action === null ? uploaded.posts : rearrange(uploaded.posts, action) };
  const told = refusedFilesNote(uploaded, context.clock());
  if (told) return showForm(visit, context, { written, told, status: 400 });
  if (action !== null) return showForm(visit, context, { written });
  const published = await publish(api, written);
  const path = `/i/status/${published.ids[0] ?? ''}`;
  if (published.rest) return showForm(visit, context, refusedPost(published, published.rest, context));
  return wantsPart(visit, 'composer') ? openPage(path) : visit.goTo(path);
}

/** What the page of a composer shows. */
interface Form {
  readonly written: Written;
  readonly faults?: Faults;
  readonly told?: Html;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

type Clocked = Pick<WebContext, 'clock'>;

const problemOfError = (error: unknown, { clock }: Clocked): ProblemAnswer =>
  problemOf(failureOf(error), clock());

/** Returns the form of what was not posted, and why. */
function refusedPost(
  { ids }: Published,
  { written, error }: NonNullable<Published['rest']>,
  context: Clocked,
): Form {
  const done = ids.length > 0 && postedNote(ids, written.posts.length);
  if (error instanceof PipitError) {
    const faults = faultsOf(error);
    const told = html`${done} ${faults.size > 0 && !done && note('bad', NOT_POSTED)}`;
    if (faults.size > 0) return { written, faults, told, status: 400 };
  }
  const problem = problemOfError(error, context);
  const { status, headers } = problem;
  const why = note('bad', html`Nothing of this was posted: it stays here. ${problemText(problem)}`);
  return { written, told: html`${done} ${why}`, status, headers };
}

const NOT_POSTED = 'This was not posted. Correct the errors below.';

function postedNote(ids: readonly string[], left: number): Html {
  const text = `${ids.length} of ${ids.length + left} posts are posted.`;
  return note('good', html`${text} <a href="/i/status/${ids[0] ?? ''}">Show them</a>. The rest is below.`);
}

/** Returns the faults of what was written: of the poll, or of the text. */
function faultsOf(error: PipitError): Faults {
  const { failure } = error;
  // Such as a repeated text.
  if (failure.code === 'forbidden') return new Map([[fieldOf(0), refusalWords(error.message)]]);
  if (failure.code !== 'invalid-request') return NO_FAULTS;
  return new Map(
    failure.violations.map(({ parameters, message }) => {
      const [name = ''] = Object.keys(parameters);
      return [name.startsWith('poll') ? 'poll' : fieldOf(0), refusalWords(message)];
    }),
  );
}

/** Returns what the query of the page asks to begin with. */
async function begin(visit: SignedInVisit): Promise<Written> {
  const written = readWritten(visit.query);
  if (written.edit === '') return written;
  const card = await targetOf(visit, idIn(written.edit));
  if (!card || card.post.author_id !== String(visit.viewer.user.id))
    throw new PipitError({ code: 'route-not-found' });
  return { ...written, edit: card.post.id, posts: [{ text: typedText(card), files: keptFiles(card) }] };
}

/** Returns the text of a post without the handles and links that the server added. */
function typedText({ post }: PostCard): string {
  const { note_tweet: whole, display_text_range: range, text } = post;
  if (whole) return unescapeText(whole.text);
  const [start, end] = range ?? [];
  return unescapeText([...text].slice(start, end).join('')).trim();
}

/** Returns the media of a post that is edited. Their descriptions cannot change. */
function keptFiles({ media }: PostCard): { key: string }[] {
  return media.map(({ media_key: key }) => ({ key }));
}

async function showForm(visit: SignedInVisit, context: WebContext, form: Form): Promise<Answer> {
  const { faults, told, status = 200, headers } = form;
  const { posts, uploads, lost } = await withUploads(visit.api, form.written.posts);
  const written = { ...form.written, posts };
  const shown = composer(visit, {
    written,
    faults,
    uploads,
    publicUrl: context.publicUrl,
    told: html`${told} ${lost}`,
  });
  if (wantsPart(visit, 'composer')) return partAnswer('composer', shown, { status, headers });
  const { replyTo, quote, edit } = written;
  const target = await ifPossible(targetOf(visit, idIn(replyTo) ?? idIn(quote)));
  const card = target && postCard(target, { ...cardContext(visit, context), isSignedIn: false });
  const title = titleOf(written);
  return visit.show(
    { title, status, headers, wide: 'posts' },
    html`<div class="title-row">
        <h1>${title}</h1>
        <a class="drafts-link" href="${DRAFTS_PATH}">Drafts</a>
      </div>
      ${replyTo !== '' && card} ${edit !== '' && EDIT_HINT} ${shown} ${quote !== '' && quotedNote(card)}`,
  );
}

function titleOf({ replyTo, edit }: Written): string {
  if (edit !== '') return 'Edit your post';
  return replyTo === '' ? 'Write a post' : 'Write a reply';
}

const EDIT_HINT = html`<p class="hint">
  Earlier versions stay visible in the post’s history. A post can be edited five times within 30 minutes.
</p>`;

function quotedNote(shown: Html | undefined): Html {
  return html`<section aria-label="The quoted post">
    <h2>You quote</h2>
    ${shown}
  </section>`;
}

function idIn(text: string): string | undefined {
  return text === '' ? undefined : parseId(text)?.toString();
}

async function targetOf({ api }: SignedInVisit, id: string | undefined): Promise<PostCard | undefined> {
  return id === undefined ? undefined : (await cardOfId(api, id)).card;
}
