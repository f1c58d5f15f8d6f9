import { resolve } from 'node:path';

/** A bucket of an object store that speaks the S3 protocol. */
export interface BucketPlace {
  readonly kind: 's3';
  readonly bucket: string;
  /** Put before the name of each object: '' or a path that ends in a slash. */
  readonly prefix: string;
  /** The URL of the store; undefined for Amazon's. */
  readonly endpoint: string | undefined;
  /** Undefined: the usual variables and files of AWS name it. */
  readonly region: string | undefined;
  /** True if the bucket is the first step of the path, false if it is part of the host. */
  readonly isInPath: boolean;
}

/** A folder on a disk, by its absolute path. */
interface FolderPlace {
  readonly kind: 'folder';
  readonly folder: string;
}

/** Where files of media are kept. */
export type MediaPlace = BucketPlace | FolderPlace;

const PARAMETERS: ReadonlySet<string> = new Set(['endpoint', 'region', 'path-style']);

/**
 * Parses a folder or `s3://BUCKET/PREFIX?endpoint=URL&region=REGION&path-style=true`. Addresses have the bucket in
 * their path if there is an endpoint, unless `path-style` says otherwise. Returns undefined for any other text, such
 * as one with credentials.
 */
export function parseMediaPlace(text: string): MediaPlace | undefined {
  if (/^s3:/i.test(text)) return parseBucket(text);
  // Any other URL is a mistake, not a folder.
  return text.trim() === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? undefined
    : { kind: 'folder', folder: resolve(text) };
}

function parseBucket(text: string): BucketPlace | undefined {
  const [, bucket = '', path = '', query = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9/_.-]*))?(?:\?(.*))?$/i.exec(text) ?? [];
  const parameters = new URLSearchParams(query);
  const endpoint = parameters.get('endpoint') ?? undefined;
  const pathStyle = parameters.get('path-style') ?? (endpoint === undefined ? 'false' : 'true');
  const isKnown = [...parameters.keys()].every((name) => PARAMETERS.has(name));
  if (bucket === '' || !isKnown || !['true', 'false'].includes(pathStyle)) return undefined;
  if (endpoint !== undefined && !isEndpoint(endpoint)) return undefined;
  const steps = path.split('/').filter((step) => step !== '');
  return {
    kind: 's3',
    bucket,
    prefix: steps.map((step) => `${step}/`).join(''),
    endpoint,
    region: parameters.get('region') ?? undefined,
    isInPath: pathStyle === 'true',
  };
}

function isEndpoint(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isWeb && url.username === '' && url.password === '' && url.search === '';
}
