import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pid } from 'node:process';
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { AnyEndpoint } from '../../api/endpoint.js';
import { exchangeOf } from '../../http/exchange.js';
import type { Engine } from '../../database/engine.js';
import type { Answering } from '../../http/request-listeners.js';
import { traceEngine } from './trace-engine.js';

export interface TracingOptions {
  /** The URL of an OTLP receiver, without `/v1/traces` and without a slash at the end. */
  readonly url: string;
  /** The share of traces that are recorded, unless a request says whether its own is. */
  readonly share: number;
  readonly service: string;
  readonly version: string;
  readonly endpoints: readonly Pick<AnyEndpoint, 'operationId' | 'path'>[];
}

/** Work inside a span. */
export interface SpanWork {
  readonly name: string;
  readonly kind: 'internal' | 'client';
  readonly attributes?: Attributes;
}

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT } as const;

/** Records spans and sends them to a receiver by OTLP (docs/operations.md#traces). */
export class Tracing {
  readonly #provider: TracerProvider;
  readonly #tracer;
  readonly #current = new AsyncLocalStorage<Context>();
  readonly #propagator = new W3CTraceContextPropagator();
  readonly #paths: ReadonlyMap<string, string>;

  constructor({ url, share, service, version, endpoints }: TracingOptions) {
    const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces` });
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.name': service,
        'service.version': version,
        'service.instance.id': String(pid),
      }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    this.#tracer = this.#provider.getTracer('pipit', version);
    this.#paths = new Map(endpoints.map(({ operationId, path }) => [operationId, path]));
  }

  /** Answers a request inside a span, which ends with the response. */
  readonly traceRequest = (request: IncomingMessage, response: ServerResponse, answer: Answering) => {
    const { method = 'GET', headers } = request;
    const parent = this.#propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    const attributes = { 'http.request.method': method };
    const span = this.#tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    response.once('close', () => {
      this.#describe(span, method, response);
      span.end();
    });
    return this.#current.run(trace.setSpan(parent, span), answer);
  };

  /** Runs work in a span below the present one, or in a trace of its own. `headers` continue the trace elsewhere. */
  async run<T>(
    { name, kind, attributes }: SpanWork,
    work: (headers: Record<string, string>) => Promise<T>,
    parent = this.#current.getStore() ?? ROOT_CONTEXT,
  ): Promise<T> {
    const span = this.#tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent);
    const context = trace.setSpan(parent, span);
    const headers: Record<string, string> = {};
    this.#propagator.inject(context, headers, defaultTextMapSetter);
    try {
      return await this.#current.run(context, () => work(headers));
    } catch (error) {
      // The message may contain what a user wrote.
      span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  /** Returns the engine whose transactions and statements have spans. */
  readonly follow = (engine: Engine): Engine => traceEngine(engine, this);

  /** Returns where the caller is; undefined if no span is recorded there. */
  here(): Context | undefined {
    const context = this.#current.getStore();
    return context && trace.getSpan(context)?.isRecording() ? context : undefined;
  }

  /** Sends what is recorded. Never rejects, as a receiver may be away. */
  readonly close = (): Promise<void> => this.#provider.shutdown().catch(() => undefined);

  /** Names the span by the pattern of the route: a path may contain what must not be known. */
  #describe(span: Span, method: string, response: ServerResponse): void {
    const operation = exchangeOf(response)?.operation;
    const route = operation && (this.#paths.get(operation) ?? operation.slice(operation.indexOf('/')));
    if (operation !== undefined && route !== undefined) {
      span.updateName(`${method} ${route}`);
      span.setAttributes({ 'http.route': route, 'pipit.operation': operation });
    }
    const status = response.headersSent ? response.statusCode : 0;
    if (status > 0) span.setAttribute('http.response.status_code', status);
    if (status !== 0 && status < 500) return;
    span.setAttribute('error.type', status === 0 ? 'cut' : String(status));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
}
