/** What stands literally in the place of an endpoint's last placeholder, in other paths. */
export type ReservedSteps = (path: string) => ReadonlySet<string>;

const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the steps that cannot be ids, as they are the beginning of other operations: `search` of `/2/users/{id}`. A path
 * that ends in one is unknown, not a malformed id.
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

/** The same for paths that name their placeholders differently. */
function placeOf(steps: readonly string[]): string {
  return steps.map((step) => (isPlaceholder(step) ? '{}' : step)).join('/');
}
