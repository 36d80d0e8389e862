/**
 * What the commands of this folder take from the environment: read here and nowhere else, and refused in a line where
 * it is wrong. An empty variable is as none. The settings of the Worker are in src/domain/environment/settings.ts.
 */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { readSettings, settingTexts } from '../src/domain/environment/settings.ts';
import { Failure } from './failure.ts';

type Name =
  | 'HOST'
  | 'PORT'
  | 'DATA_DIR'
  | 'BACKUP_DIR'
  | 'STOP_SECONDS'
  | 'FOREDGE_DEV'
  | 'FOREDGE_URL'
  | 'CREDENTIAL_SECRETS'
  | 'OPERATOR_SECRET';

/** What `npm start` needs to know. */
export interface ServerSettings {
  /** The address of this machine to serve on: `0.0.0.0` and `::` are all of them. */
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** Milliseconds that stopping may take. */
  readonly grace: number;
  /** Whether it is for development: `foredge dev` says so. */
  readonly isDev: boolean;
  /** Settings of the Worker by their names; all of them are sound. */
  readonly worker: Readonly<Record<string, string>>;
}

export function serverSettings(): ServerSettings {
  const host = textOf('HOST') ?? '127.0.0.1';
  if (!isOwn(host)) throw new Failure(`HOST must be an IP address of this machine, not ${host}.`);
  const port = wholeNumber('PORT', 8787, 65_535);
  const grace = wholeNumber('STOP_SECONDS', 10, 3_600) * 1000;
  try {
    readSettings(process.env);
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error), { cause: error });
  }
  return { host, port, grace, isDev: textOf('FOREDGE_DEV') === 'yes', worker: settingTexts(process.env) };
}

/** Whether a server of this machine may listen there: at one address, or at all of them. */
function isOwn(host: string): boolean {
  if (['0.0.0.0', '::'].includes(host)) return true;
  if (host.startsWith('127.')) return isIP(host) === 4;
  return Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === host));
}

/** The folder of data, whole. */
export function dataFolder(): string {
  return resolve(textOf('DATA_DIR') ?? '.foredge');
}

/** The folder of the bucket for backups, whole; null for none. */
export function backupFolder(): string | null {
  const text = textOf('BACKUP_DIR');
  return text === undefined ? null : resolve(text);
}

/** The service that a command is for; null for the one on the data folder. */
export function serviceUrl(): string | null {
  const text = textOf('FOREDGE_URL');
  if (text === undefined) return null;
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new Failure(`FOREDGE_URL must be an http or https address, not ${text}.`);
}

/** The API key for a target of a project: `FOREDGE_KEY_STAGING` for staging, else `FOREDGE_KEY`. */
export function keyOfTarget(target: string): string {
  const own = `FOREDGE_KEY_${target.toUpperCase().replaceAll(/\W/g, '_')}`;
  const key = process.env[own] ?? process.env['FOREDGE_KEY'] ?? '';
  if (key !== '') return key;
  throw new Failure(`Set ${own} (or FOREDGE_KEY) to an API key of the target ${target}.`);
}

export function secretOf(name: 'CREDENTIAL_SECRETS' | 'OPERATOR_SECRET'): string | undefined {
  return textOf(name);
}

/** A number from 0 to `most`. */
function wholeNumber(name: Name, otherwise: number, most: number): number {
  const text = textOf(name) ?? String(otherwise);
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw new Failure(`${name} must be a number from 0 to ${most}, not ${text}.`);
}

function textOf(name: Name): string | undefined {
  return process.env[name] || undefined;
}
