/**
 * Scripts that do not separate words with spaces, or whose words take endings that search would need to know
 * (Hangul), as a class body for the `u` flag: Han, kana with their marks, Bopomofo, Hangul, Thai, Lao, Myanmar,
 * Khmer.
 */
export const UNSPACED =
  '\\u3005-\\u3007\\u3021-\\u3029\\u3031-\\u3035\\u303B\\u303C\\u3041-\\u3096\\u3099\\u309A\\u309D-\\u309F\\u30A1-\\u30FA' +
  '\\u30FC-\\u30FF\\u31F0-\\u31FF\\uFF66-\\uFF9F\\u3105-\\u312F\\u31A0-\\u31BF\\u3400-\\u4DBF\\u4E00-\\u9FFF\\uF900-\\uFAFF' +
  '\\u{1AFF0}-\\u{1B16F}\\u{20000}-\\u{323AF}\\u1100-\\u11FF\\u3131-\\u318E\\uA960-\\uA97C\\uAC00-\\uD7A3\\uD7B0-\\uD7FB\\uFFA0-\\uFFDC' +
  '\\u0E01-\\u0E3A\\u0E40-\\u0E4E\\u0E50-\\u0E59\\u0E81-\\u0EDF\\u1000-\\u1049\\u1050-\\u109D\\u1780-\\u17D3\\u17D7\\u17DC-\\u17E9\\uA9E0-\\uA9FE\\uAA60-\\uAA7F';
