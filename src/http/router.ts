import type { PathValues } from './shell.js';

/** The method of routes that accept every method without a route of its own. */
export const ANY_METHOD = 'ANY';

/** A step of a path, with everything below it. Most steps of several hundred paths need only one of the maps. */
interface Step<T> {
  literals?: Map<string, Step<T>>;
  routes?: Map<string, Route<T>>;
  placeholder?: Step<T>;
  rest?: Step<T>;
}

interface Route<T> {
  readonly names: readonly string[];
  readonly target: T;
}

/** What a path leads to, and its values in the order of the placeholders. */
interface Match<T> {
  readonly routes: ReadonlyMap<string, Route<T>>;
  readonly values: readonly string[];
}

/**
 * Finds the target of a request among paths such as `/2/tweets/{id}`; a final `*` matches one or more steps, whose
 * text is the value `*`. Literal steps win over placeholders, and those over `*`. The last placeholder never takes the
 * name of a literal step beside it: `/2/users/search` is no user, whichever methods it has.
 */
export class Router<T> {
  readonly #root: Step<T> = {};

  /** Adds a route. Throws if the method already has one with the same steps. */
  add(method: string, path: string, target: T): void {
    let step = this.#root;
    const names: string[] = [];
    for (const name of stepsOf(path)) {
      if (name.startsWith('{')) {
        names.push(name.slice(1, -1));
        step = step.placeholder ??= {};
      } else if (name === '*') {
        names.push(name);
        step = step.rest ??= {};
      } else step = getOrAdd((step.literals ??= new Map()), name);
    }
    step.routes ??= new Map();
    if (step.routes.has(method)) throw new Error(`two routes for ${method} ${path}`);
    step.routes.set(method, { names, target });
  }

  /** Returns the target of a path without its query. Throws URIError for invalid percent-encoding. */
  find(method: string, path: string): { readonly target: T; readonly values: PathValues } | undefined {
    const routeOf = ({ routes }: Match<T>) => routes.get(method) ?? routes.get(ANY_METHOD);
    const match = this.#firstMatch(path, (candidate) => routeOf(candidate) !== undefined);
    const route = match && routeOf(match);
    if (match === undefined || route === undefined) return undefined;
    const values: Record<string, string> = {};
    route.names.forEach((name, index) => (values[name] = match.values[index] ?? ''));
    return { target: route.target, values };
  }

  /** Returns the methods of a path with their targets. Throws as `find` does. */
  targets(path: string): [method: string, target: T][] {
    const found: [string, T][] = [];
    this.#firstMatch(path, ({ routes }) => {
      for (const [method, { target }] of routes) found.push([method, target]);
      return false;
    });
    return found;
  }

  #firstMatch(path: string, accepts: (match: Match<T>) => boolean): Match<T> | undefined {
    return firstMatch(this.#root, stepsOf(path).map(decodeURIComponent), 0, [], accepts);
  }
}

/** Returns the names of the placeholders of a path, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
}

function firstMatch<T>(
  { literals, placeholder, rest, routes }: Step<T>,
  steps: readonly string[],
  at: number,
  values: readonly string[],
  accepts: (match: Match<T>) => boolean,
): Match<T> | undefined {
  const step = steps[at];
  if (step === undefined) return routes && accepts({ routes, values }) ? { routes, values } : undefined;
  const literal = literals?.get(step);
  const found = literal && firstMatch(literal, steps, at + 1, values, accepts);
  if (found !== undefined) return found;
  const isValue = step !== '' && (literal === undefined || at < steps.length - 1);
  const below =
    placeholder && isValue ? firstMatch(placeholder, steps, at + 1, [...values, step], accepts) : undefined;
  return below ?? (rest && firstMatch(rest, [], 0, [...values, steps.slice(at).join('/')], accepts));
}

function stepsOf(path: string): string[] {
  return path.split('/').slice(1);
}

function getOrAdd<T>(literals: Map<string, Step<T>>, name: string): Step<T> {
  const step = literals.get(name) ?? {};
  literals.set(name, step);
  return step;
}
