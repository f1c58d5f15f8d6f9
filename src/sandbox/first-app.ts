import type { Backend } from '../server/backend.js';
import { listApps, type App } from '../stores/apps.js';
import { lockUsers } from '../stores/locks.js';
import { requireFirstUser } from './known-users.js';

/** The name of the app of a network that declares none. */
const NAME = 'sandbox';

/** Where programs on this machine often wait for the answer of a sign-in. */
const REDIRECT_URIS = ['http://127.0.0.1:3000/callback', 'http://localhost:3000/callback'];

/**
 * Returns the first app. In a network without apps, registers one with every permission, which belongs to the first
 * user. Throws a 400 if there is no user.
 */
export async function requireFirstApp(backend: Backend): Promise<App> {
  const { apps, engine } = backend;
  const [first] = await apps.list();
  if (first) return first;
  const { id: ownerId } = await requireFirstUser(backend);
  return engine.tx('register app of sandbox', async (tx) => {
    // Requests that arrive together register one app.
    await lockUsers(tx, [ownerId]);
    const [earlier] = await listApps(tx);
    if (earlier) return earlier;
    const { app } = await apps.create(
      {
        name: NAME,
        ownerId,
        track: 'academic_research',
        permissions: 'read_write_dm',
        redirectUris: REDIRECT_URIS,
        confidential: false,
        derivesCredentials: true,
      },
      tx,
    );
    return app;
  });
}
