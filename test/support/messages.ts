/** Short messages as people type them, in a dozen scripts and with all kinds of emoji; a naive reading of words. */
export const MESSAGES: readonly string[] = [
  'I ❤️ the sea',
  'I ❤ the sea',
  'call me ☎️ now',
  'call me now',
  '✔️ done',
  '☑️milk ☑️eggs ✖️bread',
  '☎️',
  '1️⃣ flour 2️⃣ eggs 🔟 minutes',
  'room 1️⃣2️⃣',
  '#️⃣hashtag *️⃣star',
  '🇫🇷 Paris → 🇬🇧 London 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '👩‍💻 at work👨‍👩‍👧‍👦at home',
  '👍🏽 ok 👋🏿bye 🤷🏻‍♀️',
  '🏳️‍🌈 pride ❤️‍🔥love',
  'so\u{AD}called co\u{AD}op\u{AD}er\u{AD}ation',
  'Foredge™️ ©️2024 ℹ️nfo Ⓜ️etro',
  'snake_case and _private, x⃗ and y⃝',
  'Das Café ist schön ☀️ Grüße',
  'Çok güzel! İstanbul’da ☕️',
  'Příliš žluťoučký kůň',
  'Hẹn gặp lại nhé ✈️',
  'Привет! ❤️ Как дела? Ёжик й',
  'До зустрічі ☀️ їжак',
  'Καλημέρα ☀️ Σίσυφος ΣΊΣΥΦΟΣ',
  'مرحبا ❤️ كيف حالك؟',
  'می\u200Cخواهم بروم ✈️',
  'السَّلامُ عليكم ١٢٣',
  'שָׁלוֹם ❤️ מה שלומך',
  '\u200Fשלום\u200F, world\u200E',
  'नमस्ते ❤️ कैसे हो',
  'क्\u200Dष और क्ष १२',
  'আমি ভালো আছি 😊',
  'வணக்கம் ❤️ எப்படி',
  'สวัสดีครับ ❤️ ขอบคุณ',
  'ที่นี่ 🙏🏼 ทีนี',
  '我爱你❤️你呢',
  '明天见👋🏻 10点',
  'ありがとう❤️またね',
  'ｶﾞﾝﾊﾞﾚ ガンバレ 葛󠄀城',
  '사랑해❤️ 내일 봐요ㅋㅋ',
  'გამარჯობა ❤️ როგორ ხარ',
  'Բարեւ ☀️ ինչպես ես',
  'ሰላም ❤️ እንዴት ነህ',
  'សួស្តី\u{200B}❤️ អ្នក',
  'e\u0301te\u0301 ÉTÉ été',
  'STRASSE straße Straße️',
  '… — !?',
  '\uFE0F \u200D \u20E3 \uFEFF',
];

/**
 * The words of a text, read character by character: letters, digits and `_` make words, marks belong to the word that
 * they follow, and what is ignored by default is not there.
 */
export function naiveWords(text: string): readonly string[] {
  const words: string[] = [];
  let word = '';
  for (const character of `${text}.`) {
    if (/\p{Default_Ignorable_Code_Point}/u.test(character)) continue;
    if (/[\p{L}\p{N}_]/u.test(character) || (word !== '' && /\p{M}/u.test(character))) word += character;
    else {
      if (word !== '') words.push(word);
      word = '';
    }
  }
  return words.map(naiveFold);
}

function naiveFold(word: string): string {
  const kept = (character: string) =>
    !/\p{M}/u.test(character) || !/\p{Diacritic}|\p{Me}|[\u{20D0}-\u{20FF}]/u.test(character);
  const without = (text: string) => Array.from(text.normalize('NFKD')).filter(kept).join('');
  return without(without(word).toUpperCase().toLowerCase().replaceAll('ς', 'σ'));
}
