import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { traceOutgoing } from '../../src/server/open-tracing.js';
import { Tracing } from '../../src/operations/tracing/tracing.js';
import { startTestApp } from '../support/app.js';

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** A receiver of OTLP over HTTP. */
async function startReceiver() {
  const spans: SentSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      for (const { scopeSpans } of JSON.parse(body).resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

test('a request is traced below its traceparent, with its transactions and statements, without values and paths', async () => {
  await using receiver = await startReceiver();
  const app = await startTestApp({ flags: { otlp: `${receiver.url}/` } });
  const url = await app.listen();
  const alice = await app.as('alice');
  const headers = {
    authorization: `Bearer ${alice}`,
    'content-type': 'application/json',
    traceparent: `00-${TRACE}-${PARENT}-01`,
  };
  const answer = await fetch(`${url}/2/tweets`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ text: 'kept out of traces' }),
  });
  expect(answer.status).toBe(201);
  await answer.text();
  await (await fetch(`${url}/2/users/12?secret=kept-out`)).text();
  await app.pipit.jobs.worker.runDue();
  await app.close();

  const own = receiver.spans.filter(({ traceId }) => traceId === TRACE);
  const request = own.find(({ parentSpanId }) => parentSpanId === PARENT);
  expect(request?.name).toBe('POST /2/tweets');
  const attributes = new Map(request?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
  expect(attributes.get('http.route')).toBe('/2/tweets');
  expect(Number(attributes.get('http.response.status_code'))).toBe(201);
  const transaction = own.find(({ name }) => name.startsWith('transaction '));
  expect(transaction?.parentSpanId).toBe(request?.spanId);
  expect(own.some((span) => span.name === 'INSERT' && span.parentSpanId === transaction?.spanId)).toBe(true);
  const others = receiver.spans.filter(({ traceId }) => traceId !== TRACE).map(({ name }) => name);
  expect(others).toContain('GET /2/users/{id}');
  const sent = receiver.bodies.join('\n');
  for (const secret of ['kept out of traces', 'kept-out', alice]) expect(sent).not.toContain(secret);
});

test('a webhook gets the trace of its delivery, and nothing is recorded of the share that is left out', async () => {
  await using receiver = await startReceiver();
  const start = (share: number) =>
    new Tracing({ url: receiver.url, share, service: 'pipit', version: '1', endpoints: [] });
  const tracing = start(1);
  const sent: (Readonly<Record<string, string>> | undefined)[] = [];
  const outgoing = traceOutgoing(async ({ headers }) => {
    sent.push(headers);
    return { kind: 'failed', error: 'test' };
  }, tracing);
  await outgoing({
    method: 'POST',
    url: 'https://app.example/hook?secret=kept-out',
    headers: { own: 'kept' },
  });
  await tracing.close();
  const [span] = receiver.spans;
  expect(span?.name).toBe('POST webhook');
  expect(sent).toEqual([{ own: 'kept', traceparent: `00-${span?.traceId}-${span?.spanId}-01` }]);
  expect(receiver.bodies.join('\n')).not.toContain('kept-out');

  const none = start(0);
  await none.run({ name: 'left out', kind: 'internal' }, async () => undefined);
  await none.close();
  expect(receiver.spans).toHaveLength(1);
});

test('a receiver that is away disturbs nothing', async () => {
  const app = await startTestApp({ flags: { otlp: 'http://127.0.0.1:9' } });
  const url = await app.listen();
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  await app.close();
});
