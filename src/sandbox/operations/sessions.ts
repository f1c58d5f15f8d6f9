import { jsonBody } from '../../api/body/body.js';
import { invalidRequest } from '../../core/errors.js';
import { fullObject, id, object as objectOf, text as textOf } from '../../core/json-schema.js';
import { object, required, text } from '../../core/validators.js';
import { createWebSessionService } from '../../services/accounts/web-sessions.js';
import { findUserByUsername } from '../../stores/users.js';
import { createCookieJar } from '../../web/cookies.js';
import { sessionCookie } from '../../web/browser-sessions.js';
import { operation } from '../operation.js';

const createSession = operation({
  operationId: 'createSandboxSession',
  tag: 'Tokens',
  summary: 'Sign a user in to the pages, without a password',
  method: 'POST',
  path: '/sessions',
  command: 'session',
  success: 201,
  body: jsonBody(object({ username: required(text({ min: 1, max: 50, description: 'The user.' })) })),
  response: objectOf({ data: fullObject({ user: fullObject({ id, username: textOf }), cookie: textOf }) }, [
    'data',
  ]),
  handler: async ({ server, publicUrl }, { body }) => {
    const { backend } = server.pipit;
    const user = await findUserByUsername(backend.engine, body.username.replace(/^@/, ''));
    const token = user && (await createWebSessionService(backend).startUnproven(user.id));
    if (!user || token === undefined) {
      throw invalidRequest('username', [body.username], 'There is no such user, or the account is suspended');
    }
    const cookie = sessionCookie(createCookieJar(publicUrl.startsWith('https:')), token);
    return {
      data: { user: { id: String(user.id), username: user.username }, cookie: cookie.split(';', 1)[0] ?? '' },
    };
  },
});

export const sessionOperations = [createSession];
