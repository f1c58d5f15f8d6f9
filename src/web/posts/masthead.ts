import { html, type Html } from '../../api/reference/html.js';
import type { WireUser } from '../api/objects.js';
import { shownName } from '../shown-name.js';
import { userPicture } from './author.js';
import { ownFilePath } from './paths.js';

/** Returns the banner of a profile, if it is stored on this server: see `userPicture`. */
export function profileBanner(user: WireUser, publicUrl: string): Html | undefined {
  const own = ownFilePath(user.profile_banner_url, publicUrl);
  return own === undefined ? undefined : bannerImage(own, `Banner of ${shownName(user)}`);
}

/** Returns a banner in the size that fits the screen; its place is kept while it loads. */
export function bannerImage(path: string, alt: string): Html {
  return html`<img
    class="banner"
    src="${path}/600x200"
    srcset="${path}/600x200 600w, ${path}/1500x500 1500w"
    sizes="(max-width: 42rem) 100vw, 42rem"
    width="1500"
    height="500"
    alt="${alt}"
  />`;
}

/** Returns the picture of a profile. An uploaded one leads to its largest size. */
export function profilePicture(user: WireUser, publicUrl: string): Html {
  const picture = userPicture(user, '_400x400', publicUrl);
  const own = ownFilePath(user.profile_image_url, publicUrl);
  if (own?.startsWith('/media/') !== true) return picture;
  return html`<a
    class="whole"
    href="${own.replace('_normal.', '.')}"
    aria-label="Picture of ${shownName(user)}"
    >${picture}</a
  >`;
}
