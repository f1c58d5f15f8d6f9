import { html, type Html } from '../../api/reference/html.js';
import type { WireMedia } from '../api/objects.js';
import { ownFilePath } from './paths.js';

/** Display names of media types. */
export const MEDIA_WORDS: Readonly<Record<WireMedia['type'], string>> = {
  photo: 'Photo',
  animated_gif: 'Animated GIF',
  video: 'Video',
};

/**
 * Returns the element for a media file; nothing plays automatically. Files on other servers are linked, because the
 * content security policy blocks them.
 */
export function mediaFile(media: WireMedia, publicUrl: string): Html {
  const [variant] = media.variants ?? [];
  const url = variant?.url ?? media.url;
  const path = ownFilePath(url, publicUrl);
  const preview = ownFilePath(media.preview_image_url, publicUrl);
  if (path === undefined) return foreignFile(media, url);
  if (variant?.content_type.startsWith('video/') === true) return video(media, path, preview);
  return media.type === 'animated_gif' ? stillOf(media, path, preview) : picture(media, path);
}

/** Returns a media file with its description, linked to the page at `path`. */
export function framedMedia(media: WireMedia, path: string, publicUrl: string): Html {
  const file = mediaFile(media, publicUrl);
  const isPicture = media.type === 'photo' && file.markup.startsWith('<img');
  return html`<figure>${isPicture ? html`<a href="${path}">${file}</a>` : file} ${altText(media)}</figure>`;
}

/** Returns the description of a media file, which is shown on demand. */
function altText({ alt_text: text = '' }: WireMedia): Html | undefined {
  if (text.trim() === '') return undefined;
  return html`<details class="alt">
    <summary>ALT<span class="hidden"> description</span></summary>
    <p dir="auto">${text}</p>
  </details>`;
}

/** Returns the link to a remote file, as given by world files and archives. */
function foreignFile(media: WireMedia, url: string | undefined): Html {
  const text =
    media.alt_text !== undefined && media.alt_text !== '' && html`<p dir="auto">${media.alt_text}</p>`;
  if (url === undefined || !/^https?:\/\//i.test(url))
    return html`<div class="absent">
      <p>${MEDIA_WORDS[media.type]}: this server does not have the file.</p>
      ${text}
    </div>`;
  return html`<div class="absent">
    <p>
      ${MEDIA_WORDS[media.type]} on another server:
      <a href="${url}" rel="nofollow noopener noreferrer">${url}</a>
    </p>
    ${text}
  </div>`;
}

function picture(media: WireMedia, path: string): Html {
  return html`<img src="${path}" alt="${described(media)}" ${size(media)} loading="lazy" />`;
}

/** Returns the preview of an animated GIF, linked to the file that plays it. */
function stillOf(media: WireMedia, path: string, preview: string | undefined): Html {
  return html`<a class="still" href="${path}">
    ${preview === undefined ? html`${described(media)}` : picture(media, preview)}<span class="badge"
      >Play GIF</span
    >
  </a>`;
}

function video(media: WireMedia, path: string, preview: string | undefined): Html {
  const poster = preview !== undefined && html`poster="${preview}"`;
  return html`<video
    src="${path}"
    aria-label="${described(media)}"
    ${poster}
    ${size(media)}
    controls
    preload="none"
  ></video>`;
}

function described({ type, alt_text: altText = '' }: WireMedia): string {
  return altText === '' ? `${MEDIA_WORDS[type]} without a description` : altText;
}

function size({ width, height }: WireMedia): Html | undefined {
  return width === undefined || height === undefined ? undefined : html`width="${width}" height="${height}"`;
}
