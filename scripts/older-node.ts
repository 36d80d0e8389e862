/** What Node has from 25 on, for those before it: modules of the Worker that commands share with it use these. */
export {};

const ofClass: Partial<Pick<typeof Uint8Array, 'fromBase64'>> = Uint8Array;
ofClass.fromBase64 ??= (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

const ofBytes: Partial<Pick<Uint8Array, 'toBase64'>> = Uint8Array.prototype;
ofBytes.toBase64 ??= function (this: Uint8Array, { alphabet = 'base64', omitPadding = false } = {}) {
  const padded = btoa(String.fromCharCode(...this));
  const text = omitPadding ? padded.replace(/=+$/, '') : padded;
  return alphabet === 'base64' ? text : text.replaceAll('+', '-').replaceAll('/', '_');
};
