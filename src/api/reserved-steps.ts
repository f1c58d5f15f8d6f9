/** Returns the literal steps of other paths in the position of an endpoint's last placeholder. */
export type ReservedSteps = (path: string) => ReadonlySet<string>;

const NONE: ReadonlySet<string> = new Set();

/**
 * Finds steps that start other operations and cannot be ids, such as `search` in `/2/users/{id}`. A path that ends in
 * one is unknown, rather than a malformed id.
 */
export function reservedSteps(paths: readonly string[]): ReservedSteps {
  const literals = new Map<string, Set<string>>();
  for (const path of paths) {
    const steps = path.split('/');
    steps.forEach((step, index) => {
      if (isPlaceholder(step) || step === '*') return;
      const before = placeOf(steps.slice(0, index));
      const known = literals.get(before) ?? new Set();
      literals.set(before, known.add(step));
    });
  }
  return (path) => {
    const steps = path.split('/');
    const last = steps.pop() ?? '';
    return isPlaceholder(last) ? (literals.get(placeOf(steps)) ?? NONE) : NONE;
  };
}

function isPlaceholder(step: string): boolean {
  return step.startsWith('{');
}

/** Returns the same text for paths that differ only in the names of placeholders. */
function placeOf(steps: readonly string[]): string {
  return steps.map((step) => (isPlaceholder(step) ? '{}' : step)).join('/');
}
