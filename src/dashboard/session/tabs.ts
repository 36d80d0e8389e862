/**
 * Tabs of one browser, for those who wish: what one has entered with, a new one enters with, too, as long as one is
 * open, and whoever leaves one leaves all. Nothing of it is stored.
 */
import { effect } from '@preact/signals';
import { requestKey } from '../../client/paths.ts';
import { credentials, enter, hasEntered, STORED, user, type User } from './credentials.ts';
import { leave } from './enter.ts';

type Told =
  | { readonly asks: string }
  | { readonly to: string; readonly given: typeof credentials.value }
  | { readonly renewed: User }
  | { readonly left: true };

const SHARED = `${STORED} tabs`;
const isShared = () => hasEntered.value && sessionStorage.getItem(SHARED) !== null;

const tabs = new BroadcastChannel(SHARED);
const tell = (told: Told) => tabs.postMessage(told);
const me = requestKey();

/** Whether whoever enters here wishes it. */
export function share(isWished: boolean): void {
  if (isWished) sessionStorage.setItem(SHARED, '');
  else sessionStorage.removeItem(SHARED);
}

/** Nobody but this page itself speaks there. */
tabs.onmessage = ({ data }: MessageEvent<Told>) => {
  if ('to' in data) {
    if (data.to !== me || hasEntered.value) return;
    share(true);
    enter(data.given);
  } else if (!isShared()) return;
  else if ('asks' in data) tell({ to: data.asks, given: given() });
  else if ('left' in data) void leave();
  else if (user.value?.id === data.renewed.id && user.value.refreshToken === undefined)
    enter({ ...credentials.value, user: { ...user.value, token: data.renewed.token } });
};

/** What another tab gets. The first refreshes the login, and deletes a key that was made. */
function given(): typeof credentials.value {
  const text = JSON.stringify(credentials.value, (name, value: unknown) =>
    name === 'madeKey' || name === 'refreshToken' ? undefined : value,
  );
  // As it was.
  return JSON.parse(text) as typeof credentials.value;
}

/** Enters as another tab has, if there is one. */
export function enterFromTabs(): void {
  effect(() => {
    if (isShared() && user.value?.refreshToken !== undefined) tell({ renewed: user.value });
  });
  if (!hasEntered.value) tell({ asks: me });
}

export async function leaveAll(): Promise<void> {
  if (isShared()) tell({ left: true });
  await leave();
}
