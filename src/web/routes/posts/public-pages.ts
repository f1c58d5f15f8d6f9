import type { Answer } from '../../../http/answer.js';
import type { ApiContext } from '../../../api/context.js';
import type { PlainRoute } from '../../../http/plain-route.js';
import { html, type Html } from '../../../api/reference/html.js';
import type { ClientAddress } from '../../../auth/client-address.js';
import type { AddressLimit } from '../../../limits/attempts.js';
import type { Clock } from '../../../core/clock.js';
import { isReservedUsername } from '../../../core/reserved-usernames.js';
import { USERNAME_PATTERN } from '../../../core/user.js';
import type { ConversationService } from '../../../services/posts/conversations.js';
import type { Visibility } from '../../../core/visibility.js';
import { signInFirst, signInPath, type PageRoutes } from '../../page-routes.js';
import type { CardLook } from '../../posts/post-card.js';
import { titleText } from '../../posts/rich-text.js';
import { NOT_FOR_ROBOTS } from '../../posts/social-tags.js';
import type { Visit } from '../../visit.js';

/** What pages of posts and profiles work with. */
export interface PublicPageDeps extends Pick<ApiContext, 'views' | 'timelines' | 'search'> {
  readonly conversations: ConversationService;
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly addressOf: ClientAddress;
  readonly limitPages: AddressLimit;
  /** False: who is not signed in has to do that first. */
  readonly isOpen: boolean;
}

/** A page of what the interface shows: for everybody, within limits, or for who is signed in. */
export function publicPage(
  pages: PageRoutes,
  deps: PublicPageDeps,
  path: string,
  handler: (visit: Visit) => Answer | Promise<Answer>,
): PlainRoute {
  const route = pages.show(path, async (visit) => {
    if (!visit.viewer && !deps.isOpen) return signInFirst(visit);
    if (!visit.viewer) deps.limitPages(deps.addressOf(visit.request));
    return handler(visit);
  });
  return { ...route, takes: takesNames };
}

/** True unless the first step is one of this server's own, or no username at all. */
function takesNames({ username }: Readonly<Record<string, string | undefined>>): boolean {
  if (username === undefined || username === 'i') return true;
  return USERNAME_PATTERN.test(username) && !isReservedUsername(username);
}

/** What cards need of a visit. */
export function lookOf({ publicUrl, clock }: PublicPageDeps): CardLook {
  return { publicUrl, nowMs: clock() };
}

/** What of a page is for everybody, and how long it may be kept. */
export interface Shown {
  readonly title: string;
  readonly head: Html;
  /** Nobody in particular may see it as well. */
  readonly isPublic: boolean;
}

/** A page of what the viewer may see. Only what everybody sees may be kept, and is asked for again before it is shown. */
export function showPage(visit: Visit, { title, head, isPublic }: Shown, body: Html): Answer {
  const isShared = isPublic && !visit.viewer;
  return visit.show(
    {
      title: titleText(title),
      wide: 'posts',
      head: isPublic ? head : NOT_FOR_ROBOTS,
      signIn: signInPath({ next: visit.request.url }),
      headers: isShared ? { 'cache-control': 'public, no-cache', vary: 'cookie' } : {},
    },
    body,
  );
}

/** A page that says why there is nothing to see (403), and tells nothing else of it. */
export function refusePage(visit: Visit, reason: Exclude<Visibility, 'visible'>): Answer {
  const signIn = signInPath({ next: visit.request.url });
  const { title, text } = REASONS[reason];
  return visit.show(
    { title, status: 403, head: NOT_FOR_ROBOTS, signIn },
    html`<h1>${title}</h1>
      <div class="card">
        <p>${text}</p>
        ${!visit.viewer && html`<div class="actions"><a class="button" href="${signIn}">Sign in</a></div>`}
      </div>`,
  );
}

const REASONS = {
  'not-authorized': {
    title: 'Not for everybody',
    text: 'Only some people may see this: its author’s posts are protected, or the author has blocked you.',
  },
  suspended: {
    title: 'This account is not available',
    text: 'The account is suspended or at rest, and nothing of it is shown.',
  },
} as const;
