/** Exports and imports as the command does them, on files of a folder that ends with the process; tests share it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { exportApplication } from '../../scripts/transfer/export.ts';
import { importFile, type ImportOptions } from '../../scripts/transfer/import.ts';
import { Progress } from '../../scripts/transfer/progress.ts';
import { Service } from '../../scripts/transfer/service.ts';
import { toFile, type ExportRequest } from '../../scripts/transfer/targets.ts';

const folder = mkdtempSync(join(tmpdir(), 'foredge-command-'));
process.once('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});

let files = 0;

/** The path of a file that is not there yet. */
export const newFile = (name: string) => join(folder, `${(files += 1)}-${name}`);

/** The path of a new file with a content. */
export function fileOf(content: string | Uint8Array, name = 'file.ndjson'): string {
  const file = newFile(name);
  writeFileSync(file, content);
  return file;
}

export const service = new Service(inject('url'), inject('operatorSecret'));
export const progress = new Progress(process.stderr);

export const exportTo = async (file: string, application: string, type: string | null = null) =>
  exportAs(file, { application, type });

export const exportAs = async (file: string, request: ExportRequest, from = service) =>
  exportApplication(from, request, await toFile(file, from.base, request), progress);

/** The report of an import, and what it has told of lines. */
export async function importOf(file: string, options: Partial<ImportOptions>, to = service) {
  const told: string[] = [];
  const all = { into: null, type: null, checked: true, names: new Map<string, string>(), ...options, file };
  const report = await importFile(to, all, progress, (line, reason) => told.push(`${line}: ${reason}`));
  return { ...report, told };
}
