import type { Explanation } from '../../../core/explanation.js';
import { type AuthRequest, pathOf } from '../../auth-request.js';
import type { Protocol } from '../protocol.js';
import type { SigningSecrets } from '../signature.js';
import { methodVariants, originVariants, pathVariants } from './address-variants.js';
import { ASSEMBLIES } from './assembly-variants.js';
import { hideSent } from './hide-sent.js';
import { DIGESTS, keyVariants } from './key-variants.js';
import { parameterVariants } from './parameter-variants.js';
import { baseStringOf, type Choice, type Found, type Parts, RIGHT, searchMistakes } from './search.js';
import { readSentParameters, type SentParameters } from './sent-parameters.js';

/** A request whose signature did not match. */
export interface RefusedSignature {
  readonly request: AuthRequest;
  readonly protocol: Protocol;
  readonly secrets: SigningSecrets;
  /** The base URLs that the server accepts for this request, most likely first. */
  readonly baseUrls: readonly string[];
  /** The start of the body, if it is not a form. */
  readonly body: string | undefined;
}

/** Requests with more text than this are explained without a search. */
const MAX_SENT_CHARACTERS = 32_768;
const MAX_SHOWN_CHARACTERS = 8_192;

/**
 * Explains why a signature does not match: looks for the mistake with which the client's signature would be right, and
 * shows the base string that it must have signed beside that of the server (RFC 5849 3.4.1). Values of secret
 * parameters are hidden. The work is bounded.
 */
export function explainSignature(refused: RefusedSignature): Explanation {
  const { request, protocol, secrets, baseUrls, body } = refused;
  if (baseUrls.length === 0) return NO_HOST;
  const sent = readSentParameters(request, body);
  const keyParts = { ...secrets, consumerKey: protocol.consumerKey, token: protocol.token ?? '' };
  const partsOf = (parameters: SentParameters): Parts => ({
    methods: methodVariants(request.method),
    origins: originVariants(baseUrls, request.headers.host ?? ''),
    paths: pathVariants(pathOf(request.url), parameters.rawQuery),
    parameters: parameterVariants(parameters),
    assemblies: ASSEMBLIES,
    keys: keyVariants(keyParts),
    digests: DIGESTS,
  });
  const shown = partsOf(hideSent(sent));
  if (sizeOf(request, body) > MAX_SENT_CHARACTERS) return notFound(shown, TOO_LONG);
  const found = searchMistakes(partsOf(sent), protocol.signature);
  return found ? foundMistakes(shown, found) : notFound(shown, UNKNOWN);
}

const NO_HOST: Explanation = {
  step: 'signature',
  summary:
    'The Host header of the request is missing or invalid, so there is no address to check the signature for.',
};

const UNKNOWN = 'The signature does not match, and none of the usual mistakes explains it.';
const TOO_LONG = 'The signature does not match. The request is too long to look for the mistake.';

const COMPARE = 'Compare the base string with that of your client.';
const OTHER_SECRET =
  'If they are equal, a secret is wrong: perhaps the keys of the app were regenerated, or the token is from another server.';

function sizeOf({ url, formBody = '', headers }: AuthRequest, body = ''): number {
  return url.length + formBody.length + (headers.authorization?.length ?? 0) + Math.min(body.length, 16_384);
}

function foundMistakes(shown: Parts, { choice, mistakes }: Found): Explanation {
  const server = baseStringOf(shown, rightOf(choice, shown));
  const client = baseStringOf(shown, choice);
  const isKey = client === server;
  return {
    step: 'signature',
    summary: `The client ${mistakes.join(', and ')}.`,
    compared: [{ what: 'Base string', client: clip(client), server: clip(server) }],
    hints: isKey ? ['The base string is right. Only the key or the encoding of the signature is wrong.'] : [],
  };
}

/** Returns the choice without mistakes, for the accepted address that the client used. */
function rightOf({ origins: index }: Choice, { origins }: Parts): Choice {
  return { ...RIGHT, origins: origins[index]?.mistake === undefined ? index : 0 };
}

function notFound(shown: Parts, summary: string): Explanation {
  const server = clip(baseStringOf(shown, RIGHT));
  return {
    step: 'signature',
    summary,
    compared: [{ what: 'Base string', server }],
    hints: [COMPARE, OTHER_SECRET],
  };
}

function clip(text: string): string {
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
}
