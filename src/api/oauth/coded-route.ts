import type { AuthRequest } from '../../auth/auth-request.js';
import { CodedRefusal } from '../../auth/oauth1/refusal.js';
import { Answer } from '../../http/answer.js';
import { isForm } from '../../http/sent-credentials.js';
import type { PlainRequest, PlainRoute } from '../../http/plain-route.js';
import { MAX_OAUTH_BODY_BYTES } from './read-parameters.js';

/**
 * Creates a route of OAuth 1.0a or app-only tokens, whose errors are codes with messages
 * (docs/api/errors.md#v11-errors).
 */
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

/** Converts a plain request for the verification of signatures. */
export function signedRequestOf(request: PlainRequest): AuthRequest {
  return {
    ...request,
    formBody: isForm(request.headers['content-type']) ? request.body.toString() : undefined,
  };
}

/** Returns an answer in the format of a query string, as in OAuth 1.0a. */
export function formAnswer(fields: Readonly<Record<string, string>>): Answer {
  return new Answer(200, new URLSearchParams(fields).toString(), {
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
}
