import type { Html } from '../api/reference/html.js';
import { Answer } from '../http/answer.js';
import type { Visit } from './visit.js';

/** The header with which the script asks for a part of a page, and with which parts answer. */
const PART_HEADER = 'pipit-part';

/** Reports whether the script of the web client asks for this part in place of a page. */
export function wantsPart({ request }: Pick<Visit, 'request'>, part: string): boolean {
  return request.headers[PART_HEADER] === part;
}

/** Returns a part of a page for the script. */
export function partAnswer(
  part: string,
  markup: Html,
  more: Partial<Pick<Answer, 'status' | 'headers'>> = {},
): Answer {
  return new Answer(more.status ?? 200, Buffer.from(markup.markup), {
    ...more.headers,
    [PART_HEADER]: part,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
}

/** Tells the script to open a page. */
export function openPage(path: string): Answer {
  return new Answer(200, Buffer.alloc(0), { 'pipit-open': path, 'cache-control': 'no-store' });
}
