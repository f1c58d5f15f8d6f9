import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { LooseJson } from './loose-json.js';

/** The result of a tool call. */
export interface ToolResult {
  readonly isError: boolean;
  /** The parsed text; undefined if there is none. */
  readonly body: LooseJson;
  readonly meta: LooseJson;
}

/** The published client of the Model Context Protocol, connected to `/mcp`. */
export interface McpClient extends AsyncDisposable {
  readonly client: Client;
  toolNames(): Promise<string[]>;
  call(name: string, sent?: Record<string, unknown>): Promise<ToolResult>;
}

/** Connects to the server at `url` with a bearer token, or with a fetch that authenticates. */
export async function connectMcp(url: string, credential: string | typeof fetch): Promise<McpClient> {
  const client = new Client({ name: 'pipit-test', version: '1' });
  const options =
    typeof credential === 'string'
      ? { requestInit: { headers: { authorization: `Bearer ${credential}` } } }
      : { fetch: credential };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), options));
  return {
    client,
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, sent = {}) => {
      const { content, isError = false, _meta } = await client.callTool({ name, arguments: sent });
      const [text] = content as readonly { readonly text: string }[];
      return { isError: isError === true, body: text && JSON.parse(text.text), meta: _meta };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
