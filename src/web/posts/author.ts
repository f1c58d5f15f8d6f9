import { html, type Html } from '../../api/reference/html.js';
import { defaultPictureUrl } from '../../core/default-picture.js';
import type { User } from '../../core/user.js';
import { shownName } from '../shown-name.js';
import { ownFilePath, profilePath } from './paths.js';

/**
 * A user's picture, of ours alone: a page that loads pictures of other servers tells these who reads it. It is beside the
 * name, so that it says nothing of its own.
 */
export function userPicture(user: User, form: '_normal' | '_bigger' | '_400x400', publicUrl: string): Html {
  const own = ownFilePath(user.profileImageUrl, publicUrl) ?? defaultPictureUrl('', user);
  return html`<img class="face" src="${own.replace('_normal.', `${form}.`)}" alt="" loading="lazy" />`;
}

/** Name and handle, which lead to the user's page. */
export function authorLine(author: User | undefined): Html {
  if (!author)
    return html`<span class="author"><span class="handle">An account that is not stored here</span></span>`;
  return html`<a class="author" href="${profilePath(author)}"
    ><bdi class="name">${shownName(author)}</bdi>${verifiedMark(author)}
    <span class="handle">@${author.username}</span></a
  >`;
}

export function verifiedMark({ verified }: User): Html | undefined {
  return verified ? html` <span class="verified" role="img" aria-label="verified">✓</span>` : undefined;
}
