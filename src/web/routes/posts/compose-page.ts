import { html, type Html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import { parseId } from '../../../core/ids.js';
import type { Answer } from '../../../http/answer.js';
import { attempt, NO_FAULTS, statusOf } from '../../forms.js';
import type { Faults } from '../../fields.js';
import { cardOfId, type PostCard } from '../../posts/load-cards.js';
import { postCard } from '../../posts/post-card.js';
import type { SignedInVisit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { COMPOSE_PATH, composer, postOf } from './composer.js';
import { cardContext } from './public-pages.js';

/** `/compose/post`: the form of a new post; the query may name the `text`, the post to `reply_to` or the one to `quote`. */
export const composeRoutes: CreateRoutes = (pages, context) => [
  pages.showToUser(COMPOSE_PATH, (visit) => showForm(visit, context, visit.query)),
  pages.acceptFromUser(COMPOSE_PATH, async (visit) => {
    const refuse = (faults: Faults) => showForm(visit, context, visit.form, inOurNames(faults));
    try {
      return await attempt(
        () => publish(visit, visit.form),
        refuse,
        (id) => visit.goTo(`/i/status/${id}`),
      );
    } catch (error) {
      // Such as a repeated text: the writer keeps it.
      if (error instanceof PipitError && error.failure.code === 'forbidden')
        return refuse(new Map([['text', error.message]]));
      throw error;
    }
  }),
];

async function publish({ api }: SignedInVisit, form: URLSearchParams): Promise<string> {
  const { data } = await api.call<{ id: string }>('createTweet', postOf(form));
  return data?.id ?? '';
}

/** The endpoint names the members of its body; faults of others stand beside the text. */
function inOurNames(faults: Faults): Faults {
  return new Map([...faults].map(([name, fault]) => [name.startsWith('poll') ? 'poll' : 'text', fault]));
}

async function showForm(
  visit: SignedInVisit,
  context: WebContext,
  fields: URLSearchParams,
  faults: Faults = NO_FAULTS,
): Promise<Answer> {
  const replyTo = idIn(fields, 'reply_to');
  const quoted = idIn(fields, 'quote');
  const target = await targetOf(visit, replyTo ?? quoted);
  const title = replyTo === undefined ? 'Write a post' : 'Write a reply';
  const shown = target && postCard(target, { ...cardContext(visit, context), isSignedIn: false });
  return visit.show(
    { title, status: statusOf(faults), wide: 'posts' },
    html`<h1>${title}</h1>
      ${replyTo !== undefined && shown}
      ${composer(visit, { values: Object.fromEntries(fields), faults, replyTo, quoted })}
      ${quoted !== undefined && quotedNote(shown)}`,
  );
}

function quotedNote(shown: Html | undefined): Html {
  return html`<section aria-label="The quoted post">
    <h2>You quote</h2>
    ${shown}
  </section>`;
}

function idIn(fields: URLSearchParams, name: string): string | undefined {
  const text = fields.get(name) ?? '';
  if (text === '') return undefined;
  const id = parseId(text);
  return id === undefined ? undefined : String(id);
}

async function targetOf({ api }: SignedInVisit, id: string | undefined): Promise<PostCard | undefined> {
  if (id === undefined) return undefined;
  const { card } = await cardOfId(api, id);
  return card;
}
