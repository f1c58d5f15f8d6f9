import { csrfTokenOf } from '../src/web/csrf.js';
import { ask } from './connection.js';
import type { MixPerson } from './mix-world.js';
import { formRequest } from './requests.js';

/** A user signed in to the pages: the API has no request that changes a profile. */
export interface Editor {
  readonly username: string;
  readonly cookie: string;
  readonly csrf: string;
}

/** The people who have a password. */
export const EDITORS = 20;
export const EDITOR_PASSWORD = 'harbour lamp 4711';

const HOST = 'bench.example';

/** Signs in the most active people, who have passwords. */
export async function signInEditors(port: number, people: readonly MixPerson[]): Promise<Editor[]> {
  const editors: Editor[] = [];
  for (const { username } of people.slice(0, EDITORS)) editors.push(await signIn(port, username));
  return editors;
}

async function signIn(port: number, username: string): Promise<Editor> {
  const secret = `form-of-${username}`;
  const fields = { csrf: csrfTokenOf(secret), username, password: EDITOR_PASSWORD };
  const { status, head } = await ask(port, formRequest('/sign-in', HOST, `pipit_form=${secret}`, fields));
  const session = /^set-cookie: pipit_session=([^;\r]+)/im.exec(head)?.[1];
  if (session === undefined) throw new Error(`@${username} was not signed in: ${status}`);
  return { username, cookie: `pipit_session=${session}`, csrf: csrfTokenOf(session) };
}

/** Returns a request that changes the description of a profile. */
export function profileRequest({ username, cookie, csrf }: Editor, description: string): string {
  const fields = { csrf, name: `The ${username}`, description, location: 'Portland, Oregon', url: '' };
  return formRequest('/my-account', HOST, cookie, fields);
}
