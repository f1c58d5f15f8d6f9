import { html, type Html } from '../../../api/reference/html.js';
import type { DmEventId } from '../../../core/ids.js';
import { findMessageMedia, type MessageMedia } from '../../../services/dms/message-media.js';
import { typedText } from '../../../services/dms/write-message.js';
import { findInPath } from '../../id-in-path.js';
import { shownName } from '../../shown-name.js';
import { MEDIA_WORDS, mediaFile } from '../../posts/media-file.js';
import { momentText } from '../../times.js';
import type { CreateRoutes } from '../../web-context.js';

/** `/messages/media/{event id}`: the target of the media link in a message, for its participants. */
export const messageMediaRoutes: CreateRoutes = (pages, { accounts, publicUrl }) => [
  pages.showToUser('/messages/media/{id}', async (visit) => {
    // The error is the same for missing messages and for those of others, so that it reveals nothing.
    const shown = await findInPath(visit, (id: DmEventId) =>
      findMessageMedia(accounts.engine, visit.viewer.user.id, id),
    );
    const title = `${MEDIA_WORDS[shown.media.type]} in a message`;
    return visit.show({ title, wide: true }, messageMedia(title, shown, publicUrl));
  }),
];

function messageMedia(title: string, { message, media, sender }: MessageMedia, publicUrl: string): Html {
  const text = typedText(message);
  return html`<h1>${title}</h1>
    <p class="lead">
      From
      ${sender ? html`<strong><bdi>${shownName(sender)}</bdi></strong> @${sender.username}` : 'a deleted account'},
      ${momentText(message.createdAtMs)}
    </p>
    <div class="media">
      ${mediaFile({ ...media, media_key: media.mediaKey, alt_text: media.altText, preview_image_url: media.previewImageUrl }, publicUrl)}
    </div>
    ${text !== '' && html`<p class="written">${text}</p>`}`;
}
