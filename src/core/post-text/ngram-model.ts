import { readFile } from 'node:fs/promises';

/** Distinguishes languages of one script by the frequencies of short byte sequences. */
export interface NgramModel {
  /** Scores the languages of a text, by the codes of the model; languages without a score are left out. */
  score(text: string): ReadonlyMap<string, number>;
}

interface Frequencies {
  readonly languages: readonly string[];
  /** For each n-gram, pairs of characters whose codes are a language's index and its score. */
  readonly scores: ReadonlyMap<string, string>;
  /** The character for each UTF-8 byte in the n-grams. */
  readonly byteCharacters: readonly string[];
}

/** The data set subtracts this from each score to save space. */
const BASE_SCORE = 53;
const MAX_TEXT = 1_000;
const MAX_WORD_BYTES = 70;
const SEPARATORS = /(?<![^\p{L}])[^\p{L}]+(?<!['`’])/gu;

/** Parsing starts this long after loading, or with the first text, and pauses after each batch. */
const PARSING_DELAY_MS = 500;
const PAUSE_MS = 5;
const BATCH = 1_000;

const DIGIT_ZERO = 0x30;
const COLON = 0x3a;
const COMMA = 0x2c;

/**
 * Loads the n-gram frequencies of the npm package "eld" (set "extrasmall") for the languages in `wanted`. Scores
 * equal those of that package, whose own module loads its data as an object literal of about 60 MB resident; parsed
 * into one map they cost 20 MB, of which 5 MB stay in use. Parsing takes a tenth of a second: it runs in the
 * background, and the first text waits for the rest. The files are internal to the package: throws if their format is
 * unexpected.
 */
export async function loadNgramModel(wanted: readonly string[]): Promise<NgramModel> {
  const { frequencies, parsing } = await readFrequencies(wanted);
  const parse = (): void => {
    if (!parsing.next().done) setTimeout(parse, PAUSE_MS).unref();
  };
  setTimeout(parse, PARSING_DELAY_MS).unref();
  return {
    score: (text) => {
      while (!parsing.next().done);
      return score(frequencies, text);
    },
  };
}

async function readFrequencies(
  wanted: readonly string[],
): Promise<{ readonly frequencies: Frequencies; readonly parsing: Iterator<void> }> {
  const entry = import.meta.resolve('eld');
  const source = await readFile(new URL('../ngrams/extrasmall.js', entry), 'utf8');
  const dictionary = charactersOf(await readFile(new URL('../dictionary.js', entry), 'utf8'));
  const [header = '', body = ''] = source.split(',ngrams:{');
  const languages = [...header.matchAll(/[0-9]:'([a-z]+)'/g)].map(([, code = '']) => code);
  const wantedIndexes = new Set(wanted.map((code) => languages.indexOf(code)));
  const scores = new Map<string, string>();
  const parsing = parseScores(body, wantedIndexes, scores);
  parsing.next();
  if (wantedIndexes.has(-1) || scores.size === 0 || dictionary.length < 256) {
    throw unexpectedForm();
  }
  return { frequencies: { languages, scores, byteCharacters: dictionary }, parsing };
}

/** Returns the characters of `export const dictionary = ['a', 'b', ...]`. */
function charactersOf(source: string): string[] {
  const list = source.slice(source.indexOf('= ['));
  return [...list.matchAll(/'\\?(.)'/gsu)].map(([, character = '']) => character);
}

/** Parses `'ngram':{language:score,...},...` into `scores`, a batch for each step. */
function* parseScores(
  body: string,
  wanted: ReadonlySet<number>,
  scores: Map<string, string>,
): Generator<void, void> {
  let count = 0;
  let end = 0;
  for (let open = body.indexOf("'"); open >= 0; open = body.indexOf("'", end)) {
    const close = body.indexOf("':{", open + 1);
    end = body.indexOf('}', close);
    if (close < 0 || end < 0) return;
    const pairs = parsePairs(body, { start: close + 3, end }, wanted);
    const ngram = body.slice(open + 1, close);
    if (pairs !== '') scores.set(ngram.includes('\\') ? ngram.replace(/\\(.)/g, '$1') : ngram, pairs);
    count += 1;
    if (count % BATCH === 0) yield;
  }
}

/** Parses `language:score,...` by its character codes: splitting it takes four times as long. */
function parsePairs(
  body: string,
  { start, end }: { readonly start: number; readonly end: number },
  wanted: ReadonlySet<number>,
): string {
  let pairs = '';
  let language = 0;
  let number = 0;
  for (let at = start; at <= end; at += 1) {
    const code = body.charCodeAt(at);
    if (code === COLON) [language, number] = [number, 0];
    else if (code >= DIGIT_ZERO && code < COLON) number = 10 * number + code - DIGIT_ZERO;
    else if (code !== COMMA && at < end) throw unexpectedForm();
    else {
      if (wanted.has(language)) pairs += String.fromCharCode(language, number);
      number = 0;
    }
  }
  return pairs;
}

function unexpectedForm(): Error {
  return new Error('The n-gram data of the package "eld" are not in the expected form');
}

function score(frequencies: Frequencies, text: string): ReadonlyMap<string, number> {
  const totals = new Float64Array(frequencies.languages.length);
  for (const ngram of ngramsOf(text, frequencies.byteCharacters)) {
    const pairs = frequencies.scores.get(ngram) ?? '';
    for (let at = 0; at < pairs.length; at += 2) {
      const language = pairs.charCodeAt(at);
      totals[language] = (totals[language] ?? 0) + pairs.charCodeAt(at + 1) + BASE_SCORE;
    }
  }
  const scores = new Map<string, number>();
  frequencies.languages.forEach((language, index) => {
    const total = totals[index] ?? 0;
    if (total > 0) scores.set(language, total);
  });
  return scores;
}

/**
 * Returns sequences of four bytes, at every third position of a word and at its end; a space marks the ends of the
 * word.
 */
function ngramsOf(text: string, byteCharacters: readonly string[]): ReadonlySet<string> {
  const ngrams = new Set<string>();
  const words = text.slice(0, MAX_TEXT).replace(SEPARATORS, ' ').trim().toLowerCase().split(' ');
  for (const word of words) {
    const bytes = inByteCharacters(word, byteCharacters);
    let at = 0;
    for (; at + 4 < bytes.length; at += 3) ngrams.add((at === 0 ? ' ' : '') + bytes.slice(at, at + 4));
    if (bytes !== '') ngrams.add(`${at === 0 ? ' ' : ''}${bytes.slice(-4)} `);
  }
  return ngrams;
}

function inByteCharacters(word: string, byteCharacters: readonly string[]): string {
  if (/^[\0-\x7F]*$/.test(word)) return word.slice(0, MAX_WORD_BYTES);
  let characters = '';
  for (const byte of Buffer.from(word, 'utf8').subarray(0, MAX_WORD_BYTES)) {
    characters += byte < 0x80 ? String.fromCharCode(byte) : (byteCharacters[byte] ?? ' ');
  }
  return characters;
}
