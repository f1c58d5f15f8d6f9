import type { PlainRoute } from '../../api/plain-route.js';
import { html, type Html } from '../../api/reference/html.js';
import { PipitError } from '../../core/errors.js';
import { parseId, type DmEventId } from '../../core/ids.js';
import type { Media, MediaType } from '../../core/post.js';
import type { AccountDeps } from '../../services/accounts/account-deps.js';
import { findMessageMedia, type MessageMedia } from '../../services/dms/message-media.js';
import { typedText } from '../../services/dms/write-message.js';
import type { PageRoutes } from '../page-routes.js';
import { momentText } from '../times.js';

export interface MessageMediaDeps {
  readonly accounts: Pick<AccountDeps, 'engine'>;
  /** Where files of ours are, as their links say. */
  readonly publicUrl: string;
}

/** `/messages/media/{event id}`: where the link in the text of a message with media leads, for who sees the message. */
export function messageMediaRoutes(pages: PageRoutes, deps: MessageMediaDeps): PlainRoute[] {
  const { accounts, publicUrl } = deps;
  return [
    pages.showToUser('/messages/media/{id}', async (visit) => {
      const eventId = parseId<DmEventId>(visit.request.path['id'] ?? '');
      const shown = eventId && (await findMessageMedia(accounts.engine, visit.viewer.user.id, eventId));
      // The same for what is missing and for what is others': nobody learns who writes to whom.
      if (!shown) throw new PipitError({ code: 'route-not-found' });
      const title = `${KINDS[shown.media.type]} in a message`;
      return visit.show({ title, wide: true }, messageMedia(title, shown, publicUrl));
    }),
  ];
}

const KINDS: Readonly<Record<MediaType, string>> = {
  photo: 'Photo',
  animated_gif: 'Animated picture',
  video: 'Video',
};

function messageMedia(title: string, { message, media, sender }: MessageMedia, publicUrl: string): Html {
  const text = typedText(message);
  return html`<h1>${title}</h1>
    <p class="lead">
      From ${sender ? html`<strong>${sender.name}</strong> @${sender.username}` : 'an account that is gone'},
      ${momentText(message.createdAtMs)}
    </p>
    <div class="media">${file(media, publicUrl)}</div>
    ${text !== '' && html`<p class="written">${text}</p>`}`;
}

/** What shows the media; the policy of pages lets nothing in from other servers, so that those are linked. */
function file(media: Media, publicUrl: string): Html {
  const [variant] = media.variants ?? [];
  const url = variant?.url ?? media.url;
  const path = ownPathOf(url, publicUrl);
  if (path === undefined) return foreignFile(url);
  const isVideo = variant?.content_type.startsWith('video/') === true;
  return isVideo ? video(media, path, ownPathOf(media.previewImageUrl, publicUrl)) : picture(media, path);
}

/** Where world files and archives say that it is. */
function foreignFile(url: string | undefined): Html {
  if (url === undefined || !/^https?:\/\//i.test(url))
    return html`<p>This server does not have the file.</p>`;
  return html`<p>The file is at another server: <a href="${url}" rel="noreferrer">${url}</a></p>`;
}

function picture(media: Media, path: string): Html {
  return html`<img src="${path}" alt="${described(media)}" ${size(media)} />`;
}

function video(media: Media, path: string, preview: string | undefined): Html {
  const poster = preview !== undefined && html`poster="${preview}"`;
  return html`<video
    src="${path}"
    aria-label="${described(media)}"
    ${poster}
    ${size(media)}
    controls
  ></video>`;
}

function described({ type, altText = '' }: Media): string {
  return altText === '' ? `${KINDS[type]} without a description` : altText;
}

function size({ width, height }: Media): Html | undefined {
  return width === undefined || height === undefined ? undefined : html`width="${width}" height="${height}"`;
}

/** The path of a file of ours: it is there also for who reaches this server by another name. */
function ownPathOf(url: string | undefined, publicUrl: string): string | undefined {
  return url?.startsWith(`${publicUrl}/media/`) === true ? url.slice(publicUrl.length) : undefined;
}
