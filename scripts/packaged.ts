/** In the package, replaces what builds the Worker, assets and client, which build-package.ts has built before. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const ASSETS = join(import.meta.dirname, 'assets');

export function buildAssets(): Promise<readonly string[]> {
  return Promise.resolve([]);
}

export function buildClient(): Promise<string> {
  return Promise.resolve(join(import.meta.dirname, 'client'));
}

export function buildClock(): Promise<string> {
  return readFile(join(import.meta.dirname, 'clock.js'), 'utf8');
}

export function buildWorker(entry = join(import.meta.dirname, 'worker.js')): Promise<string> {
  return readFile(entry, 'utf8');
}
