import { PipitError } from '../../../core/errors.js';
import type { WireSpace } from '../../api/objects.js';
import { spacePath, SPACES_PATH } from '../../posts/space-card.js';
import type { CreateRoutes } from '../../web-context.js';
import { publicPage } from '../posts/public-pages.js';
import { bodyOf, CREATE_SPACE_PATH, readSpaceForm, sendSpace, showCreate } from './space-form.js';
import { showSpaces } from './space-list.js';
import { findSpace, spaceIdInPath } from './space-objects.js';
import { showSpace } from './space-page.js';

/** What the creator does with a Space by a button: the operations. */
const ACTS = { start: 'startSpace', end: 'endSpace', cancel: 'cancelSpace' } as const;

/** The pages and forms of Spaces. */
export const spaceRoutes: CreateRoutes = (pages, context) => [
  publicPage(pages, context, SPACES_PATH, showSpaces),
  publicPage(pages, context, spacePath('{id}'), (visit) => showSpace(visit, context)),
  pages.showToUser(CREATE_SPACE_PATH, (visit) => showCreate(visit)),
  pages.acceptFromUser(CREATE_SPACE_PATH, (visit) => {
    const settings = readSpaceForm(visit);
    return sendSpace(
      () => visit.api.call<WireSpace>('createSpace', bodyOf(settings)),
      (faults) => showCreate(visit, settings, faults),
      ({ data }) => visit.goTo(data ? spacePath(data.id) : SPACES_PATH),
    );
  }),
  pages.acceptFromUser(spacePath('{id}', 'edit'), async (visit) => {
    const found = await findSpace(visit);
    if (found?.isOwn !== true) throw new PipitError({ code: 'route-not-found' });
    const { id } = found.space;
    const settings = readSpaceForm(visit);
    return sendSpace(
      () => visit.api.call('changeSpace', { id, ...bodyOf(settings) }),
      (faults) => showSpace(visit, context, faults, settings),
      () => visit.goTo(spacePath(id)),
    );
  }),
  ...Object.entries(ACTS).map(([act, operation]) =>
    pages.acceptFromUser(spacePath('{id}', act), async (visit) => {
      const id = spaceIdInPath(visit);
      await visit.api.call(operation, { id });
      return visit.goTo(spacePath(id));
    }),
  ),
];
