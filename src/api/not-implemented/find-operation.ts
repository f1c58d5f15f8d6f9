import { pathPattern } from '../../http/path-pattern.js';
import { MISSING_OPERATIONS, type MissingOperation } from './operations.js';

/** Creates a lookup of X API operations that this server does not implement. */
export function missingOperationFinder(): (method: string, path: string) => MissingOperation | undefined {
  const known = MISSING_OPERATIONS.flatMap(({ operations }) => operations)
    .map((operation) => ({ operation, pattern: pathPattern(operation.path) }))
    // Literal steps come before placeholders: `/2/webhooks/replay` before `/2/webhooks/{webhook_id}`.
    .sort((one, other) => placeholdersIn(one.operation) - placeholdersIn(other.operation));
  return (method, path) => {
    const asked = method === 'HEAD' ? 'GET' : method;
    return known.find(
      ({ operation, pattern }) =>
        (operation.method === 'ANY' || operation.method === asked) && pattern.test(path),
    )?.operation;
  };
}

function placeholdersIn({ path }: MissingOperation): number {
  return path.split(/[{*]/).length;
}
