import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AppAccess, Principal } from '../core/access.js';
import type { AppId, UserId } from '../core/ids.js';
import { webPrincipal } from '../core/web-client.js';
import { createRateLimiter, type RateLimit, type RateLimitMode } from './rate-limit.js';
import { createMemoryWindows } from './rate-windows.js';

const START_MS = 1_600_000_000_000;
const app = (id: bigint): AppAccess => ({
  id: id as AppId,
  name: 'app',
  clientId: 'client',
  accessLevel: 'elevated',
  track: 'standard',
  permissions: 'read',
});
const bearer = (appId = 1n): Principal => ({ context: 'app', app: app(appId) });
const user = (userId: bigint, appId = 1n): Principal => ({
  context: 'oauth1',
  app: app(appId),
  userId: userId as UserId,
  permission: 'read',
});
const LIMITS: readonly RateLimit[] = [
  { per: 'app', limit: 3 },
  { per: 'user', limit: 2 },
];

function createLimiter(mode: RateLimitMode = 'standard', limits: readonly RateLimit[] = LIMITS) {
  const time = { nowMs: START_MS };
  const limiter = createRateLimiter({ clock: () => time.nowMs, mode });
  const take = (principal: Principal, endpoint = 'getPost') => limiter.of(endpoint, limits).take(principal);
  const look = (principal: Principal, endpoint = 'getPost') => limiter.of(endpoint, limits).look(principal);
  return { time, take, look };
}

describe('rate limits', () => {
  it('can be read without counting while a window runs', () => {
    const { time, take, look } = createLimiter();
    expect(look(user(1n))).toBeUndefined();
    const taken = take(user(1n));
    expect(look(user(1n))).toEqual(taken);
    expect(look(user(1n))).toMatchObject({ remaining: 1 });
    expect([look(user(2n)), look(bearer()), look(user(1n), 'other')]).toEqual(Array(3).fill(undefined));
    take(user(1n));
    expect(look(user(1n))).toMatchObject({ allowed: false, remaining: 0 });
    time.nowMs += 900_000;
    expect(look(user(1n))).toBeUndefined();
  });

  it('count down and refuse from the call after the last (docs/api/limits.md#rate-limits)', () => {
    const { take } = createLimiter();
    expect([take(user(1n)), take(user(1n)), take(user(1n)), take(user(1n))]).toMatchObject([
      { allowed: true, limit: 2, remaining: 1 },
      { allowed: true, limit: 2, remaining: 0 },
      { allowed: false, limit: 2, remaining: 0 },
      { allowed: false, limit: 2, remaining: 0 },
    ]);
  });

  it('last for 15 minutes from the first call and report the end in epoch seconds, rounded up', () => {
    const { time, take } = createLimiter();
    time.nowMs += 1;
    const resetSeconds = START_MS / 1000 + 901;
    expect(take(user(1n))).toMatchObject({ resetSeconds, retryAtMs: START_MS + 900_001 });
    time.nowMs += 600_000;
    take(user(1n));
    expect(take(user(1n))).toMatchObject({ allowed: false, resetSeconds, retryAtMs: START_MS + 900_001 });
    time.nowMs = resetSeconds * 1000;
    expect(take(user(1n))).toMatchObject({
      allowed: true,
      remaining: 1,
      resetSeconds: resetSeconds + 900,
    });
  });

  it('are separate for users, apps and endpoints; a user has one for all apps (docs/api/limits.md#rate-limits)', () => {
    const { take } = createLimiter();
    take(user(1n));
    expect(take(user(2n))?.remaining).toBe(1);
    expect(take(bearer(1n))).toMatchObject({ limit: 3, remaining: 2 });
    expect(take(bearer(2n))?.remaining).toBe(2);
    expect(take(user(1n), 'getUser')?.remaining).toBe(1);
    expect(take(user(1n, 2n))?.remaining).toBe(0);
  });

  it('of all users of an app are shared by them, and separate for each app', () => {
    const { take } = createLimiter('standard', [
      { per: 'user', limit: 2 },
      { per: 'app-users', limit: 3, windowSeconds: 86_400 },
    ]);
    expect(take(user(1n))?.allowed).toBe(true);
    expect(take(user(1n))?.allowed).toBe(true);
    expect(take(user(1n))?.allowed).toBe(false);
    expect(take(user(2n))?.allowed).toBe(true);
    expect(take(user(2n))).toMatchObject({ allowed: false, retryAtMs: START_MS + 86_400_000 });
    expect(take(user(2n, 2n))?.allowed).toBe(true);
  });

  it('of a user of an app are separate from those of the user with other apps', () => {
    const { take } = createLimiter('standard', [{ per: 'user-of-app', limit: 1, windowSeconds: 10_800 }]);
    expect([take(user(1n)), take(user(1n)), take(user(1n, 2n)), take(user(2n))]).toMatchObject([
      { allowed: true },
      { allowed: false },
      { allowed: true },
      { allowed: true },
    ]);
  });

  it('are shared by endpoints that name one pool', () => {
    const { take } = createLimiter('standard', [{ per: 'user', limit: 2, pool: 'likes' }]);
    expect(take(user(1n), 'likePost')?.remaining).toBe(1);
    expect(take(user(1n), 'unlikePost')?.remaining).toBe(0);
  });

  it('declared for one kind of caller only apply to the other kind as well', () => {
    const { take } = createLimiter('standard', [{ per: 'app', limit: 1 }]);
    expect(take(user(1n))).toMatchObject({ allowed: true, limit: 1 });
    expect(take(user(1n))?.allowed).toBe(false);
    expect(take(bearer())?.allowed).toBe(true);
  });

  it('can be combined: each limit can refuse, responses show the 15-minute limit, and a refused call counts in none', () => {
    const { time, take } = createLimiter('standard', [
      { per: 'app', limit: 1, windowSeconds: 1 },
      { per: 'app', limit: 3 },
      { per: 'app', limit: 4, windowSeconds: 86_400 },
    ]);
    expect(take(bearer())).toMatchObject({ allowed: true, limit: 3, remaining: 2 });
    expect(take(bearer())).toMatchObject({
      allowed: false,
      remaining: 2,
      resetSeconds: START_MS / 1000 + 900,
      retryAtMs: START_MS + 1000,
    });
    time.nowMs += 1000;
    expect(take(bearer())).toMatchObject({ allowed: true, remaining: 1 });
    time.nowMs += 1000;
    expect(take(bearer())).toMatchObject({ allowed: true, remaining: 0 });
    time.nowMs += 900_000;
    expect(take(bearer())).toMatchObject({ allowed: true, remaining: 2 });
    time.nowMs += 1000;
    expect(take(bearer())).toMatchObject({
      allowed: false,
      remaining: 2,
      retryAtMs: START_MS + 86_400_000,
    });
  });

  it('of a day are reported beside the shown one, for the user and for the app (docs/api/limits.md#rate-limits)', () => {
    const { time, take, look } = createLimiter('standard', [
      { per: 'user', limit: 9 },
      { per: 'user', limit: 5, windowSeconds: 86_400 },
      { per: 'app-users', limit: 7, windowSeconds: 86_400 },
    ]);
    const resetSeconds = START_MS / 1000 + 86_400;
    const days = (user: number, app: number) => [
      { per: 'user', limit: 5, remaining: user, resetSeconds },
      { per: 'app', limit: 7, remaining: app, resetSeconds },
    ];
    expect(take(user(1n))).toMatchObject({ limit: 9, remaining: 8, days: days(4, 6) });
    time.nowMs += 900_000;
    for (let call = 0; call < 4; call += 1) take(user(1n));
    expect(take(user(1n))).toMatchObject({ allowed: false, limit: 9, remaining: 5, days: days(0, 2) });
    expect(look(user(1n))?.days).toEqual(days(0, 2));
    time.nowMs = resetSeconds * 1000 - 1;
    expect(take(user(1n))?.allowed).toBe(false);
    time.nowMs += 1;
    expect(take(user(1n))).toMatchObject({ allowed: true, remaining: 8 });
  });

  it('are multiplied by a factor, never below 1', () => {
    expect(createLimiter(0.29, [{ per: 'user', limit: 200 }]).take(user(1n))?.limit).toBe(58);
    expect(createLimiter(2.5).take(user(1n))?.limit).toBe(5);
    expect(createLimiter(0.01).take(user(1n))).toMatchObject({ allowed: true, limit: 1, remaining: 0 });
    for (const factor of [0, -1, Number.NaN]) expect(() => createLimiter(factor)).toThrow(RangeError);
  });

  it('refuse nothing when off, and still fill the headers', () => {
    const { take } = createLimiter('off', [
      { per: 'app', limit: 1, windowSeconds: 1 },
      { per: 'app', limit: 3 },
    ]);
    for (let call = 0; call < 10; call += 1) {
      expect(take(bearer())).toMatchObject({
        allowed: true,
        limit: 3,
        remaining: 2,
        resetSeconds: START_MS / 1000 + 900,
      });
    }
  });

  it('return nothing for an endpoint without limits', () => {
    expect(createLimiter('standard', []).take(bearer())).toBeUndefined();
  });

  it('allow exactly the declared number of calls in every window, at any times', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 400_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(gaps, (gapsMs) => {
        const { time, take } = createLimiter();
        let window = { startMs: -Infinity, calls: 0 };
        for (const gapMs of gapsMs) {
          time.nowMs += gapMs;
          if (time.nowMs >= window.startMs + 900_000) window = { startMs: time.nowMs, calls: 0 };
          window.calls += 1;
          expect(take(user(1n))?.allowed).toBe(window.calls <= 2);
        }
      }),
    );
  });
});

describe('windows in memory', () => {
  it('are removed after they ended', () => {
    const windows = createMemoryWindows();
    for (let key = 0; key < 1000; key += 1) windows.count(`a${key}`, 1000, START_MS);
    expect(windows.size()).toBe(1000);
    for (let key = 0; key < 1000; key += 1) windows.count(`b${key}`, 1000, START_MS + 1000);
    expect(windows.size()).toBe(1000);
    for (let key = 0; key < 1000; key += 1) windows.count('c', 1000, START_MS + 2000);
    expect(windows.size()).toBe(1);
  });

  it('do not exceed their length when the clock steps back', () => {
    const windows = createMemoryWindows();
    windows.count('a', 1000, START_MS);
    expect(windows.find('a', 1000, START_MS - 3_600_000)).toBeUndefined();
    windows.count('a', 1000, START_MS - 3_600_000);
    expect(windows.find('a', 1000, START_MS - 3_600_000)?.used).toBe(1);
  });

  it('the web client has windows beside those of other apps, and wider ones for reads', () => {
    const limiter = createRateLimiter({ clock: () => 0, mode: 'standard' });
    const limits = [{ per: 'user', limit: 1 } as const];
    const read = limiter.of('read', limits);
    const write = limiter.of('write', limits, 'POST');
    const person = webPrincipal(7n as UserId);
    for (let calls = 0; calls < 40; calls += 1) expect(read.take(person)?.allowed).toBe(true);
    expect(read.take(person)?.allowed).toBe(false);
    expect(write.take(person)?.allowed).toBe(true);
    expect(write.take(person)?.allowed).toBe(false);
    expect(write.take(webPrincipal(undefined))).toBeUndefined();
  });
});
