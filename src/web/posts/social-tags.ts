import { html, type Html } from '../../api/reference/html.js';
import type { WireUser } from '../api/objects.js';
import { titleText } from './rich-text.js';

/** Link previews on other sites: Open Graph (ogp.me) and X's card tags. */
export interface SocialTags {
  readonly type: 'article' | 'profile';
  readonly title: string;
  readonly description: string;
  /** The path of the page. */
  readonly path: string;
  /** An absolute URL. */
  readonly image?: { readonly url: string; readonly alt?: string; readonly isLarge: boolean };
}

/** Returns the user's picture as the image of a preview. */
export function faceImage(user: WireUser | undefined): SocialTags['image'] {
  const url = user?.profile_image_url?.replace('_normal.', '_400x400.');
  return url === undefined ? undefined : { url, isLarge: false };
}

const MAX_DESCRIPTION = 300;

/** Returns the tags for the head of a public page. */
export function socialTags({ type, title, description, path, image }: SocialTags, publicUrl: string): Html {
  const url = publicUrl + path;
  const text = [...titleText(description)].slice(0, MAX_DESCRIPTION).join('');
  const property = (name: string, value: string) => html`<meta property="${name}" content="${value}" />`;
  const named = (name: string, value: string) => html`<meta name="${name}" content="${value}" />`;
  return html`<link rel="canonical" href="${url}" /> ${named('description', text)}
    ${property('og:site_name', 'Pipit')} ${property('og:type', type)}
    ${property('og:title', titleText(title))} ${property('og:description', text)} ${property('og:url', url)}
    ${named('twitter:card', image?.isLarge === true ? 'summary_large_image' : 'summary')}
    ${named('twitter:title', titleText(title))} ${named('twitter:description', text)}
    ${image && html`${property('og:image', image.url)} ${named('twitter:image', image.url)}`}
    ${image?.alt !== undefined && image.alt !== '' && html`${property('og:image:alt', image.alt)}`}`;
}

/** The robots tag for pages that are not public. */
export const NOT_FOR_ROBOTS: Html = html`<meta name="robots" content="noindex, noarchive" />`;
