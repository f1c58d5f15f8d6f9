import { parseDigits } from '../core/digits.js';
import { single } from './setting.js';
import { parseBaseUrl, parseMetricsPlace, type MetricsPlace } from './setting-texts.js';

const MAX_SLOW_MS = 600_000;

/** The settings of what operators watch: slow statements, traces and metrics. */
export const WATCHING_SETTINGS = {
  slowStatementMs: single<number>({
    value: 'ms',
    help: 'log statements with their plan that take this many milliseconds or more, or off',
    initial: 1_000,
    rule: `be off or a number from 1 to ${MAX_SLOW_MS}`,
    parse: (text) => (text === 'off' ? Infinity : parseDigits(text, 1, MAX_SLOW_MS)),
  }),
  otlp: single<string | undefined>({
    value: 'url',
    help: 'the OTLP receiver of traces, such as http://127.0.0.1:4318; by default OTEL_EXPORTER_OTLP_ENDPOINT',
    initial: undefined,
    rule: 'be an http or https URL without query',
    parse: parseBaseUrl,
  }),
  traceShare: single<number>({
    value: 'share',
    help: 'the share of requests that are traced, from 0 to 1',
    initial: 1,
    rule: 'be a number from 0 to 1',
    parse: (text) => (/^(?:0(?:\.[0-9]{1,6})?|1)$/.test(text) ? Number(text) : undefined),
  }),
  traceService: single<string>({
    value: 'name',
    help: 'the name of the service in traces',
    initial: 'pipit',
    rule: 'be a name of up to 100 characters',
    parse: (text) => (/^[\w .-]{1,100}$/.test(text) ? text : undefined),
  }),
  metrics: single<MetricsPlace>({
    value: 'where',
    help: 'off; PORT or HOST:PORT for a separate listener (default host 127.0.0.1); or public, at /metrics',
    initial: 'off',
    rule: 'be off, public, PORT or HOST:PORT',
    parse: parseMetricsPlace,
  }),
};
