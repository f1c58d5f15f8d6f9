import { decodePercent } from '../percent.js';
import type { Assembly } from './assembly-variants.js';
import type { Digest } from './key-variants.js';
import type { Variant } from './variant.js';

/** The possible values of each part of a signature; in each list the right ones come first. */
export interface Parts {
  readonly methods: readonly Variant[];
  readonly origins: readonly Variant[];
  readonly paths: readonly Variant[];
  readonly parameters: readonly Variant[];
  readonly assemblies: readonly Assembly[];
  readonly keys: readonly Variant[];
  readonly digests: readonly Digest[];
}

/** The index of the chosen value of each part. */
export type Choice = Readonly<Record<keyof Parts, number>>;

/** What the client signed, as far as it was found. */
export interface Found {
  readonly choice: Choice;
  /** What the client did otherwise, in order of the parts. */
  readonly mistakes: readonly string[];
}

/** The bounds of the work for one request: some 20 ms. */
const MAX_TRIES = 2_000;
const MAX_CHARACTERS = 3_000_000;

/** The choice without mistakes, for the first accepted address. */
export const RIGHT: Choice = {
  methods: 0,
  origins: 0,
  paths: 0,
  parameters: 0,
  assemblies: 0,
  keys: 0,
  digests: 0,
};

/**
 * Looks for the values that give the client's signature: with one mistake, then with two in different parts, the most
 * frequent first. The work is bounded. Returns undefined if nothing was found.
 */
export function searchMistakes(parts: Parts, signature: string): Found | undefined {
  const tries = new Tries(parts, signature);
  for (const choice of choices(parts)) {
    const found = tries.attempt(choice);
    if (found) return found;
    if (tries.isExhausted()) return undefined;
  }
  return undefined;
}

/** Returns the text that a choice signs. */
export function baseStringOf(
  parts: Parts,
  choice: Choice,
  escape: Escape = (text, how) => how(text),
): string {
  const assembly = parts.assemblies[choice.assemblies];
  if (!assembly) return '';
  const { separator, escapeUrl, escapeParameters } = assembly;
  const url = textAt(parts.origins, choice.origins) + textAt(parts.paths, choice.paths);
  const parameters = textAt(parts.parameters, choice.parameters);
  const escaped = [escape(url, escapeUrl), escape(parameters, escapeParameters)];
  return [textAt(parts.methods, choice.methods), ...escaped].join(separator);
}

type Escape = (text: string, how: (text: string) => string) => string;

/** Creates a function that escapes each text once. */
function escapeOnce(): Escape {
  const done = new Map<Parameters<Escape>[1], Map<string, string>>();
  return (text, how) => {
    const known = done.get(how) ?? new Map<string, string>();
    done.set(how, known);
    const escaped = known.get(text) ?? how(text);
    known.set(text, escaped);
    return escaped;
  };
}

class Tries {
  #count = 0;
  #characters = 0;
  readonly #escape = escapeOnce();
  /** The signatures that the client may have meant, with what it did to the text. */
  readonly #sent: ReadonlyMap<string, string | undefined>;

  constructor(
    private readonly parts: Parts,
    signature: string,
  ) {
    this.#sent = new Map([
      [
        signature.replaceAll(' ', '+'),
        'sent the + of its signature unescaped, so that it arrived as a space',
      ],
      [decodePercent(signature) ?? signature, 'escaped its signature twice'],
      [signature, undefined],
    ]);
  }

  isExhausted(): boolean {
    return this.#count >= MAX_TRIES || this.#characters >= MAX_CHARACTERS;
  }

  attempt(choice: Choice): Found | undefined {
    const { parts } = this;
    const base = baseStringOf(parts, choice, this.#escape);
    this.#count += 1;
    this.#characters += base.length;
    const signature = parts.digests[choice.digests]?.sign(base, textAt(parts.keys, choice.keys)) ?? '';
    if (!this.#sent.has(signature)) return undefined;
    const mistakes = NAMES.map((name) => parts[name][choice[name]]?.mistake);
    const all = [...mistakes, this.#sent.get(signature)];
    return { choice, mistakes: all.filter((mistake) => mistake !== undefined) };
  }
}

const NAMES = Object.keys(RIGHT) as (keyof Parts)[];

function* choices(parts: Parts): Generator<Choice> {
  const rightOrigins = parts.origins.filter(({ mistake }) => mistake === undefined).map((_, index) => index);
  const singles = singlesOf(parts);
  const withOrigins = function* (choice: Choice): Generator<Choice> {
    if (choice.origins > 0) yield choice;
    else for (const origins of rightOrigins) yield { ...choice, origins };
  };
  yield* withOrigins(RIGHT);
  for (const single of singles) yield* withOrigins({ ...RIGHT, ...single.change });
  for (let sum = 1; sum < 2 * singles.length - 2; sum += 1) {
    for (let first = Math.max(0, sum - singles.length + 1); first < sum - first; first += 1) {
      const [a, b] = [singles[first], singles[sum - first]];
      if (a && b && a.name !== b.name) yield* withOrigins({ ...RIGHT, ...a.change, ...b.change });
    }
  }
}

interface Single {
  readonly name: keyof Parts;
  readonly rank: number;
  readonly change: Partial<Choice>;
}

/** Returns all single mistakes, of each part the most frequent first. Equal texts are tried once. */
function singlesOf(parts: Parts): Single[] {
  const singles = NAMES.flatMap((name) => {
    const seen = new Set<string>();
    return parts[name]
      .map((variant, index) => ({ variant, index }))
      .filter(({ variant: { text } }) => !seen.has(text) && seen.add(text))
      .filter(({ variant: { mistake } }) => mistake !== undefined)
      .map(({ index }, rank): Single => ({ name, rank, change: { [name]: index } }));
  });
  return singles.sort((a, b) => a.rank - b.rank);
}

function textAt(variants: readonly Variant[], index: number): string {
  return variants[index]?.text ?? '';
}
