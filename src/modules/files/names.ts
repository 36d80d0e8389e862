/** Names of files, and their media types: what is taken of what clients say, and how it is said again. */
import { create, parse } from 'content-disposition';
import { LIMITS } from '../../domain/limits.ts';

/** Of a file that nobody has named. */
export const UNNAMED = 'file';

/** Controls, and what turns the direction of writing or is not seen at all. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The last part of a path, without what is not seen: a name that means the same everywhere. */
export function cleanName(text: string): string {
  const [last = ''] = text.toWellFormed().replace(UNSEEN, '').split(/[/\\]/).slice(-1);
  const name = last.normalize('NFC').trim();
  const short = Array.from(name).slice(0, LIMITS.fileName).join('');
  return /^\.*$/.test(short) ? UNNAMED : short;
}

/** The name that a `Content-Disposition` says; null for none. Headers carry bytes, which may be those of UTF-8. */
export function nameIn(disposition: string | null, multipart = false): string | null {
  const said = parse(disposition ?? '', { multipart }).parameters['filename'];
  return said === undefined ? null : cleanName(said);
}

/** The name of a part of a form, as its `Content-Disposition` says it. */
export function partNameIn(disposition = ''): string | undefined {
  return parse(disposition).parameters['name'];
}

/** Pictures that browsers show: their first bytes always tell. */
export const PICTURES: ReadonlySet<string | undefined> = new Set([
  'image/avif',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
]);

/** Media types that no browser runs anything of, and shows by itself. */
const SHOWN: ReadonlySet<string | undefined> = new Set([
  ...PICTURES,
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'text/plain',
  'video/mp4',
  'video/ogg',
  'video/webm',
]);

/** What a browser is to do with a content, and its name if that may be told. */
export function dispositionOf(name: string | undefined, mediaType: string, download: boolean): string {
  const [essence = ''] = mediaType.split(';');
  return create(name, { type: SHOWN.has(essence) && !download ? 'inline' : 'attachment' });
}

/** The media type of a content in answers: a page takes no text as a script (`nosniff`), whoever wrote the page. */
export function answeredAs(mediaType: string): string {
  return /(java|ecma|j|live)script/.test(mediaType) ? 'text/plain' : mediaType;
}

/** A media type with parameters whose values need no quotes. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(;[\w!#$&^.+-]+=[\w!#$&^.+:/-]+)*$/;

/** A media type as it is stored; undefined for a text that is none. */
export function readMediaType(text: string): string | undefined {
  const [essence = '', ...parameters] = text.split(';').map((part) => part.trim());
  const type = [essence.toLowerCase(), ...parameters.map((each) => each.replaceAll('"', ''))].join(';');
  return type.length <= LIMITS.mediaType && MEDIA_TYPE.test(type) ? type : undefined;
}
