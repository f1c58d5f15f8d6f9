import type { Principal } from '../../core/access.js';
import { PipitError, forbidden } from '../../core/errors.js';
import { Answer } from '../../http/answer.js';
import { clip } from '../../http/faults.js';
import { isLongInteger, JsonRefused, longIntegerDigits, readJson } from '../../http/json.js';
import type { PlainRequest, PlainRoute } from '../../http/plain-route.js';
import { problemOf } from '../../http/problems.js';
import type { AnyEndpoint } from '../endpoint.js';
import { PROTECTED_RESOURCE_PATH } from '../oauth/metadata.js';
import { type CallDeps, callInside } from '../inner-call.js';
import { type Tools, createTools, toolsFor } from './tools.js';

export const MCP_PATH = '/mcp';

export interface McpDeps extends CallDeps {
  readonly publicUrl: string;
}

/** Creates `POST /mcp`, the endpoints as tools of the Model Context Protocol (docs/api/mcp.md). */
export function mcpRoute(endpoints: readonly AnyEndpoint[], deps: McpDeps): PlainRoute {
  // Created at the first request: there are hundreds of schemas, and few processes need them.
  let tools: Tools | undefined;
  const ownOrigin = new URL(deps.publicUrl).origin;
  return {
    method: 'POST',
    path: MCP_PATH,
    handler: async (request) => {
      requireOwnOrigin(request, ownOrigin);
      let principal: Principal;
      try {
        principal = await deps.shell.authenticator.authenticate(request);
      } catch (error) {
        return challenge(error, deps);
      }
      request.identify(principal);
      return answer(request, (tools ??= createTools(endpoints, deps.shell)), principal, deps);
    },
  };
}

/** Refuses pages of other sites, whose browser may hold a rebound name of this server (docs/api/mcp.md#requests). */
function requireOwnOrigin({ headers: { origin } }: PlainRequest, ownOrigin: string): void {
  if (origin === undefined || origin === ownOrigin) return;
  throw forbidden(`Pages of the origin [${clip(origin)}] may not use this endpoint.`);
}

/** Adds to a 401 where the authorization server is described (RFC 9728 5.1). Rethrows other errors. */
function challenge(error: unknown, { publicUrl, shell }: McpDeps): Answer {
  if (!(error instanceof PipitError) || error.failure.code !== 'unauthorized') throw error;
  const { status, body, contentType } = problemOf(error.failure, shell.clock());
  const metadata = `${publicUrl}${PROTECTED_RESOURCE_PATH}${MCP_PATH}`;
  const headers = {
    'content-type': contentType,
    'www-authenticate': `Bearer resource_metadata="${metadata}"`,
  };
  return new Answer(status, JSON.stringify(body), headers, error);
}

async function answer(
  { headers, body, response }: PlainRequest,
  tools: Tools,
  principal: Principal,
  deps: McpDeps,
): Promise<Answer> {
  let json: unknown;
  try {
    json = readJson(body);
  } catch (error) {
    if (error instanceof JsonRefused) return refuse(PARSE_ERROR, error.message);
    throw error;
  }
  // The protocol has no batches since 2025-06-18.
  if (Array.isArray(json)) return refuse(INVALID_REQUEST, 'Batches are not supported.');
  const { answerMessage } = await import('./protocol.js');
  const sent = Object.fromEntries(
    READ_HEADERS.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
  return answerMessage(
    { headers: sent, json: withPlainId(json) },
    {
      list: () => toolsFor(tools, principal),
      call: (name, sentArguments) => {
        const tool = tools.get(name);
        return tool && callInside(tool, sentArguments, principal, deps, { carrier: response });
      },
    },
  );
}

/** The headers that the transport reads. */
const READ_HEADERS = ['accept', 'content-type', 'mcp-protocol-version'] as const;

/** JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

function refuse(code: number, message: string): Answer {
  return new Answer(400, { jsonrpc: '2.0', error: { code, message }, id: null });
}

/** Returns a message whose id is a number again if `readJson` has marked it. */
function withPlainId(message: unknown): unknown {
  const id = (message as { readonly id?: unknown } | null)?.id;
  return isLongInteger(id) ? { ...(message as object), id: Number(longIntegerDigits(id)) } : message;
}
