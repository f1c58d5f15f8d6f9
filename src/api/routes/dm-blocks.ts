import { type AnyEndpoint, perQuarterHour, userWrite } from '../endpoint.js';
import { changeEndpoint } from '../change-endpoint.js';
import { userInPath } from './owned-page.js';

/** Blocking the messages of a user (docs/api/messages.md#who-may-write). The id in the path is that user's. */

const DAY_SECONDS = 86_400;

const common = {
  tag: 'Direct messages',
  method: 'POST',
  access: { ...userWrite('dm.write'), permission: 'read_write_dm' },
  rateLimits: [
    ...perQuarterHour({ user: 10 }),
    { per: 'user', limit: 400, windowSeconds: DAY_SECONDS },
    { per: 'app-users', limit: 1000, windowSeconds: DAY_SECONDS },
  ],
  params: userInPath,
} as const;

export const dmBlockEndpoints: readonly AnyEndpoint[] = [
  changeEndpoint({
    ...common,
    operationId: 'blockUsersDms',
    summary: 'Blocks direct messages from and to a user',
    path: '/2/users/{id}/dm/block',
    answers: { blocked: true },
    run: ({ dms }, { principal, params }) => dms.block(principal, params.id),
  }),
  changeEndpoint({
    ...common,
    operationId: 'unblockUsersDms',
    summary: 'Lets direct messages from and to a user through again; idempotent',
    path: '/2/users/{id}/dm/unblock',
    answers: { blocked: false },
    run: ({ dms }, { principal, params }) => dms.unblock(principal, params.id),
  }),
];
