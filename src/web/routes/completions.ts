import { html, type Html } from '../../api/reference/html.js';
import { partAnswer } from '../part-answer.js';
import { userPicture } from '../posts/author.js';
import { shownName } from '../shown-name.js';
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

/** `/i/completions?text=@mar`: the script asks for the options that complete a username or hashtag. */
export const completionRoutes: CreateRoutes = (pages, { publicUrl }) => [
  pages.showToUser('/i/completions', async ({ api, query }) => {
    const { data = [] } = await api.call<WireCompletion[]>('getCompletions', {
      text: query.get('text') ?? '',
    });
    return partAnswer('completions', html`${data.map((each) => option(each, publicUrl))}`);
  }),
];

function option(completion: WireCompletion, publicUrl: string): Html {
  if (completion.kind === 'hashtag') {
    const { tag, count } = completion;
    const posts = count === 1 ? '1 post' : `${count.toLocaleString('en')} posts`;
    return html`<li role="option" data-text="#${tag}">
      <bdi>#${tag}</bdi> <span class="handle">${posts}</span>
    </li>`;
  }
  const { username } = completion;
  return html`<li role="option" data-text="@${username}">
    ${userPicture(completion, '_normal', publicUrl)} <bdi class="name">${shownName(completion)}</bdi>
    <span class="handle" dir="ltr">@${username}</span>
  </li>`;
}
