import type { BodySpec } from '../api/body/body.js';
import { endpoint, type AnyEndpoint, type Call, type EndpointSpec } from '../api/endpoint.js';
import type { ParamMap } from '../api/params/params.js';
import type { Sandbox } from './sandbox.js';

/** The path below which a sandbox answers. */
export const SANDBOX_PATH = '/_pipit/sandbox';

/** The path of the inspector's pages, which browsers show. */
export const INSPECTOR_PATH = `${SANDBOX_PATH}/inspector`;

type Declared<P extends ParamMap, B extends BodySpec<unknown> | undefined> = Omit<
  EndpointSpec<'public', P, B>,
  'access' | 'handler' | 'path' | 'rateLimits' | 'capped'
>;

/** An operation of a sandbox as data: the source of its route, its OpenAPI document and its command. */
interface OperationSpec<P extends ParamMap, B extends BodySpec<unknown> | undefined> extends Declared<P, B> {
  /** Below `SANDBOX_PATH`, such as `/snapshots/{name}`; `params` declares each placeholder with `inPath`. */
  readonly path: string;
  /** The words after `pipit sandbox`, such as `snapshot restore`; absent if it is no command. */
  readonly command?: string;
  /**
   * True if the handler replaces or moves the server in its own turn, or waits for requests. All other handlers
   * have a server that is not replaced under them (`CurrentServer.use`).
   */
  readonly takesTurns?: true;
  /** Returns the body, or an `Answer`. Throws PipitError to refuse. */
  handler(sandbox: Sandbox, call: Call<'public', P, B>): Promise<unknown>;
}

export type SandboxOperation = OperationSpec<ParamMap, BodySpec<unknown> | undefined>;

/** Declares an operation and infers the types of the handler's `call`. */
export function operation<
  P extends ParamMap = Record<never, never>,
  B extends BodySpec<unknown> | undefined = undefined,
>(spec: OperationSpec<P, B>): SandboxOperation {
  return spec;
}

/** Returns the endpoints that carry out operations on a sandbox. */
export function endpointsOf(operations: readonly SandboxOperation[], sandbox: Sandbox): AnyEndpoint[] {
  return operations.map((declared) =>
    endpoint({
      ...declared,
      path: SANDBOX_PATH + declared.path,
      access: 'public',
      handler: (_context, call) => {
        const handle = () => declared.handler(sandbox, call);
        return declared.takesTurns ? handle() : sandbox.server.use(handle);
      },
    }),
  );
}
