import { expect, test } from 'vitest';
import { ConfigRefused, readConfig, readDatabase } from './config.js';

test('without flags and variables the documented defaults apply', () => {
  expect(readConfig({}, {})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    database: 'sqlite:data/pipit.db',
    shareDatabase: false,
    load: [],
    baseUrl: undefined,
    trustedProxy: [],
    workers: 1,
    cacheMb: 128,
    rateLimits: 'standard',
    postCap: 'standard',
    mediaLinks: 'served',
    backupMedia: 'on',
    keep: 7,
    mediaQuota: 5 * 1024 ** 3,
    streamRules: 1_000,
    streamRuleLength: 1_024,
    streamConnections: 1,
    activitySubscriptions: 1_500,
    webhooksTo: [],
    streamBuffer: 4 * 1024 ** 2,
    streamGrace: 30,
    signUp: 'closed',
    strictOauth1: false,
    publicPages: 'on',
    consent: 'ask',
    sandbox: false,
    sandboxKey: undefined,
    sandboxSeed: undefined,
    durability: 'full',
    feedRetention: 24 * 3_600_000,
    drainDelay: 0,
    slowStatementMs: 1_000,
    otlp: undefined,
    traceShare: 1,
    traceService: 'pipit',
    metrics: 'off',
    logLevel: 'info',
    requestLog: 'refused',
  });
});

test('every option has a variable, and flags win', () => {
  const env = {
    PIPIT_PORT: '9000',
    PIPIT_STRICT_OAUTH1: '1',
    PIPIT_HOST: '::1',
    PIPIT_DATABASE: 'sqlite:other.db',
    PIPIT_SHARE_DATABASE: 'yes',
    PIPIT_LOAD: 'a.json, b.json',
    PIPIT_BASE_URL: 'https://pipit.example/',
    PIPIT_TRUSTED_PROXY: '10.0.0.0/8,::1',
    PIPIT_WORKERS: '1',
    PIPIT_CACHE_MB: '64',
    PIPIT_RATE_LIMITS: '2.5',
    PIPIT_POST_CAP: 'off',
    PIPIT_WEBHOOKS_TO: 'localhost:3000,10.0.0.0/8',
    PIPIT_SIGN_UP: 'invitation',
    PIPIT_PUBLIC_PAGES: 'off',
    PIPIT_CONSENT: 'ask',
    PIPIT_SANDBOX: 'true',
    PIPIT_SANDBOX_KEY: 'correct-horse-battery',
    PIPIT_SANDBOX_SEED: '7',
    PIPIT_DURABILITY: 'relaxed',
    PIPIT_FEED_RETENTION: '7d',
    PIPIT_DRAIN_DELAY: '5',
    PIPIT_METRICS: '[::1]:9090',
    PIPIT_LOG_LEVEL: 'debug',
    PIPIT_REQUEST_LOG: 'all',
  };
  expect(readConfig({ port: '0', load: ['c.json'] }, env)).toEqual({
    host: '::1',
    port: 0,
    database: 'sqlite:other.db',
    shareDatabase: true,
    load: ['c.json'],
    baseUrl: 'https://pipit.example',
    trustedProxy: ['10.0.0.0/8', '::1'],
    workers: 1,
    cacheMb: 64,
    rateLimits: 2.5,
    postCap: 'off',
    mediaLinks: 'served',
    backupMedia: 'on',
    keep: 7,
    mediaQuota: 5 * 1024 ** 3,
    streamRules: 1_000,
    streamRuleLength: 1_024,
    streamConnections: 1,
    activitySubscriptions: 1_500,
    webhooksTo: ['localhost:3000', '10.0.0.0/8'],
    streamBuffer: 4 * 1024 ** 2,
    streamGrace: 30,
    signUp: 'invitation',
    strictOauth1: true,
    publicPages: 'off',
    consent: 'ask',
    sandbox: true,
    sandboxKey: 'correct-horse-battery',
    sandboxSeed: 7,
    durability: 'relaxed',
    feedRetention: 7 * 24 * 3_600_000,
    drainDelay: 5,
    slowStatementMs: 1_000,
    otlp: undefined,
    traceShare: 1,
    traceService: 'pipit',
    metrics: { host: '::1', port: 9090 },
    logLevel: 'debug',
    requestLog: 'all',
  });
});

test('all faults are listed, each with its flag or variable', () => {
  const flags = {
    port: '70000',
    baseUrl: 'ftp://x',
    trustedProxy: ['10.0.0.0/33'],
    workers: '0',
    webhooksTo: ['a b'],
  };
  const env = {
    PIPIT_RATE_LIMITS: '-1',
    PIPIT_POST_CAP: 'maybe',
    PIPIT_SIGN_UP: 'yes',
    PIPIT_DURABILITY: 'none',
    PIPIT_FEED_RETENTION: '0h',
    PIPIT_METRICS: 'x:0',
    PIPIT_LOG_LEVEL: 'x',
  };
  try {
    readConfig(flags, env);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigRefused);
    expect((error as ConfigRefused).faults).toEqual([
      '--port must be a port from 0 to 65535, not "70000"',
      '--base-url must be an http or https URL without query, not "ftp://x"',
      '--trusted-proxy must be an address or subnet such as 10.0.0.0/8, not "10.0.0.0/33"',
      '--workers must be auto or a number from 1 to 256, not "0"',
      'PIPIT_RATE_LIMITS must be standard, off or a factor above 0, not "-1"',
      'PIPIT_POST_CAP must be one of standard, off, not "maybe"',
      '--webhooks-to must be a host, an address or a subnet such as 10.0.0.0/8, with or without :port, not "a b"',
      'PIPIT_SIGN_UP must be one of closed, invitation, open, not "yes"',
      'PIPIT_DURABILITY must be one of full, relaxed, not "none"',
      'PIPIT_FEED_RETENTION must be a duration from 1h to 365d, not "0h"',
      'PIPIT_METRICS must be off, public, PORT or HOST:PORT, not "x:0"',
      'PIPIT_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "x"',
    ]);
  }
});

test('a configuration is immutable', () => {
  expect(Object.isFrozen(readConfig({}, {}))).toBe(true);
});

test('an empty variable counts as absent', () => {
  expect(readDatabase(undefined, { PIPIT_DATABASE: '' })).toBe('sqlite:data/pipit.db');
});

test('workers are a number or one per core, and at most one on an in-memory database', () => {
  expect(readConfig({ workers: '4' }, {}).workers).toBe(4);
  expect(readConfig({}, { PIPIT_WORKERS: 'auto' }).workers).toBeGreaterThanOrEqual(1);
  for (const database of ['sqlite::memory:', 'sqlite://:memory:']) {
    expect(() => readConfig({ workers: '2', database }, {})).toThrow(
      /in-memory database supports one process/,
    );
    expect(readConfig({ workers: '1', database }, {}).database).toBe(database);
  }
});

test('an invalid list value is reported with its flag or variable', () => {
  expect(() => readConfig({}, { PIPIT_TRUSTED_PROXY: '10.0.0.1, x' })).toThrow(
    'PIPIT_TRUSTED_PROXY must be an address or subnet such as 10.0.0.0/8, not "x"',
  );
});

test('metrics listen on loopback unless a host is given', () => {
  const place = (metrics: string) => readConfig({ metrics }, {}).metrics;
  expect(place('9100')).toEqual({ host: '127.0.0.1', port: 9100 });
  expect(place('0.0.0.0:9100')).toEqual({ host: '0.0.0.0', port: 9100 });
  expect(place('public')).toBe('public');
  for (const wrong of ['0', '70000', 'host', 'host:', 'host:x'])
    expect(() => place(wrong), wrong).toThrow(
      `--metrics must be off, public, PORT or HOST:PORT, not "${wrong}"`,
    );
});
