/**
 * Hints for the language of a short text, where byte frequencies say little: frequent words and letters that few
 * related languages share. Codes are those of the n-gram model.
 */

const FREQUENT_WORDS: Readonly<Record<string, string>> = {
  ca: 'amb els dels però això és bon dia gràcies molt aquest què adéu perquè una',
  cs: 'jsem není ahoj děkuji dobrý den je že jak proč také ano ale nebo dnes',
  da: 'jeg ikke og det er tak godmorgen hej hvad også meget af på min dig',
  de: 'ich nicht und das ist der die danke hallo guten tag morgen was auch sehr ein eine wie mit',
  en: 'the and is it of to you hi hello hey thanks lol ok cat cats dog this that what my we are was for with good morning news',
  es: 'el los las que y es hola gracias qué por para con una muy está buenos días también pero más',
  et: 'ma ei ja on tere aitäh see mis kui aga väga hommikust head olen',
  eu: 'eta da kaixo eskerrik asko egun on bat ez zer oso naiz dira',
  fi: 'minä ei ja on hei moi kiitos hyvää huomenta mitä se kun mutta olen tämä',
  fr: 'le les des et est je ne pas bonjour merci salut bonne nuit que avec pour très une aime dans',
  hr: 'sam nije hvala dobar dan što je ali kako bok danas dobro jutro ću',
  hu: 'és nem egy az hogy köszönöm szia jó reggelt napot van mit nagyon de',
  is: 'ég ekki og það er takk halló góðan daginn hvað líka mjög að við',
  it: 'il gli che di è non ciao grazie buongiorno sono per con una molto questo come anche tutti',
  lt: 'aš ne ir yra labas ačiū laba diena kas kaip bet labai rytas tai',
  lv: 'es nav un ir sveiki paldies labdien kas kā bet ļoti labrīt tas',
  ms: 'saya aku tidak dan yang ini itu terima kasih selamat pagi malam apa kabar ada dengan untuk tapi bisa semua',
  nl: 'ik niet en het een is van dank je hallo goedemorgen wat ook zeer maar met voor dit',
  no: 'jeg ikke og det er takk god morgen hei hva også veldig av på meg deg',
  pl: 'nie się jest i w na dzień dobry cześć dziękuję że co jak ale bardzo to',
  pt: 'o os não que e é olá obrigado obrigada bom dia você com para uma muito também mas está',
  ro: 'nu și este bună ziua mulțumesc salut ce dar foarte pentru sunt cu în',
  sk: 'som nie ahoj ďakujem dobrý deň je že ako prečo tiež áno ale alebo dnes',
  sl: 'sem ni hvala dober dan kaj je kako ampak zelo danes živjo jutro',
  sv: 'jag inte och det är tack hej alla god morgon vad också mycket på med dig',
  tl: 'ako hindi ang ng mga sa na salamat po kumusta magandang umaga ito ano lang ko mo',
  tr: 've bir bu değil ne merhaba teşekkürler günaydın için çok nasılsın ama var mı iyi',
  vi: 'tôi không và là của cảm ơn xin chào bạn này một rất với có được',
  bg: 'аз не и е съм благодаря здравей здравейте добро утро какво но много да за със',
  ru: 'я не и в на что это как привет спасибо всем доброе утро очень но с вы он',
  sr: 'ја није и је сам хвала здраво добро јутро шта али врло да ће са',
  uk: 'я не і в на що це як привіт дякую всім доброго ранку дуже але з ви та є',
  ar: 'في من على إلى هذا لا ما شكرا مرحبا السلام عليكم صباح الخير هل أنا مع',
  fa: 'در از به که این است را ممنون سلام صبح بخیر چه من با چطوری خیلی و نیست',
  ku: 'لە بە کە ئەم نییە سوپاس سڵاو چۆنی من زۆر و بۆ',
  ur: 'میں سے کو کہ یہ ہے کی کا شکریہ سلام صبح بخیر کیا اور نہیں آپ ہیں',
  hi: 'मैं है हैं नहीं और का की के को से यह क्या धन्यवाद नमस्ते आप हूँ में',
  mr: 'मी आहे नाही आणि चा ची चे ला हे काय धन्यवाद नमस्कार तुम्ही आहेत जातो',
};

/** Letters that related languages do not use. */
const DISTINCTIVE_LETTERS: Readonly<Record<string, string>> = {
  fa: 'پچژگ',
  ku: 'ڕڵۆێە',
  ru: 'ыэё',
  sr: 'ђјљњћџ',
  uk: 'іїєґ',
  ur: 'ٹڈڑےںہھ',
  mr: 'ळ',
};

/** Languages so common that a doubtful text is more likely in one of them. */
const COMMON = ['ar', 'de', 'es', 'fa', 'fr', 'hi', 'it', 'ms', 'pt', 'ru', 'tl', 'tr'];

/** In units of the n-gram model, in which one n-gram scores 60 to 200. */
const WORD_SCORE = 150;
const LETTER_SCORE = 150;
const COMMON_SCORE = 30;
const ENGLISH_SCORE = 60;

const LANGUAGES_OF_WORD = invert(FREQUENT_WORDS, ' ');
const LANGUAGES_OF_LETTER = invert(DISTINCTIVE_LETTERS, '');
const DISTINCTIVE_LETTER = new RegExp(`[${Object.values(DISTINCTIVE_LETTERS).join('')}]`, 'g');

/** Scores languages by the words and letters of a text; languages without any hint are left out. */
export function hintScores(text: string): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  const add = (languages: readonly string[] | undefined, score: number): void => {
    for (const language of languages ?? []) scores.set(language, (scores.get(language) ?? 0) + score);
  };
  const lowerCase = text.toLowerCase();
  for (const word of new Set(lowerCase.split(/[^\p{L}\p{M}]+/u)))
    add(LANGUAGES_OF_WORD.get(word), WORD_SCORE);
  for (const letter of new Set(lowerCase.match(DISTINCTIVE_LETTER)))
    add(LANGUAGES_OF_LETTER.get(letter), LETTER_SCORE);
  return scores;
}

/** Returns the score that a language gets for being common. */
export function priorScore(language: string): number {
  if (language === 'en') return ENGLISH_SCORE;
  return COMMON.includes(language) ? COMMON_SCORE : 0;
}

function invert(
  lists: Readonly<Record<string, string>>,
  separator: string,
): ReadonlyMap<string, readonly string[]> {
  const languagesOf = new Map<string, string[]>();
  for (const [language, list] of Object.entries(lists)) {
    for (const item of list.split(separator))
      languagesOf.set(item, [...(languagesOf.get(item) ?? []), language]);
  }
  return languagesOf;
}
