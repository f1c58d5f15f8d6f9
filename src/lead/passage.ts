import { isLoopback } from '../core/loopback.js';
import type { HostAndPort } from './host-and-port.js';
import type { Upstream } from './upstream.js';

/** Where requests go. */
export interface Passage {
  /** The address of the server, for led hosts. */
  readonly pipit: HostAndPort;
  /** Reports whether requests to another host may pass. */
  readonly allows: (host: string) => boolean;
  /** Called for each refused request. */
  readonly onRefused: (host: string) => void;
  /** The proxy that the environment already named. */
  readonly upstream: Upstream | undefined;
}

/** Decides about a request to a host that is not led, and records a refusal. */
export function mayPass({ allows, onRefused }: Passage, host: string): boolean {
  const passes = isLoopback(host) || allows(host);
  if (!passes) onRefused(host);
  return passes;
}

/** Explains a refusal to the person who runs the program. */
export function reasonFor(host: string): string {
  return `pipit lead refused this request: ${host} is not a host of X. Allow it with --allow ${host}.\n`;
}
