/**
 * The `js` blocks of the README and of the guides, as printed, in a real browser: all of a page in sequence, after what
 * the page takes for granted. Those of docs/client.md run in an empty project (../client/package.test.ts).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { pasteGuide } from '../support/guides.ts';
import { serveSite } from '../support/site.ts';
import { ROOT } from '../support/started.ts';
import { ACL, EVERY_METHOD, may } from '../support/people.ts';

const browser = useBrowser(/ 412 /);

const blocksOf = (page: string) =>
  Array.from(
    readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(?:js|javascript|mjs)\n(.*?)^```$/gms),
    ([, code = '']) => code.replaceAll('http://127.0.0.1:8787', inject('url')),
  );

interface Snippets {
  /** The application and the key that the page would have. */
  readonly credentials: () => Promise<Record<'application' | 'key', string>>;
  /** What the page takes for granted: `url`, `application` and `key`, and `connect` where no block imports it. */
  readonly before: string;
  /** An expression of what the blocks have come to, and its value. */
  readonly after: string;
  readonly told: unknown;
  /** What the browser logs of it. */
  readonly troubles?: readonly RegExp[];
}

const USERS = [
  may('post', '/users/core\\.user'),
  may('post', '/users/core\\.user\\.token'),
  may('get', '/users/core\\.user/(me|[0-9a-f]{24})', ACL),
];

async function everything() {
  const { application, key } = await Client.create();
  return { application, key };
}

/** For users, and documents of these types under their rights. */
const ofUsers = (types: string) => async () => {
  const client = await Client.create();
  const path = `/resources/(${types})(\\.acl)?(/[0-9a-f]{24})?`;
  const documents = may(EVERY_METHOD, path, ACL);
  const { application, key } = await client.withPermissions([...USERS, documents]);
  return { application, key };
};

const PAGES: Readonly<Record<string, Snippets>> = {
  'README.md': {
    credentials: ofUsers('lists'),
    before: '',
    after: '[said, (await db.get("lists", list.id)).items, (await db.rights(list)).read]',
    told: [['Holiday'], ['tent', 'maps'], '*'],
  },
  'docs/guides/todo.md': {
    credentials: async () => {
      const said = (await pasteGuide('todo.md')).outputs.join('\n');
      const [, application = '', key = ''] = /#application=(.*)&key=(.*)$/m.exec(said) ?? [];
      return { application, key };
    },
    before: `
      const friend = 'bob';
      const bob = connect({ url, application, key });
      await bob.signUp({ username: friend, password: 'a good secret' });
      await bob.create('profiles', { name: friend, user: await bob.me() });
      const onToken = (token) => (localStorage.token = token);
      let db = connect({ url, application, key, onToken });
      await db.signUp({ username: 'ada', password: 'difference engine' });
      const list = await db.create('lists', { title: 'Holiday', items: ['tent'] });
      await db.update(list, { $push: { items: 'maps' } });
      const edit = (items) => [...items, 'stove'];
      const conflicts = [];
      const showConflict = ({ items }, edit) => conflicts.push(edit(items));`,
    after: '[(await bob.list("lists").first()).items, conflicts]',
    told: [['tent', 'maps'], [['tent', 'maps', 'stove']]],
    troubles: [/412/],
  },
  'docs/guides/shop.md': {
    credentials: everything,
    before: `
      const till = connect({ url, application, key });
      const product = await till.create('products', { name: 'tea', price: 4, stock: 3 });
      const wallets = [];
      for (const balance of [7, 100]) wallets.push(await till.create('wallets', { balance }));`,
    // Five buyers want three at once: whoever comes second to any of the two documents runs again.
    after: `await (async () => {
        const buyers = Array.from({ length: 5 }, (_, n) => sell(product, wallets[n === 0 ? 0 : 1]));
        const all = await Promise.allSettled(buyers);
        for (const { reason } of all) if (reason && !/left/.test(reason.message)) throw reason;
        const again = await sell(product, wallets[0]).catch(({ message }) => message);
        const money = (await db.list('wallets').all()).reduce((sum, { balance }) => sum + balance, 0);
        const [sales, ledger] = [await db.list('sales').all(), await db.list('ledger').all()];
        const { stock } = await db.get('products', product.id);
        const sold = sales.every(({ product: { id } }) => id === product.id);
        return [stock, 107 - money, sales.length, ledger.length, sold, again];
      })()`,
    told: [0, 12, 3, 3, true, 'There is none left.'],
  },
  'docs/live.md': {
    credentials: everything,
    before: `
      const db = connect({ url, application, key });
      await db.create('articles', { title: 'Dracula', year: 1897 });
      await db.create('articles', { title: 'Frankenstein', year: 1818 });
      const user = connect({ url, application, key });
      await user.signUp({ username: 'ada', password: 'difference engine' });
      let token = '';
      await connect({ url, application, key, onToken: (each) => (token = each) })
        .login({ username: 'ada', password: 'difference engine' });`,
    after: `await new Promise((resolve) => {
        const events = [];
        socket.addEventListener('message', ({ data }) => {
          const { event, data: document } = JSON.parse(data);
          events.push([event, document?.attributes.title ?? null]);
          if (event === 'ready') resolve(events);
        });
      })`,
    told: [
      ['add', 'Dracula'],
      ['ready', null],
    ],
  },
  'docs/offline.md': {
    credentials: everything,
    before: '',
    // The first that is told of the conflict decides it.
    after: `await (async () => {
        await store.sync();
        const made = await db.list('tasks', { sort: 'text' }).all();
        const [milk, tea] = made;
        await db.update(milk, { text: 'Buy soy milk' });
        await store.update(milk, { text: 'Buy no milk' });
        while (said.every((each) => !each.startsWith('update'))) await store.sync();
        await store.sync();
        return [tea.after.id === milk.id, said[0], said.find((each) => each.startsWith('update')),
          (await db.get('tasks', milk.id)).text];
      })()`,
    told: [true, '', 'update Buy oat milk Buy no milk Buy soy milk 412', 'Buy soy milk, Buy no milk'],
    troubles: [/412/],
  },
};

describe.each(Object.entries(PAGES))('the js blocks of %s', (page, snippets) => {
  test('run, and do what the page says', async () => {
    const { application, key } = await snippets.credentials();
    const code = blocksOf(page).join('\n');
    const script = [
      `const [url, application, key] = ${JSON.stringify([inject('url'), application, key])};`,
      ...(/^import .*connect/m.test(code) ? [] : [`import { connect } from '${inject('url')}/client.js';`]),
      'const said = [];',
      'console.log = (...words) => void said.push(words.join(" "));',
      snippets.before,
      code,
      `globalThis.told = ${snippets.after};`,
    ].join('\n');
    const site = await serveSite({
      '/': `<!doctype html><title>Snippets</title><script>
        for (const kind of ['error', 'unhandledrejection']) {
          addEventListener(kind, ({ error, reason }) => (globalThis.told = String(error ?? reason)));
        }
        </script><script type="module" src="/blocks.js"></script>`,
      '/blocks.js': script,
    });
    const opened = await browser.open(site);
    const told = await opened.waitForFunction('globalThis.told', undefined);
    expect(await told.jsonValue()).toEqual(snippets.told);
    const { troubles = [] } = snippets;
    browser.expects(...troubles);
  });
});

test('no other page has js blocks', () => {
  const guides = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  const pages = [
    'README.md',
    ...guides.filter((name) => name.endsWith('.md')).map((name) => join('docs', name)),
  ];
  const withBlocks = pages.filter((page) => blocksOf(page).length > 0);
  // A receiver is no page: what docs/webhooks.md does, ../http/webhooks.test.ts does with the same library.
  // What docs/accounts.md shows, ../client/account.test.ts and passkeys.test.ts do.
  // The block of docs/testing.md runs where the package is installed (../http/packed.test.ts).
  const elsewhere = [
    'docs/accounts.md',
    'docs/client.md',
    'docs/clients.md',
    'docs/testing.md',
    'docs/webhooks.md',
  ];
  expect(withBlocks.sort()).toEqual([...Object.keys(PAGES), ...elsewhere].sort());
});
