import type { CreateRoutes } from '../../web-context.js';
import { publicPage } from '../posts/public-pages.js';
import { addToListsRoutes } from './add-to-lists.js';
import { listButtonRoutes } from './list-buttons.js';
import { listFormRoutes } from './list-form.js';
import { listPath } from './list-objects.js';
import { showList } from './list-page.js';
import { listPeopleRoutes } from './list-people.js';
import { LISTS_OF_USER, showListsOf, type ListsOfUser } from './lists-of-user.js';

/** The pages and forms of Lists. */
export const listRoutes: CreateRoutes = (pages, context) => [
  publicPage(pages, context, listPath('{id}'), (visit) => showList(visit, context)),
  ...(Object.keys(LISTS_OF_USER) as ListsOfUser[]).flatMap((kind) =>
    ['/{username}', '/i/user/{id}'].map((base) =>
      publicPage(pages, context, `${base}/${kind}`, (visit) => showListsOf(visit, kind)),
    ),
  ),
  ...[listPeopleRoutes, listFormRoutes, listButtonRoutes, addToListsRoutes].flatMap((routes) =>
    routes(pages, context),
  ),
];
