import type { AuthRequest } from '../../auth/auth-request.js';
import { CodedRefusal } from '../../auth/oauth1/refusal.js';
import { Answer } from '../../http/answer.js';
import { isForm } from '../../http/sent-credentials.js';
import type { PlainRequest, PlainRoute } from '../../http/plain-route.js';
import { MAX_OAUTH_BODY_BYTES } from './read-parameters.js';

/** A route of OAuth 1.0a and its age, whose errors are codes with messages (docs/api/errors.md#v11-errors). */
export function codedRoute(path: string, handler: (request: PlainRequest) => Promise<Answer>): PlainRoute {
  return {
    method: 'POST',
    path,
    maxBodyBytes: MAX_OAUTH_BODY_BYTES,
    errorStyle: 'v1',
    handler: async (request) => {
      try {
        return await handler(request);
      } catch (error) {
        if (error instanceof CodedRefusal) return presentRefusal(error);
        throw error;
      }
    },
  };
}

function presentRefusal(refusal: CodedRefusal): Answer {
  const { status, code, message, label } = refusal;
  return new Answer(status, { errors: [{ code, message, label }] }, {}, refusal);
}

/** A plain request as signatures are checked on it. */
export function signedRequestOf(request: PlainRequest): AuthRequest {
  return {
    ...request,
    formBody: isForm(request.headers['content-type']) ? request.body.toString() : undefined,
  };
}

/** The older endpoints answer in the form of a query string. */
export function formAnswer(fields: Readonly<Record<string, string>>): Answer {
  return new Answer(200, new URLSearchParams(fields).toString(), {
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
}
