import { html, type Html } from '../../../api/reference/html.js';
import { MAX_ALT_TEXT_CHARACTERS } from '../../../core/limits.js';
import { textArea } from '../../fields.js';
import { FILE_FIELD } from '../../file-form.js';
import { icon } from '../../icons.js';
import { MEDIA_WORDS } from '../../posts/media-file.js';
import { ownFilePath } from '../../posts/paths.js';
import type { Upload, UploadedMedia } from '../../posts/uploaded-media.js';
import type { WrittenFile } from '../../posts/written-posts.js';

/** The media types that a file picker offers (docs/api/media.md#limits). */
const ACCEPTED = 'image/jpeg,image/png,image/webp,image/gif,video/mp4,video/quicktime';

/** Returns the pictures of a post that is being written, with their descriptions and what can be done with them. */
export function attachedFiles(
  files: readonly WrittenFile[],
  uploads: UploadedMedia,
  publicUrl: string,
): Html {
  return html`<ul class="attached-files">
    ${files.map(({ key = '', alt }) => fileItem(key, alt, preview(uploads.get(key), publicUrl)))}
  </ul>`;
}

/** Returns an empty picture, which the script copies for each file that the writer adds. */
export function fileTemplate(): Html {
  return html`<template class="file-template">${fileItem('new', '', html`<img alt="" />`)}</template>`;
}

/** What a post takes. */
const OF_POSTS = 'Up to four photos, one GIF or one video.';

/**
 * Returns the field that adds files; `taken` says which. Without script, a button shows them with their descriptions.
 */
export function filePicker(id: string, taken = OF_POSTS): Html {
  return html`<details class="pick">
    <summary>${icon('picture')}<span>Pictures</span></summary>
    <div class="field">
      <label for="${id}">Pictures or a video</label>
      <input id="${id}" type="file" name="${FILE_FIELD}" accept="${ACCEPTED}" multiple />
      <p class="hint">
        ${taken} “Attach” shows them here, so that you can describe them for people who cannot see them.
      </p>
    </div>
    <button class="plain" name="do" value="attach">Attach</button>
  </details>`;
}

function fileItem(key: string, alt: string | undefined, shown: Html): Html {
  return html`<li class="attached-file">
    <div class="preview">${shown}</div>
    <div class="about">
      <input type="hidden" name="media" value="${key === 'new' ? '' : key}" />
      ${
        alt !== undefined &&
        textArea({
          id: `alt-${key}`,
          name: 'alt',
          label: 'Description',
          value: alt,
          maxLength: MAX_ALT_TEXT_CHARACTERS,
        })
      }
      <p class="file-acts">
        <button class="plain" name="do" value="earlier ${key}">Move up</button>
        <button class="plain" name="do" value="remove ${key}">Remove</button>
      </p>
    </div>
  </li>`;
}

function preview(media: Upload | undefined, publicUrl: string): Html {
  const path = ownFilePath(media?.preview_image_url ?? media?.url, publicUrl);
  if (path !== undefined) return html`<img src="${path}" alt="" />`;
  return html`<span class="hint"
    >${media?.type === undefined ? 'Being prepared' : MEDIA_WORDS[media.type]}</span
  >`;
}
