import { html, type Html } from '../../api/reference/html.js';
import { defaultPictureUrl } from '../../core/default-picture.js';
import type { UserId } from '../../core/ids.js';
import type { WireUser } from '../api/objects.js';
import { shownName } from '../shown-name.js';
import { ownFilePath, profilePath } from './paths.js';

/**
 * Returns a user's picture, if it is stored on this server; otherwise a default one. Remote pictures would disclose
 * readers to other servers. The `alt` text is empty because the name is next to it.
 */
export function userPicture(
  user: WireUser,
  form: '_normal' | '_bigger' | '_400x400',
  publicUrl: string,
): Html {
  const own =
    ownFilePath(user.profile_image_url, publicUrl) ??
    defaultPictureUrl('', { ...user, id: BigInt(user.id) as UserId });
  return html`<img class="face" src="${own.replace('_normal.', `${form}.`)}" alt="" loading="lazy" />`;
}

/** Returns name and handle, linked to the profile. */
export function authorLine(author: WireUser | undefined): Html {
  if (!author) return html`<span class="author"><span class="handle">Unknown account</span></span>`;
  return html`<a class="author" href="${profilePath(author)}"
    ><bdi class="name">${shownName(author)}</bdi>${verifiedMark(author)}
    <span class="handle">@${author.username}</span></a
  >`;
}

export function verifiedMark({ verified }: Pick<WireUser, 'verified'>): Html | undefined {
  return verified === true
    ? html` <span class="verified" role="img" aria-label="verified">✓</span>`
    : undefined;
}
