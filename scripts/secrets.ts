/**
 * The secrets of a server on this machine: from the environment, else from the data folder, which gets them at its
 * first start. Secrets that are lost or unusable end the start: new ones would make every key of the data worthless.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isOperatorSecret, parseCredentialSecrets } from '../src/domain/environment/credential-secrets.ts';
import { filesOf, readStrings, writePrivate } from './data-folder.ts';
import { Failure } from './failure.ts';
import { secretOf } from './settings.ts';

const NAMES = ['CREDENTIAL_SECRETS', 'OPERATOR_SECRET'] as const;

export type Secrets = Readonly<Record<(typeof NAMES)[number], string>>;

/** The secrets to start with on a locked folder. */
export function readSecrets(folder: string): Secrets {
  const { secrets: file } = filesOf(folder);
  const given = givenSecrets();
  const missing = NAMES.filter((name) => given[name] === undefined);
  const stored = missing.length === 0 ? {} : (readStrings(file, missing) ?? make(folder, missing));
  checkAll(stored, file);
  const { CREDENTIAL_SECRETS, OPERATOR_SECRET } = { ...stored, ...given };
  if (CREDENTIAL_SECRETS === undefined || OPERATOR_SECRET === undefined)
    throw new Error('A secret is missing.');
  return { CREDENTIAL_SECRETS, OPERATOR_SECRET };
}

/** Those that the environment gives; a start refuses unusable ones before it touches anything. */
export function givenSecrets(): Partial<Secrets> {
  const given = Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = secretOf(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  checkAll(given, 'the environment');
  return given;
}

/** What a client of the operator's endpoints needs; null where the folder has none. */
export function readOperatorSecret(folder: string): string | null {
  const given = secretOf('OPERATOR_SECRET');
  if (given !== undefined) return given;
  return readStrings(filesOf(folder).secrets, ['OPERATOR_SECRET'])?.OPERATOR_SECRET ?? null;
}

export function newSecrets(): Secrets {
  const random = () => randomBytes(32).toString('base64url');
  return { CREDENTIAL_SECRETS: `1:${random()}`, OPERATOR_SECRET: random() };
}

function make(folder: string, missing: readonly (keyof Secrets)[]): Partial<Secrets> {
  const { documents, secrets } = filesOf(folder);
  if (existsSync(documents)) {
    throw new Failure(
      `${secrets} is missing, though ${documents} holds data, whose keys work only with these secrets. ` +
        `Put the file back from a copy, or set ${missing.join(' and ')}.`,
    );
  }
  const made = newSecrets();
  const wanted = Object.fromEntries(missing.map((name) => [name, made[name]]));
  writePrivate(secrets, wanted);
  return wanted;
}

function checkAll({ CREDENTIAL_SECRETS, OPERATOR_SECRET }: Partial<Secrets>, source: string): void {
  try {
    if (CREDENTIAL_SECRETS !== undefined) parseCredentialSecrets(CREDENTIAL_SECRETS);
  } catch (error) {
    const rule = error instanceof Error ? error.message : String(error);
    throw new Failure(`${rule} That of ${source} is not.`, { cause: error });
  }
  if (OPERATOR_SECRET !== undefined && !isOperatorSecret(OPERATOR_SECRET)) {
    throw new Failure(`OPERATOR_SECRET must have at least 32 characters. That of ${source} has not.`);
  }
}
