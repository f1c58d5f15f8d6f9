import type { Answer } from '../../http/answer.js';
import { html, type Html } from '../../api/reference/html.js';
import { DEFAULT_NAME, LOGO_PATH, type InstanceFacts } from '../../services/instance/instance.js';
import { POST_SELECTION } from '../api/fields.js';
import type { WirePost } from '../api/objects.js';
import { cardsOf } from '../posts/load-cards.js';
import { DISMISS_PATH, firstSteps } from '../first-steps.js';
import { linkCard } from '../lists.js';
import { noticeNote } from '../notices.js';
import { isSignedIn, type SignedInVisit } from '../visit.js';
import { homeTabs } from './lists/home-tabs.js';
import type { CreateRoutes, WebContext } from '../web-context.js';
import { composer } from './posts/composer.js';
import { beforeOf, postList, POSTS_PER_PAGE, showPage } from './posts/public-pages.js';

/** `/`, which introduces the server to visitors, and `/home`, the timeline of a signed-in user below the first steps. */
export const homeRoutes: CreateRoutes = (pages, context) => [
  pages.show('/', async (visit) => {
    if (isSignedIn(visit)) return visit.goTo('/home');
    const facts = await context.instance.describe();
    return visit.show(
      { title: 'Home', wide: true, signIn: '/sign-in' },
      html`${introduction(facts)} ${ways(facts)} ${address(context.publicUrl)}`,
    );
  }),
  pages.showToUser('/home', (visit) => showHome(visit, context)),
  pages.acceptFromUser(DISMISS_PATH, async (visit) => {
    await visit.api.call('dismissFirstSteps');
    return visit.goTo('/home');
  }),
];

async function showHome(visit: SignedInVisit, context: WebContext): Promise<Answer> {
  const found = await visit.api.call<WirePost[]>('usersIdTimeline', {
    id: String(visit.viewer.user.id),
    max_results: POSTS_PER_PAGE,
    until_id: beforeOf(visit),
    ...POST_SELECTION,
  });
  const isFirst = beforeOf(visit) === undefined;
  // Whoever has a full timeline is not new.
  const isShort = isFirst && (found.data?.length ?? 0) < POSTS_PER_PAGE;
  const last = found.data?.at(-1)?.id;
  const timeline = postList(visit, context, {
    cards: await cardsOf(visit.api, found),
    path: '/home',
    next: found.meta?.next_token === undefined || last === undefined ? undefined : { before: last },
    none: html`Nothing here yet. The posts of people you follow appear here: find some under
      <a href="/explore">Explore</a>, or write a post yourself.`,
    label: 'Home timeline',
    newest: beforeOf(visit) === undefined ? (found.data?.[0]?.id ?? '0') : undefined,
  });
  return showPage(
    visit,
    { title: 'Home', isPublic: false },
    html`<h1>Home</h1>
      ${await homeTabs(visit)} ${await noticeNote(visit)}
      ${isShort && (await firstSteps(visit, context.publicUrl))}
      ${composer(visit, { isShort: true, label: 'What is new?' })} ${timeline}`,
  );
}

function introduction({ name, description, logoUrl, signUp }: InstanceFacts): Html {
  return html`${logoUrl !== undefined && html`<p><img class="logo" src="${LOGO_PATH}" alt="" /></p>`}
    <h1 class="hero" dir="auto">${name === DEFAULT_NAME ? 'A network of short messages' : name}</h1>
    ${description !== '' && html`<p class="lead written" dir="auto">${description}</p>`}
    <div class="actions">
      <a class="button" href="/sign-in">Sign in</a>
      ${signUp === 'open' && html`<a class="button plain" href="/sign-up">Sign up</a>`}
    </div>`;
}

function ways({ isOpen }: InstanceFacts): Html {
  return html`<div class="ways">
    ${isOpen && linkCard('/explore', 'Explore', 'What people write about now. Posts and profiles can be read without an account.')}
    ${linkCard('/docs', 'API docs', 'This server implements the X API v2: apps and bots written for it work here unchanged.')}
  </div>`;
}

function address(publicUrl: string): Html {
  return html`<p class="hint">The API is available at <code>${publicUrl}/2/</code>.</p>`;
}
