import type { AnyEndpoint } from '../api/endpoint.js';
import { withOpenApi } from '../api/openapi.js';
import { endpointsOf, SANDBOX_PATH } from './operation.js';
import { sandboxOperations } from './operations/all.js';
import type { Sandbox } from './sandbox.js';

/** Returns the endpoints of a sandbox, with its OpenAPI document, which describes them all. */
export function sandboxEndpoints(sandbox: Sandbox): readonly AnyEndpoint[] {
  return withOpenApi(endpointsOf(sandboxOperations, sandbox), {
    operationId: 'getSandboxOpenApi',
    tag: 'State',
    summary: 'The OpenAPI document of the sandbox',
    path: `${SANDBOX_PATH}/openapi.json`,
    about: {
      title: 'Pipit sandbox',
      description: 'Control over the time and the state of a test server.',
    },
  });
}
