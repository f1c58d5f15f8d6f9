import { expect, it } from 'vitest';
import type { SeenRequest } from '../http/request-listeners.js';
import { createRequestLog } from './request-log.js';

const refused: SeenRequest = {
  requestId: 'r',
  operation: 'unrouted',
  method: 'GET',
  url: '/nothing',
  status: 404,
  isCut: false,
  elapsedMs: 1,
  principal: undefined,
  failure: undefined,
};

it('if only refused requests are logged, those beyond a hundred per second are counted instead', () => {
  const lines: object[] = [];
  let nowMs = 0;
  const info = (fields: object) => void lines.push(fields);
  const { observe } = createRequestLog({
    info,
    mode: 'refused',
    endpoints: [],
    showsForms: false,
    nowMs: () => nowMs,
  });
  for (let count = 0; count < 150; count += 1) observe(refused);
  expect(lines).toHaveLength(100);
  nowMs = 1_000;
  observe(refused);
  observe(refused);
  expect(lines).toHaveLength(102);
  expect(lines[100]).toMatchObject({ leftOut: 50 });
  expect(lines[101]).not.toHaveProperty('leftOut');
});
