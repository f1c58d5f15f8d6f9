import { html, type Html } from '../../../api/reference/html.js';
import { tabLinks } from '../../tab-links.js';
import { isSignedIn, type Visit } from '../../visit.js';
import { listName, listPath, type WireList } from './list-objects.js';

/** Returns the tabs of the home timeline: itself and the Lists that the user has pinned; undefined if there are none. */
export async function homeTabs(visit: Visit): Promise<Html | undefined> {
  if (!isSignedIn(visit)) return undefined;
  const { data = [] } = await visit.api.call<WireList[]>('listUserPinnedLists', {
    id: String(visit.viewer.user.id),
  });
  if (data.length === 0) return undefined;
  const [current = ''] = visit.request.url.split('?');
  const lists = data.map((list) => ({
    path: listPath(list.id),
    label: html`<bdi>${listName(list)}</bdi>`,
  }));
  return tabLinks('Timelines', [{ path: '/home', label: 'Following' }, ...lists], current);
}
