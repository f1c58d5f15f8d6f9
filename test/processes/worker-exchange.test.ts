import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Principal } from '../../src/core/access.js';
import { createCountRelay, type CountRelay } from '../../src/limits/exchange/count-relay.js';
import { createExchangedCounts, type ExchangedCounts } from '../../src/limits/exchange/exchanged-counts.js';
import { createWorkerExchange } from '../../src/limits/exchange/count-exchange.js';
import type { SignedOnce } from '../../src/limits/nonces.js';
import { createRateLimiter } from '../../src/limits/rate-limit.js';
import { createMemoryWindows } from '../../src/limits/rate-windows.js';
import { channelTo } from './support/channel.js';

const WORKERS = 3;
const START_SECONDS = 1_600_000_000;
const START_MS = START_SECONDS * 1000;
/** See docs/behaviour.md#several-processes. */
const INTERVAL_MS = 25;

interface Worker {
  readonly counts: ExchangedCounts;
  stop(): Promise<void>;
  /** Ends it like SIGKILL. */
  kill(): void;
}

let nowMs = START_MS;
let started = 0;

beforeEach(() => {
  nowMs = START_MS;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

async function startWorker(relay: CountRelay<object>): Promise<Worker> {
  started += 1;
  const counts = createExchangedCounts();
  const channel = channelTo(relay);
  const exchange = createWorkerExchange({ counts, channel, clock: () => nowMs, sender: `worker ${started}` });
  await exchange.begin();
  return { counts, stop: exchange.stop, kill: channel.close };
}

async function startWorkers() {
  const relay = createCountRelay<object>(() => nowMs);
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => startWorker(relay)));
  const at = (index: number): Worker => {
    const worker = workers[index];
    if (!worker) throw new Error(`no worker ${index}`);
    return worker;
  };
  const restart = async (index: number): Promise<void> => {
    at(index).kill();
    workers[index] = await startWorker(relay);
  };
  return { at, restart };
}

function exchanged(): void {
  vi.advanceTimersByTime(INTERVAL_MS);
}

const signed = (nonce: string, timestampSeconds = START_SECONDS): SignedOnce => ({
  consumerKey: 'key',
  token: 'token',
  timestampSeconds,
  nonce,
});

describe('windows counted by several workers', () => {
  const steps = fc.array(
    fc.record({
      worker: fc.nat({ max: WORKERS - 1 }),
      key: fc.constantFrom('a', 'b', 'c'),
      what: fc.constantFrom('count', 'count', 'take back', 'find', 'restart'),
      gapMs: fc.oneof(fc.nat({ max: 50 }), fc.constantFrom(400, 1000)),
    }),
    { maxLength: 80 },
  );

  it('equal those of one process when calls are 25 ms apart, and survive each worker', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { at, restart } = await startWorkers();
        const model = createMemoryWindows();
        for (const { worker, key, what, gapMs } of all) {
          nowMs += gapMs;
          const { windows } = at(worker).counts;
          if (what === 'restart') {
            await restart(worker);
          } else if (what === 'find') {
            expect(windows.find(key, 1000, nowMs)?.used).toBe(model.find(key, 1000, nowMs)?.used);
          } else {
            const { used, endsMs } = model.count(key, 1000, nowMs);
            expect(windows.count(key, 1000, nowMs)).toMatchObject({ used, endsMs });
          }
          if (what === 'take back') {
            windows.uncount(key, 1000, nowMs);
            model.uncount(key, 1000, nowMs);
          }
          exchanged();
        }
      }),
      { numRuns: 150 },
    );
  });

  it('end with the earlier one when two start within 25 ms', async () => {
    const { at } = await startWorkers();
    const [one, other] = [at(0).counts.windows, at(1).counts.windows];
    one.count('a', 1000, START_MS);
    other.count('a', 1000, START_MS + 3);
    exchanged();
    nowMs += 4;
    expect(other.count('a', 1000, nowMs)).toMatchObject({ used: 3, endsMs: START_MS + 1000 });
    exchanged();
    for (const windows of [one, other]) {
      expect(windows.find('a', 1000, START_MS + 999)?.used).toBe(3);
      expect(windows.find('a', 1000, START_MS + 1000)).toBeUndefined();
    }
  });

  it('are received by a worker that joins after all others were killed, including daily ones hours later', async () => {
    const { at, restart } = await startWorkers();
    const dayMs = 86_400_000;
    for (let worker = 0; worker < WORKERS; worker += 1) at(worker).counts.windows.count('a', dayMs, nowMs);
    exchanged();
    for (let hour = 0; hour < 8; hour += 1) {
      nowMs += 3_600_000;
      at(0).counts.windows.count('another', 1000, nowMs);
      exchanged();
    }
    for (let worker = 0; worker < WORKERS; worker += 1) at(worker).kill();
    await restart(0);
    const { windows } = at(0).counts;
    expect(windows.find('a', dayMs, nowMs)).toEqual({ used: WORKERS, endsMs: START_MS + dayMs });
  });

  it('include the last calls of a worker that stops', async () => {
    const { at } = await startWorkers();
    at(0).counts.windows.count('a', 1000, nowMs);
    await at(0).stop();
    at(0).kill();
    exchanged();
    expect(at(1).counts.windows.find('a', 1000, nowMs)?.used).toBe(1);
  });
});

describe('a limit counted by several workers', () => {
  const principal = { context: 'app', app: { id: 1n } } as Principal;
  const LIMIT = 10;

  async function startLimiters() {
    const { at } = await startWorkers();
    const limiters = Array.from({ length: WORKERS }, (_, index) =>
      createRateLimiter({
        clock: () => nowMs,
        mode: 'standard',
        windows: at(index).counts.windows,
      }).of('getPost', [{ per: 'app', limit: LIMIT }]),
    );
    return { countCall: (call: number) => limiters[call % WORKERS]?.take(principal) };
  }

  it('is exact when calls are 25 ms apart', async () => {
    const { countCall } = await startLimiters();
    const states = Array.from({ length: LIMIT + 2 }, (_, call) => {
      const state = countCall(call);
      exchanged();
      return state;
    });
    expect(states.map((state) => state?.remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
    expect(states.map((state) => state?.allowed)).toEqual([
      ...Array<boolean>(LIMIT).fill(true),
      false,
      false,
    ]);
  });

  it('admits at most one limit per worker within 25 ms, and nothing after', async () => {
    const { countCall } = await startLimiters();
    const burst = Array.from({ length: 10 * LIMIT * WORKERS }, (_, call) => countCall(call));
    expect(burst.filter((state) => state?.allowed)).toHaveLength(LIMIT * WORKERS);
    exchanged();
    for (let call = 0; call < WORKERS; call += 1)
      expect(countCall(call)).toMatchObject({ allowed: false, remaining: 0 });
  });

  it('is exceeded by at most the calls of the last 25 ms', async () => {
    const { countCall } = await startLimiters();
    let admitted = 0;
    for (let round = 0; round < LIMIT; round += 1) {
      for (let call = 0; call < WORKERS; call += 1) if (countCall(call)?.allowed) admitted += 1;
      exchanged();
    }
    expect(admitted).toBeGreaterThanOrEqual(LIMIT);
    expect(admitted).toBeLessThan(LIMIT + WORKERS);
  });
});

describe('nonces claimed by several workers', () => {
  it('equal those accepted by one process when claims are 25 ms apart, also after a restart', async () => {
    const steps = fc.array(
      fc.record({
        worker: fc.nat({ max: WORKERS - 1 }),
        isRestarted: fc.boolean(),
        nonce: fc.constantFrom('a', 'b', 'c', 'd'),
        offsetSeconds: fc.constantFrom(-250, -5, 0, 5, 15),
      }),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (claims) => {
        const { at, restart } = await startWorkers();
        const model = createExchangedCounts().nonces;
        for (const { worker, isRestarted, nonce, offsetSeconds } of claims) {
          if (isRestarted) await restart(worker);
          const key = signed(nonce, START_SECONDS + offsetSeconds);
          expect(at(worker).counts.nonces.claim(key, nowMs)).toBe(model.claim(key, nowMs));
          exchanged();
        }
      }),
      { numRuns: 50 },
    );
  });

  it('are accepted at most once per worker within 25 ms, and never after', async () => {
    const { at } = await startWorkers();
    const claim = (worker: number) => at(worker).counts.nonces.claim(signed('a'), nowMs);
    for (let worker = 0; worker < WORKERS; worker += 1) {
      expect([claim(worker), claim(worker)]).toEqual(['new', 'used']);
    }
    exchanged();
    for (let worker = 0; worker < WORKERS; worker += 1) expect(claim(worker)).toBe('used');
  });

  it('are received in any number', async () => {
    const { at, restart } = await startWorkers();
    for (let index = 0; index < 5000; index += 1) at(0).counts.nonces.claim(signed(String(index)), nowMs);
    exchanged();
    await restart(2);
    for (const worker of [1, 2]) {
      expect(at(worker).counts.nonces.claim(signed('4999'), nowMs)).toBe('used');
    }
    expect(at(2).counts.nonces.claim(signed('5000'), nowMs)).toBe('new');
  });
});
