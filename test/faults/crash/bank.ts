/** Accounts of different types, transfers between them, and the ledger of these: whatever happens, the sums agree. */
import type { Client, Link, Resource } from '../../support/client.ts';
import { add, operate } from '../../support/operations.ts';
import { settle } from '../../support/type-settings.ts';
import type { Random } from '../random.ts';
import { answered } from './answered.ts';

/** Types whose names lie around that of the ledger; ids are the clients' choice. */
export const LEDGER = 'bank-ledger';
export const ACCOUNTS: readonly Link[] = [
  { type: 'bank-a', id: 'a'.repeat(24) },
  { type: 'bank-z', id: 'b'.repeat(24) },
];

export async function openAccounts(client: Client): Promise<void> {
  for (const { type, id } of ACCOUNTS) {
    await settle(client, { name: type, 'client-ids': true });
    await client.create(`/resources/${type}`, { id, attributes: { balance: 0 } });
  }
}

/** Moves money from an account to another, and notes that: three types, all or nothing. */
export async function transfer(client: Client, random: Random): Promise<void> {
  const [from, to] = random.below(2) === 0 ? ACCOUNTS : ACCOUNTS.toReversed();
  if (from === undefined || to === undefined) return;
  const amount = 1 + random.below(9);
  const moves = ({ type, id }: Link, by: number) => ({
    op: 'update',
    data: { type, id, meta: { update: { $inc: { balance: by } } } },
  });
  const entry = add(LEDGER, { from: from.type, amount });
  answered(await operate(client, [moves(from, -amount), moves(to, amount), entry]), 200);
}

/** The number of entries in the ledger, and the accounts that do not hold what it says. */
export async function auditAccounts(client: Client) {
  const { documents: entries } = await listAll(client, LEDGER);
  const faults: string[] = [];
  for (const { type, id } of ACCOUNTS) {
    const moved = entries.map(({ attributes }) => {
      const amount = Number(attributes?.['amount']);
      return attributes?.['from'] === type ? -amount : amount;
    });
    const expected = moved.reduce((sum, amount) => sum + amount, 0);
    const { body } = await client.get(`/resources/${type}/${id}`);
    const balance = body.data.attributes?.['balance'];
    if (balance !== expected) faults.push(`${type} holds ${String(balance)}, its ledger says ${expected}`);
  }
  return { entries: entries.length, faults };
}

/** Every document, by pages that a cursor joins. */
export async function listAll(
  client: Client,
  type: string,
): Promise<{ readonly documents: readonly Resource[]; readonly total: number }> {
  const documents: Resource[] = [];
  let total = 0;
  for (let next: string | null = `/resources/${type}?page[size]=1000&page[after]=`; next !== null;) {
    const { status, text, body } = await client.get(next);
    if (status !== 200) throw new Error(text);
    documents.push(...body.data);
    total = body.meta.count;
    next = body.links.next;
  }
  return { documents, total };
}
