import { PipitError } from '../core/errors.js';
import { parseId } from '../core/ids.js';
import type { Visit } from './visit.js';

/** Returns an id in the path. Throws `route-not-found` for other texts. */
export function idInPath(visit: Pick<Visit, 'request'>, name = 'id'): string {
  return String(parsedId(visit, name));
}

/** Finds what the id in the path names. Throws `route-not-found` if there is nothing. */
export async function findInPath<Id extends bigint, T>(
  visit: Pick<Visit, 'request'>,
  find: (id: Id) => Promise<T | undefined>,
): Promise<T> {
  const found = await find(parsedId<Id>(visit, 'id'));
  if (found === undefined) throw new PipitError({ code: 'route-not-found' });
  return found;
}

function parsedId<Id extends bigint>({ request: { path } }: Pick<Visit, 'request'>, name: string): Id {
  const id = parseId<Id>(path[name] ?? '');
  if (id === undefined) throw new PipitError({ code: 'route-not-found' });
  return id;
}
