import lightMyRequest from 'light-my-request';
import type { App } from '../../src/api/app.js';

export interface InjectedRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON with the matching content type. */
  readonly payload?: string | Buffer | object;
}

export interface InjectedAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly body: string;
  readonly rawPayload: Buffer;
  json<T = unknown>(): T;
}

/** Sends a request to an app without a socket. */
export function inject(app: Pick<App, 'handle'>, request: InjectedRequest): Promise<InjectedAnswer> {
  return lightMyRequest(app.handle, request);
}
