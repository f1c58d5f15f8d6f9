import { expect, test } from 'vitest';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { EventEmitter } from 'node:events';
import { AppRecordings } from './app-recordings.js';
import type { RecordingNews, RecordingPeers } from './recording-peers.js';

const APP = { id: '7', apiKey: 'key', clientId: 'client' };

/** Connects the recordings of several processes, whose messages pass through JSON. */
function connected() {
  const hearers = new Map<number, (news: RecordingNews) => void>();
  let nowMs = 0;
  const join = (process: number): AppRecordings => {
    const peers: RecordingPeers = {
      process,
      tell: (news) => {
        for (const [other, hear] of hearers) if (other !== process) hear(JSON.parse(JSON.stringify(news)));
      },
      listen: (hear) => hearers.set(process, hear),
    };
    return new AppRecordings({ clock: () => nowMs, endpoints: [] }, peers);
  };
  return { join, advance: (ms: number) => (nowMs += ms) };
}

/** Lets a process record a request that names the app and is not answered. */
function send(recordings: AppRecordings, path: string): void {
  const request = {
    method: 'GET',
    url: `${path}?client_id=client`,
    httpVersion: '1.1',
    rawHeaders: [],
    headers: {},
  };
  const response = Object.assign(new EventEmitter(), {
    getHeaders: () => ({}),
    headersSent: true,
    statusCode: 200,
  });
  recordings.record(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  response.emit('close');
}

const shown = (recordings: AppRecordings) =>
  recordings
    .of(APP.id)
    ?.journal.find()
    .map(({ id, request }) => [id, request.path]);

test('every process has the entries of all, under the same distinct ids', () => {
  const { join } = connected();
  const [one, two] = [join(0), join(1)];
  one.start(APP);
  send(one, '/2/a');
  send(two, '/2/b');
  send(one, '/2/c');
  expect(shown(one)).toEqual(shown(two));
  expect(shown(one)?.map(([, path]) => path)).toEqual(['/2/c', '/2/b', '/2/a']);
  expect(new Set(shown(one)?.map(([id]) => id)).size).toBe(3);
});

test('a process that joins later records too, and any process ends the recording', () => {
  const { join } = connected();
  const one = join(0);
  one.start(APP);
  const late = join(2);
  send(late, '/2/a');
  expect(shown(one)).toHaveLength(1);
  late.stop(APP.id);
  expect([one.of(APP.id), late.of(APP.id)]).toEqual([undefined, undefined]);
  send(one, '/2/b');
  expect(shown(one)).toBeUndefined();
});

test('a recording ends after an hour in every process', () => {
  const { join, advance } = connected();
  const [one, two] = [join(0), join(1)];
  one.start(APP);
  advance(3_599_999);
  expect(two.of(APP.id)).toBeDefined();
  advance(1);
  expect([one.of(APP.id), two.of(APP.id)]).toEqual([undefined, undefined]);
});

test('requests that name no recorded app, or are not to the interface, are not kept', () => {
  const recordings = connected().join(0);
  recordings.start({ ...APP, clientId: 'other' });
  send(recordings, '/2/a');
  recordings.start(APP);
  send(recordings, '/sign-in');
  expect(shown(recordings)).toEqual([]);
});
