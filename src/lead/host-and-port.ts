/** A host and a port of it. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

const FORM = /^(?:\[([0-9a-f:.]+)\]|([^\s:/?#@[\]]+)):([0-9]{1,5})$/i;

/** Parses `host:port`, as in CONNECT requests (RFC 9112 3.2.3). Returns undefined for any other text. */
export function hostAndPort(text: string): HostAndPort | undefined {
  const [, address, name, digits] = FORM.exec(text) ?? [];
  const host = address ?? name;
  const port = Number(digits);
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
}
