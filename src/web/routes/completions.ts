import { html, type Html } from '../../api/reference/html.js';
import { completeTerm, type TermCompletion } from '../../query/complete-term.js';
import { partAnswer, wantsPart } from '../part-answer.js';
import { userPicture } from '../posts/author.js';
import { shownName } from '../shown-name.js';
import type { Visit } from '../visit.js';
import type { CreateRoutes } from '../web-context.js';

/** A completion as the API answers it (docs/api/pipit.md#completions). */
type WireCompletion =
  | {
      readonly kind: 'user';
      readonly id: string;
      readonly username: string;
      readonly name: string;
      readonly profile_image_url?: string;
    }
  | { readonly kind: 'hashtag'; readonly tag: string; readonly count: number };

/** The longest text that is completed. */
const MAX_TYPED = 100;

/**
 * `/i/completions?text=@mar`: the script asks for the options that complete a username or hashtag, or a term of a search
 * such as `fr`, `from:mar` and `-has:`.
 */
export const completionRoutes: CreateRoutes = (pages, { publicUrl }) => [
  pages.show('/i/completions', async (visit) => {
    if (!wantsPart(visit, 'completions')) return visit.goTo('/explore');
    const text = (visit.query.get('text') ?? '').slice(0, MAX_TYPED);
    if (/^[@#]/.test(text)) return options(await named(visit, text, publicUrl));
    const { completions, user } = completeTerm(text);
    return options(
      user && /^\w{1,50}$/.test(user.beginning)
        ? await named(visit, `@${user.beginning}`, publicUrl, user.before)
        : completions.map(termOption),
    );
  }),
];

const options = (found: readonly Html[]) => partAnswer('completions', html`${found}`);

/** Returns users or hashtags, for signed-in users; `before` stands in place of the sign. */
async function named(
  { api, viewer }: Visit,
  text: string,
  publicUrl: string,
  before?: string,
): Promise<Html[]> {
  if (!viewer) return [];
  const { data = [] } = await api.call<WireCompletion[]>('getCompletions', { text });
  return data.map((each) => option(each, publicUrl, before ?? text.charAt(0)));
}

function option(completion: WireCompletion, publicUrl: string, before: string): Html {
  if (completion.kind === 'hashtag') {
    const { tag, count } = completion;
    const posts = count === 1 ? '1 post' : `${count.toLocaleString('en')} posts`;
    return html`<li role="option" data-text="#${tag}">
      <bdi>#${tag}</bdi> <span class="handle">${posts}</span>
    </li>`;
  }
  const { username } = completion;
  return html`<li role="option" data-text="${before}${username}">
    ${userPicture(completion, '_normal', publicUrl)} <bdi class="name">${shownName(completion)}</bdi>
    <span class="handle" dir="ltr">@${username}</span>
  </li>`;
}

function termOption({ text, meaning }: TermCompletion): Html {
  return html`<li role="option" data-text="${text}">
    <code dir="ltr">${text}</code> <span class="handle">${meaning}</span>
  </li>`;
}
