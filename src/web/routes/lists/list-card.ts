import { html, type Html } from '../../../api/reference/html.js';
import type { WireUser } from '../../api/objects.js';
import { counted } from '../../counted.js';
import { icon } from '../../icons.js';
import { profilePath } from '../../posts/paths.js';
import { shownName } from '../../shown-name.js';
import { listName, listPath, type FoundList, type WireList } from './list-objects.js';

/** Returns Lists below each other, each with what `aside` returns for it; `none` if there are none. */
export function listCards(
  lists: readonly FoundList[],
  none: Html | string,
  aside?: (found: FoundList) => Html | undefined,
): Html {
  if (lists.length === 0) return html`<p class="absent">${none}</p>`;
  return html`<div class="timeline">${lists.map((found) => listCard(found, aside?.(found)))}</div>`;
}

function listCard({ list, owner }: FoundList, aside: Html | undefined): Html {
  const description = list.description ?? '';
  return html`<article class="post list-card" id="list-${list.id}">
    <span class="list-face">${icon('list')}</span>
    <div class="list-what">
      <p class="list-name">
        <a class="author" href="${listPath(list.id)}"><bdi class="name">${listName(list)}</bdi></a>
        ${privateMark(list)}
      </p>
      <p class="handle">${owner && ownerOf(owner)} ${memberCount(list)}</p>
      ${description !== '' && html`<p class="list-about" dir="auto">${description}</p>`}
    </div>
    ${aside}
  </article>`;
}

/** Returns the sign of a List that only its owner sees; undefined for others. */
export function privateMark({ private: isPrivate }: WireList): Html | undefined {
  if (isPrivate !== true) return undefined;
  return html`<span class="mark with-icon">${icon('lock')}Private</span>`;
}

function ownerOf(owner: WireUser): Html {
  return html`<a href="${profilePath(owner)}"><bdi>${shownName(owner)}</bdi></a> ·`;
}

function memberCount({ member_count: members = 0 }: WireList): Html {
  return counted(members, 'member', 'members');
}
