import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { AnyEndpoint } from '../api/endpoint.js';
import { originForm } from '../api/routing.js';
import { pathOf, queryOf } from '../auth/auth-request.js';
import type { Clock } from '../core/clock.js';
import type { Captured } from '../core/explanation.js';
import { exchangeOf } from '../http/exchange.js';
import { isForm } from '../http/request-parts.js';
import type { HeaderList, NewEntry, RanStatement, RecordedBody } from './entry.js';
import { hidePath, tokensIn } from './hide-path.js';
import { HIDDEN } from '../core/secret-parameters.js';
import { hideInHeader, hideInPairs, type Shown } from './hide.js';
import { createExplainer, withExplanation } from './explain-refusal.js';
import type { Journal } from './journal.js';
import { namedKeys } from './named-keys.js';
import { createNearestAccepted } from './nearest-accepted.js';
import { outcomeOf, shownOf, withNearest } from './outcome.js';
import { recordedBody } from './recorded-body.js';
import { tapAnswer, tapRequest, type AnswerTap, type BodyTap } from './tap.js';

export interface RecorderDeps {
  readonly journal: Pick<Journal, 'add' | 'update'>;
  readonly clock: Clock;
  /** Their declared parameters are shown. */
  readonly endpoints: readonly AnyEndpoint[];
  /** See `createExplainer`. */
  readonly maxExplanationsPerSecond?: number;
}

/**
 * Follows a request until its answer has ended. Call it before anything reads the request. `statements` is the list to
 * which its statements are added as they run.
 */
export type Recorder = (
  request: IncomingMessage,
  response: ServerResponse,
  statements?: readonly RanStatement[],
) => void;

/** Creates a function that records requests and their answers without changing either. */
export function createRecorder({
  journal,
  clock,
  endpoints,
  maxExplanationsPerSecond,
}: RecorderDeps): Recorder {
  const shownFor = shownOf(endpoints);
  const nearestAccepted = createNearestAccepted(endpoints);
  const explain = createExplainer(() => performance.now(), maxExplanationsPerSecond);
  return (request, response, statements) => {
    let id: number | undefined;
    const put = (entry: NewEntry): void => {
      if (id === undefined) id = journal.add(entry);
      else journal.update(id, entry);
    };
    const entryNow = (isOpen: boolean): NewEntry => {
      const operation = exchangeOf(response)?.operation ?? 'unrouted';
      const entry = recording.entry(operation, shownFor(operation), isOpen);
      return withNearest(
        statements ? { ...entry, statements: [...statements] } : entry,
        nearestAccepted(exchangeOf(response)?.failure, { ...entry.request, operation }),
      );
    };
    const recording = new Recording(request, response, clock(), () => put(entryNow(true)));
    response.once('close', () => {
      let entry = entryNow(false);
      let isPut = false;
      explain(exchangeOf(response)?.failure, recording.captured, (explanation) => {
        entry = withExplanation(entry, explanation);
        if (isPut) put(entry);
      });
      put(entry);
      isPut = true;
    });
  };
}

/** One request and its answer. */
class Recording {
  readonly #startedMs = performance.now();
  /** In origin form, as routes are found. */
  readonly #url: string;
  readonly #sent: BodyTap;
  readonly #answer: AnswerTap;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly timeMs: number,
    onStream: () => void,
  ) {
    this.#url = originForm(request.url ?? '');
    this.#sent = tapRequest(request);
    this.#answer = tapAnswer(response, onStream);
  }

  /** Returns what an explanation may need of the request as it was sent, with its secrets. */
  readonly captured = (): Captured => {
    const isOfForm = isForm(this.request.headers['content-type']);
    return isOfForm ? {} : { body: this.#sent.beginning().toString() };
  };

  entry(operation: string, shown: Shown, isOpen: boolean): NewEntry {
    const { response, timeMs } = this;
    const { requestId, principal, failure } = exchangeOf(response) ?? {};
    const answer = this.#shownAnswer(shown);
    const request = this.#shownRequest(shown);
    const keys = namedKeys(this.request.headers, request);
    return {
      timeMs,
      operation,
      requestId,
      request,
      answer,
      elapsedMs: performance.now() - this.#startedMs,
      isOpen,
      isCut: !isOpen && !response.writableFinished,
      ...(keys.length > 0 && { namedKeys: keys }),
      ...outcomeOf(principal, failure, shown),
    };
  }

  #shownRequest(shown: Shown): NewEntry['request'] {
    const { method = '', httpVersion, rawHeaders, headers } = this.request;
    const body = {
      tap: this.#sent,
      contentType: headers['content-type'] ?? '',
      contentEncoding: headers['content-encoding'] ?? '',
      // A short body may have passed before the parser reports its end.
      isComplete: this.request.complete || headers['content-length'] === String(this.#sent.bytes),
    };
    return {
      method,
      path: hidePath(pathOf(this.#url)),
      query: hideInPairs(queryOf(this.#url), shown),
      httpVersion,
      headers: shownHeaders(pairsOf(rawHeaders), shown),
      body: recordedBody(body, shown),
    };
  }

  #shownAnswer(shown: Shown): NewEntry['answer'] {
    const { response } = this;
    const { body: tap, headers } = this.#answer;
    const valueOf = (wanted: string): string => headers.find(([name]) => name === wanted)?.[1] ?? '';
    const body = {
      tap,
      contentType: valueOf('content-type'),
      contentEncoding: valueOf('content-encoding'),
      isComplete: response.writableFinished || !response.headersSent,
    };
    return {
      status: response.headersSent ? response.statusCode : 0,
      headers: shownHeaders(headers, shown),
      body: this.#withoutEchoes(recordedBody(body, shown)),
    };
  }

  /** Hides what the path hides: a refusal repeats the values that it refuses. */
  #withoutEchoes({ text, ...others }: RecordedBody): RecordedBody {
    if (text === undefined) return others;
    const tokens = tokensIn(pathOf(this.#url));
    return { ...others, text: tokens.reduce((all, token) => all.replaceAll(token, HIDDEN), text) };
  }
}

function pairsOf(rawHeaders: readonly string[]): HeaderList {
  return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
}

function shownHeaders(headers: HeaderList, shown: Shown): HeaderList {
  return headers.map(([name, value]) => [name, hideInHeader(name.toLowerCase(), value, shown)] as const);
}
