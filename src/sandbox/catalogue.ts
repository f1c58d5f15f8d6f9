import { endpoint, type AnyEndpoint } from '../api/endpoint.js';
import { openApiDocument } from '../api/openapi.js';
import { Answer } from '../http/answer.js';
import { JSON_TYPE } from '../http/problems.js';
import { endpointsOf, SANDBOX_PATH } from './operation.js';
import { sandboxOperations } from './operations/all.js';
import type { Sandbox } from './sandbox.js';

/** Returns the endpoints of a sandbox, with its OpenAPI document, which describes them all. */
export function sandboxEndpoints(sandbox: Sandbox): readonly AnyEndpoint[] {
  const getDocument: AnyEndpoint = endpoint({
    operationId: 'getSandboxOpenApi',
    tag: 'State',
    summary: 'The OpenAPI document of the sandbox',
    path: `${SANDBOX_PATH}/openapi.json`,
    access: 'public',
    response: { type: 'object' },
    handler: async () => new Answer(200, document, { 'content-type': JSON_TYPE }),
  });
  const all = [...endpointsOf(sandboxOperations, sandbox), getDocument];
  const about = {
    title: 'Pipit sandbox',
    description: 'Control over the time and the state of a test server.',
  };
  const document = Buffer.from(JSON.stringify(openApiDocument(all, about)));
  return all;
}
