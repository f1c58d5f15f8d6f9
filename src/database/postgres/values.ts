import pg from 'pg';
import { SqlList, type Sql } from '../sql.js';

/** Type OIDs (pg_type) that are decoded differently from the driver's default. */
const BOOL = 16;
const INT8 = 20;
const NUMERIC = 1700;

const WHOLE = /^-?[0-9]+$/;

/** Decodes results: 64-bit numbers and integral sums to bigint, booleans to 0 and 1 as in every engine. */
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

/** Returns the parameter values of a statement for the driver. */
export function boundValues({ params }: Sql): unknown[] {
  return params.map((param) => (param instanceof SqlList ? param.values : param));
}
