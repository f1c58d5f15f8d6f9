import { flag } from '../../core/json-schema.js';
import { type AnyEndpoint, endpoint, perQuarterHour, userWrite } from '../endpoint.js';
import { dataSchema } from '../schemas/envelopes.js';
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
  response: dataSchema({ blocked: flag }),
} as const;

export const dmBlockEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...common,
    operationId: 'blockUsersDms',
    summary: 'Blocks direct messages from and to a user',
    path: '/2/users/{id}/dm/block',
    handler: async ({ dms }, { principal, params }) => {
      await dms.block(principal, params.id);
      return { data: { blocked: true } };
    },
  }),
  endpoint({
    ...common,
    operationId: 'unblockUsersDms',
    summary: 'Lets direct messages from and to a user through again; idempotent',
    path: '/2/users/{id}/dm/unblock',
    handler: async ({ dms }, { principal, params }) => {
      await dms.unblock(principal, params.id);
      return { data: { blocked: false } };
    },
  }),
];
