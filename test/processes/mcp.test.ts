import { expect, test, vi } from 'vitest';
import { connectMcp } from '../support/mcp-client.js';
import { bearer, connectToEach, send, startCluster } from './support/cluster.js';

vi.setConfig({ testTimeout: 120_000 });

const ACCEPT = { accept: 'application/json, text/event-stream' };

/** The workers of a server share no sessions: `/mcp` needs none. */
test('any worker answers any message of a client', async () => {
  await using cluster = await startCluster(2, ['--rate-limits', 'off']);
  const { url, credentials } = cluster;
  const headers = { ...bearer(credentials.oauth2.access_token), ...ACCEPT };
  const agents = await connectToEach(url, 2);
  const message = async (at: number, method: string, params: object) => {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    return send(`${url}/mcp`, headers, { agent: agents[at], body });
  };
  const clientInfo = { name: 'test', version: '1' };
  const begun = await message(0, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo,
  });
  expect(begun.body.result.protocolVersion).toBe('2025-06-18');
  const text = 'Written by a tool';
  const posted = await message(1, 'tools/call', { name: 'createTweet', arguments: { text } });
  expect(posted.from).not.toBe(begun.from);
  const { id } = JSON.parse(posted.body.result.content[0].text).data;
  const read = await message(0, 'tools/call', { name: 'findTweetById', arguments: { id } });
  expect(JSON.parse(read.body.result.content[0].text).data).toMatchObject({ id, text });
  for (const agent of agents) agent.destroy();

  await using client = await connectMcp(url, credentials.oauth2.access_token);
  const names = Array.from({ length: 20 }, () => client.call('findMyUser'));
  for (const { body } of await Promise.all(names)) expect(body.data.username).toBe('owner');
});
