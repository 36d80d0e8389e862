/** An application that lets people in by itself: its settings of accounts, people who have signed up and confirmed. */
import { expect } from 'vitest';
import { mailsTo, redeem, setAccounts, signUp } from './accounts.ts';
import type { Client } from './client.ts';

export const PASSWORD = 'a long difference';
export const RETURN = 'https://shop.example/account';

let last = 0;
export const newName = (): string => `somebody${(last += 1)}`;

/** Opens the accounts of an application; whoever signs up is in the group that it gives. */
export async function openShop(client: Client): Promise<string> {
  const made = await client.create('/users/core.user-group');
  const group = made.body.data.id;
  const settings = {
    name: 'The <Shop>',
    'sign-up': 'open',
    'log-in-by-mail': true,
    'erase-by-mail': true,
    'return-to': [RETURN],
    fields: ['name'],
  };
  await setAccounts(client, settings, [group]);
  return group;
}

/** Somebody who has signed up and confirmed. */
export async function confirmedUser({ client, web }: Readonly<Record<'client' | 'web', Client>>) {
  const username = newName();
  const email = `${username}@shop.example`;
  const made = await signUp(web, { username, password: PASSWORD, email });
  expect([made.status, made.body.data.type]).toEqual([201, 'core.user']);
  const [mail] = await mailsTo(client, email, 1);
  expect((await redeem(web, mail?.action ?? '', { code: mail?.code })).status).toBe(204);
  return { username, email, id: made.body.data.id };
}
