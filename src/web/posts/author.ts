import { html, type Html } from '../../api/reference/html.js';
import { defaultPictureUrl } from '../../core/default-picture.js';
import type { User } from '../../core/user.js';
import { shownName } from '../shown-name.js';
import { ownFilePath, profilePath } from './paths.js';

/**
 * Returns a user's picture, if it is stored on this server; otherwise a default one. Remote pictures would disclose
 * readers to other servers. The `alt` text is empty because the name is next to it.
 */
export function userPicture(user: User, form: '_normal' | '_bigger' | '_400x400', publicUrl: string): Html {
  const own = ownFilePath(user.profileImageUrl, publicUrl) ?? defaultPictureUrl('', user);
  return html`<img class="face" src="${own.replace('_normal.', `${form}.`)}" alt="" loading="lazy" />`;
}

/** Returns name and handle, linked to the profile. */
export function authorLine(author: User | undefined): Html {
  if (!author) return html`<span class="author"><span class="handle">Unknown account</span></span>`;
  return html`<a class="author" href="${profilePath(author)}"
    ><bdi class="name">${shownName(author)}</bdi>${verifiedMark(author)}
    <span class="handle">@${author.username}</span></a
  >`;
}

export function verifiedMark({ verified }: User): Html | undefined {
  return verified ? html` <span class="verified" role="img" aria-label="verified">✓</span>` : undefined;
}
