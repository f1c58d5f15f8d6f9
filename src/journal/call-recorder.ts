import type { CarriedCall } from '../api/inner-call.js';
import { pathOf, queryOf } from '../auth/auth-request.js';
import { writeJson } from '../core/wire-json.js';
import { JSON_TYPE } from '../http/problems.js';
import type { HeaderList, NewEntry, RecordedBody } from './entry.js';
import { hideInHeader, hideInPairs, type Shown } from './hide.js';
import { hidePath } from './hide-path.js';
import { createNearestAccepted } from './nearest-accepted.js';
import { outcomeOf, shownOf, withNearest } from './outcome.js';
import { recordedBody } from './recorded-body.js';
import type { RecorderDeps } from './recorder.js';
import { BodyTap } from './tap.js';

/** Records a call that a client has sent inside another request. */
export type CallRecorder = (call: CarriedCall) => void;

/** Creates a function that records the calls of tools as the requests that they stand for (docs/journal.md). */
export function createCallRecorder({ journal, clock, endpoints }: RecorderDeps): CallRecorder {
  const shownFor = shownOf(endpoints);
  const nearestAccepted = createNearestAccepted(endpoints);
  return (call) => {
    const { operation, failure } = call.seen;
    const entry = entryOf(call, clock(), shownFor(operation));
    journal.add(withNearest(entry, nearestAccepted(failure, { ...entry.request, operation })));
  };
}

function entryOf(
  { seen, json, answer, via, authorization }: CarriedCall,
  timeMs: number,
  shown: Shown,
): NewEntry {
  const { operation, requestId, method, url, elapsedMs, principal, failure } = seen;
  const sent = json === undefined ? '' : writeJson(json).toString();
  return {
    timeMs,
    operation,
    requestId,
    request: {
      method,
      path: hidePath(pathOf(url)),
      query: hideInPairs(queryOf(url), shown),
      httpVersion: '1.1',
      headers: [
        ...(authorization === undefined
          ? []
          : [['authorization', hideInHeader('authorization', authorization, shown)] as const]),
        ...(sent === '' ? [] : TYPE_OF_JSON),
      ],
      body: bodyOf(sent, shown),
    },
    answer: {
      status: answer.status,
      headers: [
        ...(answer.text === '' ? [] : TYPE_OF_JSON),
        ...Object.entries(answer.headers).map(
          ([name, value]) => [name, hideInHeader(name, value, shown)] as const,
        ),
      ],
      body: bodyOf(answer.text, shown),
    },
    elapsedMs,
    isOpen: false,
    isCut: false,
    via,
    ...outcomeOf(principal, failure, shown),
  };
}

const TYPE_OF_JSON: HeaderList = [['content-type', JSON_TYPE]];

function bodyOf(text: string, shown: Shown): RecordedBody {
  const tap = new BodyTap();
  tap.add(text);
  return recordedBody({ tap, contentType: JSON_TYPE, contentEncoding: '', isComplete: true }, shown);
}
