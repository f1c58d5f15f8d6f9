import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { POST_SELECTION } from '../../api/fields.js';
import type { WirePost } from '../../api/objects.js';
import type { PostCard } from '../../posts/load-cards.js';
import { postPath } from '../../posts/paths.js';
import { writtenText } from '../../posts/post-card.js';
import { plainText } from '../../posts/rich-text.js';
import { shownName } from '../../shown-name.js';
import { textDifference } from '../../text-difference.js';
import { momentText } from '../../times.js';
import type { Visit } from '../../visit.js';
import { showPage } from './public-pages.js';

/** `/{username}/status/{id}/history`: the versions of an edited post, newest first, with what each changed. */
export async function showHistory(visit: Visit, { post, author }: PostCard): Promise<Answer> {
  const { data = [] } = await visit.api.call<WirePost[]>('findTweetsById', {
    ids: post.edit_history_tweet_ids ?? [post.id],
    'tweet.fields': POST_SELECTION['tweet.fields'],
  });
  const versions = [...data].sort((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
  const name = author ? shownName(author) : 'Unknown account';
  const shown = versions.map((version, index) => versionOf(version, versions[index - 1], index));
  return showPage(
    visit,
    { title: `Versions of a post by ${name}`, isPublic: false },
    html`<h1>Versions of a post</h1>
      <p class="lead">
        By <bdi>${name}</bdi>, newest first.
        <a href="${postPath(versions.at(-1)?.id ?? post.id, author)}">To the post</a>
      </p>
      <ol class="versions" reversed>
        ${shown.reverse()}
      </ol>`,
  );
}

function versionOf(version: WirePost, before: WirePost | undefined, index: number): Html {
  const isMediaChanged =
    before !== undefined &&
    String(before.attachments?.media_keys) !== String(version.attachments?.media_keys);
  return html`<li class="post version">
    <p class="above">
      ${index === 0 ? 'First version' : `Version ${index + 1}`}
      ${version.created_at !== undefined && html`· ${momentText(Date.parse(version.created_at))}`}
    </p>
    ${before ? changedText(before, version) : writtenText(html`${textOf(version)}`, '')}
    ${isMediaChanged && html`<p class="hint">Other pictures or videos than before.</p>`}
  </li>`;
}

/** Returns the text with what it has and what it lost against the version before. */
function changedText(before: WirePost, version: WirePost): Html {
  const [old, now] = textDifference(textOf(before), textOf(version));
  const lost = old.filter(({ isDifferent }) => isDifferent);
  const text = now.map(({ text: piece, isDifferent }) => (isDifferent ? html`<ins>${piece}</ins>` : piece));
  return html`${writtenText(html`${text}`)}
  ${
    lost.length > 0 &&
    html`<p class="hint">
      Removed: ${lost.map(({ text: piece }) => html`<del dir="auto">${piece.trim()}</del> `)}
    </p>`
  }`;
}

function textOf({ text, note_tweet: note }: WirePost): string {
  return plainText({ wireText: note?.text ?? text });
}
