import type { Readable } from 'node:stream';
import type { CallArguments } from '../../api/call-arguments.js';
import type { CallOperation, InnerAnswer } from '../../api/inner-call.js';
import type { Principal } from '../../core/access.js';
import { webPrincipal } from '../../core/web-client.js';
import type { Envelope } from './objects.js';

/** Calls endpoints of the API for one visit, as the user of its session (docs/web.md). */
export class WebApi {
  constructor(
    private readonly operation: CallOperation,
    private readonly principal: Principal,
  ) {}

  /** False for visitors. */
  get isOfUser(): boolean {
    return this.principal.context !== 'app';
  }

  /** Returns the API for what only apps may call: search of the whole archive, which finds public posts. */
  asApp(): WebApi {
    return new WebApi(this.operation, webPrincipal(undefined));
  }

  /** Opens an endpoint that streams. Throws the error of a refusal. */
  async open(operationId: string, sent: CallArguments): Promise<Readable> {
    const { stream, failure } = await this.#answer(operationId, sent);
    if (failure !== undefined) throw failure;
    if (!stream) throw new Error(`${operationId} does not stream`);
    return stream;
  }

  /**
   * Calls an endpoint by its operation id, with its parameters and the members of its body by name; undefined ones are
   * left out. `body` is for endpoints that take a streamed one. Throws the error of a refusal, which becomes the status
   * of the page.
   */
  async call<T>(
    operationId: string,
    sent: CallArguments = {},
    body?: Parameters<CallOperation>[3],
  ): Promise<Envelope<T>> {
    const { text, failure } = await this.#answer(operationId, sent, body);
    if (failure !== undefined) throw failure;
    return text === '' ? {} : (JSON.parse(text) as Envelope<T>);
  }

  #answer(
    operationId: string,
    sent: CallArguments,
    body?: Parameters<CallOperation>[3],
  ): Promise<InnerAnswer> {
    const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
    return this.operation(operationId, given, this.principal, body);
  }
}
