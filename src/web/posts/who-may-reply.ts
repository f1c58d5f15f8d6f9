import { html, type Html } from '../../api/reference/html.js';
import type { PostCard } from './load-cards.js';
import { profilePath } from './paths.js';

/** What the settings say, for the name of the author. */
const RULES: Readonly<Record<string, (name: Html) => Html>> = {
  following: (name) => html`People ${name} follows or mentions can reply.`,
  mentionedUsers: (name) => html`People ${name} mentions can reply.`,
  subscribers: (name) => html`Subscribers of ${name} can reply.`,
  verified: () => html`Verified accounts can reply.`,
};

/** Returns who may reply to a post, if not everyone. */
export function whoMayReply({ post, author }: PostCard): Html | undefined {
  const rule = RULES[post.reply_settings ?? ''];
  if (!rule) return undefined;
  const name = author
    ? html`<a href="${profilePath(author)}" dir="ltr">@${author.username}</a>`
    : html`the author`;
  return html`<p class="hint rule">${rule(name)}</p>`;
}
