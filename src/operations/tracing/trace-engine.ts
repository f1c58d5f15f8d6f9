import type { Attributes, Context } from '@opentelemetry/api';
import type { Engine, Tx } from '../../database/engine.js';
import type { Sql } from '../../database/sql.js';
import { aroundReads, aroundStatements } from '../around-statements.js';
import { statementText } from '../statement-text.js';

type Place = Context | undefined;

/** Runs work in a span; see `Tracing`. */
interface Spans {
  here(): Place;
  run<T>(
    span: { readonly name: string; readonly kind: 'internal' | 'client'; readonly attributes?: Attributes },
    work: () => Promise<T>,
    parent?: Context,
  ): Promise<T>;
}

/**
 * Returns the engine whose transactions and statements have spans, inside of what has one. Background work that only
 * looks whether there is something to do has none.
 */
export function traceEngine(engine: Engine, tracing: Spans): Engine {
  return {
    ...engine,
    ...aroundReads(engine, (query, run) => inSpan(tracing, tracing.here(), query, run)),
    tx: (name, body, isolation) => {
      if (!tracing.here()) return engine.tx(name, body, isolation);
      const span = { name: `transaction ${name}`, kind: 'internal' } as const;
      return tracing.run(span, () => {
        // The body may run in the context of another request, whose commit it shares.
        const place = tracing.here();
        const traced = (tx: Tx): Tx =>
          aroundStatements(tx, (query, run) => inSpan(tracing, place, query, run));
        return engine.tx(name, (tx) => body(traced(tx)), isolation);
      });
    },
  };
}

function inSpan<T>(tracing: Spans, place: Place, query: Sql, work: () => Promise<T>): Promise<T> {
  if (place === undefined) return work();
  const text = statementText(query);
  const [name = 'statement'] = text.split(' ', 1);
  return tracing.run({ name, kind: 'client', attributes: { 'db.query.text': text } }, work, place);
}
