import type { CallArguments } from '../../api/call-arguments.js';
import type { AnyEndpoint } from '../../api/endpoint.js';
import type { CallOperation, InnerAnswer } from '../../api/inner-call.js';
import { invalidRequest } from '../../core/errors.js';
import { webPrincipal } from '../../core/web-client.js';
import { JsonRefused, readJson } from '../../http/json.js';
import type { FormVisit, SignedInVisit } from '../visit.js';

/** An answer to a call from a page, and how long it took. */
export interface Tried extends InnerAnswer {
  readonly elapsedMs: number;
}

/** The field with the body of a request, and the prefix of those with parameters. */
export const BODY_FIELD = 'body';
export const PARAM_PREFIX = 'param.';

/** Returns why an endpoint cannot be tried on its page; undefined if it can. */
export function obstacleOf({ access, body, streams, file, errorStyle }: AnyEndpoint): string | undefined {
  if (errorStyle === 'v1') return 'Endpoints of version 1.1 take requests that are signed with OAuth 1.0a.';
  if (streams === true) return 'A stream has no end: a page cannot show it.';
  if (file === true) return 'The answer is a file.';
  if (body?.kind === 'streamed') return 'The request has a file.';
  if (access === 'public' || access.contexts.includes('oauth2')) return undefined;
  return 'The endpoint takes tokens of apps only, and you would call it as a user.';
}

/**
 * Calls an endpoint with the fields of a form as the signed-in user, with the rights and limits of the web client's app.
 * The session stands for the token (docs/web.md). Throws `invalid-request` for a body that is not a JSON object.
 */
export async function tryEndpoint(
  call: CallOperation,
  { operationId, body }: AnyEndpoint,
  { form, viewer }: SignedInVisit<FormVisit>,
  now: () => number,
): Promise<Tried> {
  const sent = { ...readParams(form), ...(body && readBody(form.get(BODY_FIELD) ?? '')) };
  const startedMs = now();
  const answer = await call(operationId, sent, webPrincipal(viewer.user.id));
  return { ...answer, elapsedMs: now() - startedMs };
}

/** Returns the parameters of a form by name, without empty ones. */
function readParams(form: URLSearchParams): Record<string, string> {
  const filled = [...form].filter(([name, value]) => name.startsWith(PARAM_PREFIX) && value !== '');
  return Object.fromEntries(filled.map(([name, value]) => [name.slice(PARAM_PREFIX.length), value]));
}

function readBody(text: string): CallArguments {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = readJson(Buffer.from(text));
  } catch (error) {
    if (error instanceof JsonRefused) throw invalidRequest(BODY_FIELD, [], NO_OBJECT);
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest(BODY_FIELD, [], NO_OBJECT);
  return value as CallArguments;
}

const NO_OBJECT = 'The body must be a JSON object, such as {"text": "Hello"}.';
