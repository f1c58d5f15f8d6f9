import { invalidRequest } from '../core/errors.js';
import { text } from '../core/validators.js';
import type { Backend } from '../server/backend.js';
import type { App } from '../stores/apps.js';

/** Reads the app that a body names, for `requireApp`. */
export const appField = text({
  min: 1,
  max: 100,
  description: 'The id or the name of the app; by default the first one.',
});

/** Returns the app with an id or a name, by default the first one. Throws a 400 for `parameter` if there is none. */
export async function requireApp(
  { apps }: Backend,
  asked: string | undefined,
  parameter = 'app',
): Promise<App> {
  const all = await apps.list();
  const found =
    asked === undefined ? all[0] : all.find(({ id: own, name }) => String(own) === asked || name === asked);
  if (found) return found;
  if (asked !== undefined) throw invalidRequest(parameter, [asked], 'There is no such app');
  throw invalidRequest(parameter, [], 'The network has no app: add one with a world file, or issue a token');
}
