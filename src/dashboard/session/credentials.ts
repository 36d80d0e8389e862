/**
 * Who uses the dashboard. Credentials are kept in the session storage of the tab: a reload keeps them, closing the tab
 * forgets them, and no address ever has one.
 */
import { computed, signal } from '@preact/signals';
import { parsed } from '../parts/fields/json.ts';

/** The type of applications, which the operator asks for. */
export const APPLICATION = 'core.application';

/** An application, and the key that the dashboard uses for it. */
export interface Application {
  readonly id: string;
  readonly key: string;
  /** Undefined where only a key was given: a key cannot ask for the name. */
  readonly name?: string;
  /** The key's own id, where the dashboard has made the key for the operator: it is deleted on leaving. */
  readonly madeKey?: string;
  /** The lists that the key, perhaps as the user, may read; undefined where that is not known. */
  readonly lists?: readonly string[] | undefined;
}

export interface User {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly token: string;
  /** Gets the next token, where logins are refreshed. */
  readonly refreshToken?: string | null;
}

interface Credentials {
  /** The operator's secret. */
  readonly secret?: string;
  readonly application?: Application;
  /** Whoever looks through the key as a user: what they may not see is not shown. */
  readonly user?: User;
}

/** With what the names of all begin that the tab keeps: whoever leaves leaves nothing. */
export const STORED = 'foredge';
/** With what the names of kept drafts begin. */
export const DRAFTS = `${STORED} draft`;

export const credentials = signal<Credentials>(restored());
/** The credentials with which somebody has entered: a login that was refreshed since is the same entrance. */
export const entrance = signal(credentials.value);

export const isOperator = computed(() => credentials.value.secret !== undefined);
export const application = computed(() => credentials.value.application);
export const user = computed(() => credentials.value.user);
/** Whether these credentials may read a list, as far as that is known. */
export function mayList(path: string): boolean {
  return application.value?.lists?.includes(path) ?? true;
}
/** Whose credentials were refused since somebody has entered; null where none were. */
export const hasEnded = signal<'application' | 'operator' | null>(null);
/** Whether they are asked for in a dialog. What is only read does not interrupt whoever writes. */
export const isAsked = signal(false);
/** Whether anybody has entered. */
export const hasEntered = computed(() => isOperator.value || application.value !== undefined);

export function enter(next: Credentials): void {
  hasEnded.value = null;
  isAsked.value = false;
  renew(next);
  entrance.value = next;
}

/** What has changed of the credentials since somebody has entered. */
export function renew(next: Credentials): void {
  sessionStorage.setItem(STORED, JSON.stringify(next));
  credentials.value = next;
}

/** Forgets everything. Keys that the dashboard has made are the caller's to delete first. */
export function forget(): void {
  enter({});
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(STORED)) sessionStorage.removeItem(name);
}

/** What this page itself has stored: nobody else writes there. */
function restored(): Credentials {
  return (parsed(sessionStorage.getItem(STORED) ?? '') ?? {}) as Credentials;
}
