import { flag } from '../core/json-schema.js';
import type { BodySpec } from './body/body.js';
import type { ApiContext } from './context.js';
import { endpoint, type Access, type Call, type EndpointSpec } from './endpoint.js';
import type { ParamMap } from './params/params.js';
import { dataSchema } from './schemas/envelopes.js';

/** An endpoint that makes a change, and answers with constant flags that describe the new state. */
interface ChangeSpec<
  A extends Access,
  P extends ParamMap,
  B extends BodySpec<unknown> | undefined,
> extends Omit<EndpointSpec<A, P, B>, 'response' | 'handler'> {
  /** The flags of `data`, such as `{deleted: true}`. */
  readonly answers: Readonly<Record<string, boolean>>;
  /** Makes the change. Throws PipitError to refuse. */
  run(context: ApiContext, call: Call<A, P, B>): Promise<unknown>;
}

/** Declares an endpoint that answers its changes with the flags of `answers`. */
export function changeEndpoint<
  const A extends Access,
  P extends ParamMap = Record<never, never>,
  B extends BodySpec<unknown> | undefined = undefined,
>({ answers, run, ...spec }: ChangeSpec<A, P, B>) {
  return endpoint<A, P, B>({
    ...spec,
    response: dataSchema(Object.fromEntries(Object.keys(answers).map((name) => [name, flag]))),
    handler: async (context, call) => {
      await run(context, call);
      return { data: answers };
    },
  });
}
