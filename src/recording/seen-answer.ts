import { asObject, asObjects, type WireObject } from '../archive/wire-json.js';

/** An answer of the interface. */
export interface SeenAnswer {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The user who asked, if the credentials show it. */
  readonly callerId?: string;
  readonly json: unknown;
}

/** Returns the objects of `data`: of a list, or the one. */
export function itemsOf({ json }: Pick<SeenAnswer, 'json'>): WireObject[] {
  const data = asObject(json)?.data;
  return asObjects(Array.isArray(data) ? data : [data]);
}

/**
 * Returns the user of an OAuth 1.0a token, which begins with the user's id (docs/api/authentication.md). Other
 * credentials show no user.
 */
export function callerIdOf(authorization: string | undefined): string | undefined {
  return /^OAuth\b.*\boauth_token="(\d{1,19})-/i.exec(authorization ?? '')?.[1];
}

export const isV1 = ({ path }: Pick<SeenAnswer, 'path'>): boolean => path.startsWith('/1.1/');
