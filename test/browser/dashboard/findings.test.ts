/** What the operator is shown of a service of its own: lists that writes wait for, and backups without a bucket. */
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { enteredAsOperator, goTo, openApplication } from '../../support/dashboard.ts';
import { operate, update } from '../../support/operations.ts';
import { HALTING, SECRETS } from '../../support/own-service.ts';
import { until } from '../../support/started.ts';
import { newService } from '../../support/scope.ts';

/** The overview has perhaps asked what is new in a type that does not answer. */
const browser = useBrowser(/50[03]/);

test('a list that is stuck is shown with its time, until its coordinator can be asked', async () => {
  const service = await newService({ entry: HALTING });
  const { client, url } = service;
  const [stock, wallet] = await Promise.all(['stock', 'wallet'].map((type) => client.make(type, { n: 1 })));
  await service.halt('decide', 'hold');
  await service.halt('decided', 'before');
  const sent = operate(
    client,
    [stock, wallet].flatMap((each) => (each === undefined ? [] : update(each, { n: 2 }))),
  );
  await until('the list has happened', async () => {
    const { body } = await client.get(`/resources/wallet/${wallet?.id}`);
    return body.data.attributes?.['n'] === 2;
  });
  const page = await enteredAsOperator(browser, '', { url, secret: SECRETS.OPERATOR_SECRET });
  await openApplication(page, 'own');
  await goTo(page, '#/usage');
  await page.getByRole('button', { name: 'Check what is stored' }).click();
  await page
    .getByRole('row', { name: /^\/resources\/stock Writes have waited since 20\S+ .* wallet does not say/ })
    .waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await service.halt('decided', 'free');
  // Whoever asks ends what is decided.
  await page.getByRole('button', { name: 'Check what is stored' }).click();
  await page.getByText('Nothing needs attention.').waitFor();
  await service.halt('decide', 'free');
  await sent;
});

test('a service without a bucket says how to have backups, and it is no error', async () => {
  const service = await newService();
  const { url } = service;
  const page = await enteredAsOperator(browser, '', { url, secret: SECRETS.OPERATOR_SECRET });
  await openApplication(page, 'own');
  await goTo(page, '#/transfer');
  const advice = page.getByRole('region', { name: 'Backups' }).locator('.notice:not(.bad)');
  await advice.getByText('The service has no bucket for backups.').waitFor();
  expect(await advice.getByRole('link').getAttribute('href')).toBe(`${url}/docs/backups`);
  browser.expects(/501/);
});
