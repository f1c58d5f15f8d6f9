import { HIDDEN } from '../core/secret-parameters.js';
import { hideInUrl, isSecretMember, type Shown } from './hide.js';

/** JSON inside strings of JSON is read this deep. */
const MAX_TEXT_DEPTH = 3;

/** A string, which may be cut at the end; a separator; or anything else. */
const TOKEN = /"(?:[^"\\]|\\[^])*(?:"|\\?$)|[{}[\]:,]|[^"{}[\]:,]+/g;

interface Container {
  readonly isObject: boolean;
  readonly isSecret: boolean;
}

/**
 * Hides secrets in a JSON text: everything in members whose names say that they are secret, and secrets in URLs. The
 * text may be cut, and names and values may lack their quotation marks.
 */
export function hideInJson(json: string, shown: Shown): string {
  return hideIn(json, shown, 0);
}

function hideIn(json: string, shown: Shown, depth: number): string {
  const open: Container[] = [];
  let isName = false;
  let isSecret = false;
  let isCode = false;
  const close = (): void => {
    open.pop();
    isName = false;
    isSecret = open.at(-1)?.isSecret ?? false;
  };
  return json.replace(TOKEN, (token) => {
    switch (token) {
      case '{':
      case '[':
        open.push({ isObject: token === '{', isSecret });
        isName = token === '{';
        return token;
      case '}':
      case ']':
        close();
        return token;
      case ',':
        isName = open.at(-1)?.isObject ?? false;
        isSecret = open.at(-1)?.isSecret ?? false;
        return token;
      case ':':
        isName = false;
        return token;
    }
    if (token.trim() === '') return token;
    if (isName) {
      const name = textOf(token);
      isSecret = (open.at(-1)?.isSecret ?? false) || isSecretMember(name);
      isCode = name === 'code';
      return token;
    }
    // The codes of errors are numbers; those of authorization are texts.
    const isErrorCode = isCode && !token.startsWith('"');
    return isSecret && !isErrorCode ? hideValue(token) : hideInValue(token, shown, depth);
  });
}

/** Hides a value; words such as `true` and `null` are none. */
function hideValue(token: string): string {
  if (/^\s*(?:true|false|null)\s*$/.test(token)) return token;
  return token.startsWith('"') ? `"${HIDDEN}"` : token.replace(/\S+/, `"${HIDDEN}"`);
}

/** Hides secrets in a text that is a URL or JSON itself. */
function hideInValue(token: string, shown: Shown, depth: number): string {
  if (!/^"(?:https?:|\s*[[{])/i.test(token)) return token;
  const text = textOf(token);
  const isJson = !/^https?:/i.test(text);
  if (isJson && depth >= MAX_TEXT_DEPTH) return `"${HIDDEN}"`;
  const hidden = isJson ? hideIn(text, shown, depth + 1) : hideInUrl(text, shown);
  return hidden === text ? token : JSON.stringify(hidden);
}

/** Returns the text of a string as far as it is valid, also of one that is cut. */
function textOf(token: string): string {
  const inner = token.trim().replace(/^["']/, '').replace(/["']$/, '');
  if (!inner.includes('\\')) return inner;
  try {
    return JSON.parse(`"${inner.replace(/\\(?:u[\da-f]{0,3})?$/i, '')}"`) as string;
  } catch {
    return inner;
  }
}
