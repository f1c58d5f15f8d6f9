import type { Principal } from '../../core/access.js';
import type { JsonSchema } from '../../core/json-schema.js';
import { PipitError } from '../../core/errors.js';
import type { AnyEndpoint, CredentialRules } from '../endpoint.js';
import { authorize } from '../guards.js';
import type { InnerEndpoint } from '../inner-call.js';
import { type Shell, endpointRunner } from '../run-endpoint.js';

/** A tool as `tools/list` shows it. */
export interface ShownTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object' } & JsonSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
  };
}

/** An endpoint that clients call as a tool. */
export interface Tool extends InnerEndpoint {
  readonly access: CredentialRules;
  readonly shown: ShownTool;
}

/** The tools by name, in the order of the catalogue. */
export type Tools = ReadonlyMap<string, Tool>;

/** Creates the tools of a catalogue (docs/api/mcp.md#tools). Throws if a parameter has the name of a body's member. */
export function createTools(endpoints: readonly AnyEndpoint[], shell: Shell): Tools {
  const uploads = endpoints.filter(({ body }) => body?.kind === 'streamed').map(({ path }) => path);
  const tools = new Map<string, Tool>();
  for (const endpoint of endpoints) {
    const { operationId, access, path, errorStyle } = endpoint;
    const { file = false, streams = false } = endpoint;
    // The steps of an upload are useless without the one that sends its bytes, which no tool can.
    const isUpload = uploads.some((upload) => path === upload || path.startsWith(`${upload}/`));
    if (access === 'public' || isUpload || file || streams || errorStyle === 'v1') continue;
    tools.set(operationId, {
      endpoint,
      access,
      runner: endpointRunner(endpoint, shell),
      shown: toolOf(endpoint),
    });
  }
  return tools;
}

/** Returns the tools that a sender may call. */
export function toolsFor(tools: Tools, principal: Principal): ShownTool[] {
  return [...tools.values()].filter(({ access }) => isAllowed(access, principal)).map(({ shown }) => shown);
}

function isAllowed(access: CredentialRules, principal: Principal): boolean {
  try {
    authorize(access, principal);
    return true;
  } catch (error) {
    if (error instanceof PipitError) return false;
    throw error;
  }
}

function toolOf(endpoint: AnyEndpoint): ShownTool {
  const { operationId: name, summary: title, method, path, exactlyOneOf, removes = false } = endpoint;
  const choice = exactlyOneOf ? ` Give exactly one of ${exactlyOneOf.join(', ')}.` : '';
  return {
    name,
    title,
    description: `${title}. Stands for ${method} ${path}.${choice}`,
    inputSchema: inputSchema(endpoint),
    // What HTTP says of the method (RFC 9110 9.2).
    annotations: {
      readOnlyHint: method === 'GET',
      destructiveHint: removes || method === 'PUT' || method === 'DELETE',
      idempotentHint: method !== 'POST',
    },
  };
}

/**
 * Returns one schema for parameters and body. Conditions between members (`anyOf`) are left to the endpoint: model
 * interfaces refuse them at the top of a tool's schema.
 */
function inputSchema({ operationId, params = {}, body }: AnyEndpoint): ShownTool['inputSchema'] {
  const bodySchema = body?.kind === 'json' ? body.object.schema : {};
  const members = (bodySchema['properties'] ?? {}) as JsonSchema;
  const properties: Record<string, unknown> = { ...members };
  const required = [...((bodySchema['required'] ?? []) as readonly string[])];
  for (const [name, spec] of Object.entries(params)) {
    if (Object.hasOwn(members, name)) throw new Error(`${operationId} has two inputs named ${name}`);
    properties[name] = { ...spec.schema, description: spec.description };
    if (spec.required) required.push(name);
  }
  return { type: 'object', properties, required, additionalProperties: false };
}
