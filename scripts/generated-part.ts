/** Pages of docs/ of which a command writes one part: what stands between its markers. The rest is written by hand. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import options from '../.oxfmtrc.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '..');

/** A page with a part that a command makes between its markers, formatted; `path` begins at the root of the project. */
export async function pageWith(path: string, command: string, part: string): Promise<string> {
  const opening = `<!-- Made by ${command}. -->`;
  const text = readFileSync(join(ROOT, path), 'utf8');
  const begin = text.indexOf(opening);
  const end = text.indexOf('<!-- End. -->', begin);
  if (begin === -1 || end === -1) throw new Error(`${path} has lost its markers.`);
  return formatted(path, `${text.slice(0, begin)}${opening}\n\n${part}\n\n${text.slice(end)}`);
}

export async function writePart(path: string, command: string, part: string): Promise<void> {
  writeFileSync(join(ROOT, path), await pageWith(path, command, part));
}

/** A text in the form that `npm run format` asks for. The path says which language it is. */
export async function formatted(path: string, text: string): Promise<string> {
  const { code, errors } = await format(path, text, options);
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join(' ')}`);
  return code;
}
