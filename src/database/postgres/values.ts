import pg from 'pg';
import { SqlList, type Sql } from '../sql.js';

/** Type numbers (PostgreSQL's pg_type) whose values arrive otherwise than the driver would have it. */
const BOOL = 16;
const INT8 = 20;
const NUMERIC = 1700;

const WHOLE = /^-?[0-9]+$/;

/** Parsers of results: 64-bit numbers and whole sums to bigint, truth values to 0 and 1 as in every engine. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') => {
    switch (type) {
      case BOOL:
        return (text: string) => (text === 't' ? 1 : 0);
      case INT8:
        return BigInt;
      case NUMERIC:
        return (text: string) => (WHOLE.test(text) ? BigInt(text) : Number(text));
      default:
        return pg.types.getTypeParser(type, format ?? 'text');
    }
  },
};

/** The values of a statement's parameters as the driver takes them. */
export function boundValues({ params }: Sql): unknown[] {
  return params.map((param) => (param instanceof SqlList ? param.values : param));
}
