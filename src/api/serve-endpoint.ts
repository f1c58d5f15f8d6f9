import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { queryOf } from '../auth/auth-request.js';
import type { Principal } from '../core/access.js';
import { Exchange } from '../http/exchange.js';
import type { Faults } from '../http/faults.js';
import { openBody, readBody, DEFAULT_MAX_BODY_BYTES } from '../http/read-body.js';
import { authRequestOf, readForm, requireSingleHeaders } from '../http/request-parts.js';
import type { PathValues, Serve } from '../http/shell.js';
import type { BodySpec } from './body/body.js';
import { checkJsonBody } from './body/check.js';
import type { AnyEndpoint } from './endpoint.js';
import { type CallProgress, type CallSource, type Shell, endpointRunner } from './run-endpoint.js';

/** Creates the function that serves a declared endpoint over HTTP. */
export function serveEndpoint(endpoint: AnyEndpoint, shell: Shell): Serve {
  const runner = endpointRunner(endpoint, shell);
  const style = endpoint.errorStyle ?? 'problem';
  const maxFormBytes = endpoint.body?.kind === 'json' ? endpoint.body.maxBytes : DEFAULT_MAX_BODY_BYTES;
  return async (request, response, path) => {
    const exchange = new Exchange(response, shell.newRequestId(), endpoint.operationId, style);
    const source = new RequestSource(request, path, shell, endpoint.formParams);
    try {
      requireSingleHeaders(request.rawHeaders);
      const form = readForm(request, maxFormBytes, shell.bodyRoom);
      if (form) source.form = await form;
      const result = await runner.run(source, exchange);
      exchange.answer(endpoint.success ?? 200, result, shell.log);
    } catch (error) {
      exchange.fail(runner.refusal(error, source, exchange), shell.clock, shell.log);
    }
  };
}

/** A call that an HTTP request brings. */
class RequestSource implements CallSource {
  readonly headers: IncomingMessage['headers'];
  readonly remoteAddress: string | undefined;
  /** The body, if it is a form. */
  form: Buffer | undefined;
  readonly #query: string;

  constructor(
    private readonly request: IncomingMessage,
    readonly path: PathValues,
    private readonly shell: Shell,
    private readonly takesForm = false,
  ) {
    this.headers = request.headers;
    this.remoteAddress = request.socket.remoteAddress;
    this.#query = queryOf(request.url ?? '');
  }

  get rawQuery(): string {
    return this.takesForm && this.form ? `${this.#query}&${this.form.toString()}` : this.#query;
  }

  authenticate(): Promise<Principal> {
    return this.shell.authenticator.authenticate(authRequestOf(this.request, this.form));
  }

  async readBody(spec: BodySpec<unknown>, faults: Faults, progress: CallProgress): Promise<unknown> {
    const { request, form, shell } = this;
    const contentType = this.headers['content-type'];
    if (spec.kind === 'streamed') {
      const chunks = form ? Readable.from([form]) : openBody(request, spec.maxBytes);
      return { contentType: contentType ?? '', chunks, hold: shell.bodyRoom.hold };
    }
    const bytes = form ?? (await readBody(request, spec.maxBytes, shell.bodyRoom));
    const { json, body } = checkJsonBody(spec, contentType, bytes, faults);
    progress.sentJson = json;
    return body;
  }
}
