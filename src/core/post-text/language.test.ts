import { eld } from 'eld/extrasmall';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadLanguageDetector } from './language.js';
import { loadNgramModel } from './ngram-model.js';

const detector = await loadLanguageDetector();

const sentences: Record<string, string> = {
  am: 'እንደምን አደሩ',
  ar: 'صباح الخير، كيف حالك اليوم؟',
  bg: 'Добро утро на всички, времето днес е много хубаво',
  bn: 'আজ আবহাওয়া খুব ভালো',
  cs: 'Dobré ráno všem, dnes je opravdu krásné počasí',
  da: 'Godmorgen alle sammen, vejret er rigtig dejligt i dag',
  de: 'Guten Morgen zusammen, das Wetter ist heute wirklich schön',
  el: 'Καλημέρα σε όλους',
  en: 'Good morning everyone, the weather is really lovely today',
  es: 'Buenos días a todos, hoy hace un tiempo muy bonito',
  fa: 'صبح بخیر، امروز هوا خیلی خوب است',
  fi: 'Hyvää huomenta kaikille, tänään on todella kaunis sää',
  fr: 'Bonjour à tous, il fait vraiment beau aujourd’hui',
  hi: 'आज मौसम बहुत अच्छा है',
  hu: 'Jó reggelt mindenkinek, ma nagyon szép idő van',
  in: 'Selamat pagi semuanya, cuaca hari ini sangat bagus',
  it: 'Buongiorno a tutti, oggi il tempo è davvero bello',
  iw: 'בוקר טוב לכולם',
  ja: '今日はとてもいい天気ですね',
  ka: 'დილა მშვიდობისა',
  ko: '오늘 날씨가 정말 좋네요',
  nl: 'Goedemorgen allemaal, het weer is vandaag echt mooi',
  pl: 'Dzień dobry wszystkim, dziś jest naprawdę piękna pogoda',
  pt: 'Bom dia a todos, o tempo hoje está muito bonito',
  ro: 'Bună dimineața tuturor, vremea este foarte frumoasă astăzi',
  ru: 'Доброе утро всем, сегодня очень хорошая погода',
  sr: 'Добро јутро свима, време је данас веома лепо',
  sv: 'God morgon alla, vädret är verkligen fint idag',
  th: 'วันนี้อากาศดีมาก',
  tl: 'Magandang umaga sa inyong lahat, ang ganda ng panahon ngayon',
  tr: 'Herkese günaydın, bugün hava gerçekten çok güzel',
  uk: 'Доброго ранку всім, сьогодні дуже гарна погода',
  ur: 'صبح بخیر، آج موسم بہت اچھا ہے',
  vi: 'Chào buổi sáng mọi người, hôm nay thời tiết rất đẹp',
  'zh-CN': '今天天气很好，你们觉得呢',
  'zh-TW': '今天天氣很好，你們覺得呢',
};

describe('languages', () => {
  test.each(Object.entries(sentences))('%s is detected', (language, text) => {
    expect(detector.detect(text)).toBe(language);
  });

  test.each([
    ['hello', 'en'],
    ['hola', 'es'],
    ['merci', 'fr'],
    ['danke', 'de'],
  ])('the single word %j is %s', (text, language) => expect(detector.detect(text)).toBe(language));

  test.each([
    '',
    '123 !?',
    '😀🎉',
    'https://example.com/good/morning',
    '@good @morning #weather $DAY',
    'zzz',
  ])('the language of %j is undetermined', (text) => expect(detector.detect(text)).toBe('und'));

  test('links, mentions and hashtags do not decide', () => {
    expect(
      detector.detect('😀 @good_morning #everyone https://example.com/the/weather Buenos días a todos'),
    ).toBe('es');
  });

  test('a foreign name in a sentence does not decide', () => {
    expect(detector.detect('The new album by 방탄 is out now, go and listen to it')).toBe('en');
  });

  test('letters in mathematical forms are read as letters', () => {
    expect(detector.detect('𝗚𝗼𝗼𝗱 𝗺𝗼𝗿𝗻𝗶𝗻𝗴 𝗲𝘃𝗲𝗿𝘆𝗼𝗻𝗲')).toBe('en');
  });
});

test('any text has a language tag', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(detector.detect(text)).toMatch(/^[a-z]{2,3}(?:-[A-Z]{2})?$/);
    }),
  );
});

describe('the n-gram model', () => {
  test('it scores like the package that provides its data', async () => {
    const model = await loadNgramModel(Object.values(eld.info().Languages));
    for (const text of Object.values(sentences)) {
      const best = [...model.score(text)].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [
        '',
        0,
      ] as [string, number]);
      expect(best[0], text).toBe(eld.detect(text).language);
    }
  });

  test('data in another format are refused', async () => {
    await expect(loadNgramModel(['xx'])).rejects.toThrow('not in the expected form');
  });
});
