import { pathPattern } from '../../http/path-pattern.js';
import { MISSING_OPERATIONS, type MissingOperation } from './operations.js';

/** Returns the operation of the original interface that a request asks for, if it is one that is not served here. */
export function missingOperationFinder(): (method: string, path: string) => MissingOperation | undefined {
  const known = MISSING_OPERATIONS.flatMap(({ operations }) => operations)
    .map((operation) => ({ operation, pattern: pathPattern(operation.path) }))
    // Literal steps before placeholders: `/2/webhooks/replay` before `/2/webhooks/{webhook_id}`.
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
