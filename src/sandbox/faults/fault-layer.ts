import type { ServerResponse } from 'node:http';
import { pathOf } from '../../auth/auth-request.js';
import type { Principal } from '../../core/access.js';
import type { Clock } from '../../core/clock.js';
import { seededRandom } from '../../core/seeded-random.js';
import type { Timers } from '../../core/timers.js';
import { Answer } from '../../http/answer.js';
import { exchangeOf } from '../../http/exchange.js';
import type { Around, CheckedCall, SentRequest } from '../../http/shell.js';
import { InjectedFault } from '../../journal/injected-fault.js';
import { drawDelayMs, type Effect } from './effect.js';
import { faultAnswer } from './fault-answer.js';
import type { ChosenFault, FaultedRequest, FaultRules } from './fault-rules.js';
import type { NamedSender } from './named-sender.js';
import type { Pauses } from './pauses.js';
import { readPrefer } from './prefer.js';
import { cutAnswer, dripAnswer, resetConnection } from './shape-answer.js';

interface FaultLayerDeps {
  readonly rules: Pick<FaultRules, 'choose' | 'selectsSenders'>;
  /** Finds the app and the user that a request names whose route has not authenticated it. */
  readonly namedSender: (request: SentRequest) => Promise<NamedSender>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly pauses: Pick<Pauses, 'pause'>;
}

/** The wait of a 429 for an operation without a rate limit: the length of a usual window. */
const RETRY_AFTER_MS = 15 * 60_000;

/**
 * Creates the layer that disturbs calls: as the call's own `Prefer` header asks, otherwise by the first rule that
 * affects it. What happens to the connection of a tool's call happens to that of the request that carries it. Calls of
 * pages pass.
 */
export function createFaultLayer({ rules, namedSender, clock, timers, pauses }: FaultLayerDeps): Around {
  const senderOf = async ({ sent, progress: { principal } }: CheckedCall): Promise<NamedSender> => {
    if (principal) return authenticatedSender(principal);
    return sent && rules.selectsSenders ? namedSender(sent) : {};
  };
  return async (call, handler) => {
    const { carried, response = carried?.carrier } = call.progress;
    if (response === undefined) return handler();
    const preferred = carried ? undefined : preferredFault(response);
    const fault = preferred ?? rules.choose(requestOf(call, response, await senderOf(call)));
    if (fault === undefined) return handler();
    const { effect } = fault;
    const { delay } = effect;
    const pause = async (): Promise<void> => {
      if (delay) await pauses.pause(drawDelayMs(delay, fault.random));
    };
    if (effect.reset === 'before') {
      await pause();
      return reset(response, fault);
    }
    shape(response, effect, timers);
    const isReplaced = effect.status !== undefined;
    const running = isReplaced ? Promise.resolve(replacement(call, fault, clock())) : handler();
    // The error of a handler is answered after the delay, too.
    await Promise.allSettled([running]);
    await pause();
    const result = await running;
    return effect.reset === 'after' ? reset(response, fault, result) : result;
  };
}

function preferredFault(response: ServerResponse): ChosenFault | undefined {
  const preferred = readPrefer(response.req.headers.prefer);
  if (preferred === undefined) return undefined;
  response.setHeader('preference-applied', preferred.applied);
  return { source: 'prefer', effect: preferred.effect, random: seededRandom(0) };
}

function requestOf(
  { operation, isStream = false, progress: { carried } }: CheckedCall,
  { req }: ServerResponse,
  sender: NamedSender,
): FaultedRequest {
  const { method = '', url = '' } = carried ?? req;
  const { headers } = req;
  const isCarried = carried !== undefined;
  return { operation, isStream, isCarried, method, path: pathOf(url), headers, ...sender };
}

function authenticatedSender(principal: Principal): NamedSender {
  const { app } = principal;
  return {
    app: { id: String(app.id), name: app.name },
    ...(principal.context !== 'app' && { userId: String(principal.userId) }),
  };
}

/** Returns the answer in place of the operation's. A 429 shows that the rate limit is used up. */
function replacement(
  { errorStyle: style, progress }: CheckedCall,
  { effect, source }: ChosenFault,
  nowMs: number,
): Answer {
  const { status = 500 } = effect;
  const { rate } = progress;
  if (status === 429 && rate) progress.rate = { ...rate, allowed: false, remaining: 0 };
  const retryAtMs = rate?.retryAtMs ?? nowMs + RETRY_AFTER_MS;
  const accountId = String(progress.principal?.app.id ?? '');
  return faultAnswer(effect, { source, status, style, nowMs, retryAtMs, accountId });
}

/** Resets the connection. The result is returned so that a stream in it is closed. */
function reset(
  response: ServerResponse,
  { source }: ChosenFault,
  result: unknown = new Answer(500),
): unknown {
  const exchange = exchangeOf(response);
  if (exchange) exchange.failure = new InjectedFault(source);
  resetConnection(response);
  return result;
}

function shape(response: ServerResponse, { cut, drip }: Effect, timers: Timers): void {
  // The bytes and messages of a compressed body could not be counted.
  if (cut) delete response.req.headers['accept-encoding'];
  if (cut) cutAnswer(response, cut);
  if (drip) dripAnswer(response, drip, timers);
}
