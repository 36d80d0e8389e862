/** Who can see a document, and why: for a user, as a tree of keys, permissions, rules, rights and ways. */
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { entered, expectAccessible, goTo } from '../../support/dashboard.ts';
import { grant, makeGroup, makeUser, may } from '../../support/people.ts';
import { settle } from '../../support/type-settings.ts';

const browser = useBrowser();

test('a tree of keys tells by which permission, rule, right and way a user sees a document', async () => {
  const client = await Client.create('why');
  const ada = await makeUser(client, 'ada');
  await makeUser(client, 'ben');
  const team = await makeGroup(client, [ada]);
  const key = (name: string, permissions: readonly object[]) =>
    client.create('/api-keys/core.api-key', { attributes: { name, permissions } });
  const path = '/resources/messages/[0-9a-f]{24}';
  const acl = { active: true };
  await key('app', [
    may('get', '/resources/channels'),
    may('get', path, { acl, where: { hidden: { $ne: true } }, fields: { read: ['text'] } }),
  ]);
  await key('archive', [may('get', path, { where: { hidden: true } })]);
  await key('form', [may('post', path)]);
  await key('lists', [may('get', '/resources/messages', { acl })]);
  await settle(client, { name: 'messages', rights: { read: ['$channel'] } });
  const channel = await client.make('channels', { name: 'secrets' });
  await grant(client, `/resources/channels/${channel.id}`, { read: [team] });
  const to = { data: { type: channel.type, id: channel.id } };
  const { id } = await client.make('messages', { text: 'hello' }, { channel: to });

  const page = await entered(browser, client, `#/documents/messages/${id}?tab=rights`);
  const why = page.getByRole('region', { name: 'Who may, and why' });
  const choose = async (name: string) => {
    await why.getByRole('button', { name: /user/ }).click();
    await page.getByRole('dialog').getByRole('button', { name }).click();
    await why.getByText(name, { exact: true }).first().waitFor();
    await why.getByRole('list', { name: 'What each key says' }).waitFor();
  };
  /** What is said of a key, in one line. */
  const said = async (name: string) => {
    const branch = why.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
    return (await branch.first().innerText()).replace(/\s+/g, ' ');
  };

  await choose('ada');
  await why.getByRole('link', { name: 'secrets' }).waitFor();
  expect(await said('app')).toBe(
    `Admitted with app permission 1: the path does not match permission 2: ${path} ` +
      'rule { "hidden": { "$ne": true } }: met right read: ' +
      `$channel → read on secrets channels → ${team.id} core.user-group fields ["text"]`,
  );
  expect(await said('archive')).toBe(
    `Admitted, and then refused: 403 with archive permission 1: ${path} ` +
      'rule { "hidden": true }: not met rights do not count',
  );
  expect(await said('form')).toMatch(
    /^Refused: 403 with form The API key does not permit get on .*It permits post there. permission 1: another method$/,
  );
  await expectAccessible(page);

  await choose('ben');
  await why.getByText('nothing gives it').waitFor();
  expect(await said('app')).toMatch(
    /^Admitted, and then refused: 403 with app .*: met right read: nothing gives it/,
  );

  await why.getByLabel('Can').selectOption('delete');
  await why.getByText('does not permit delete').first().waitFor();
  expect(await said('app')).toMatch(/^Refused: 403 with app The API key does not permit delete/);

  // The page of a person says the same of what the person sees.
  await goTo(page, `#/users/core.user/${ada.link.id}`);
  const sees = page.getByRole('region', { name: 'What they see, and why' });
  const typed = sees.getByLabel('Documents');
  await typed.fill('messages');
  await sees.getByText('rights say which documents').waitFor();
  await typed.fill(`messages/${id}`);
  await sees.getByText('right read:').waitFor();
  await sees.getByRole('link', { name: 'secrets' }).waitFor();
  await expectAccessible(page);
});
