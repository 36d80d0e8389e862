/** What somebody does on a ready page of accounts: it has buttons for work, and links to views. */
import type { Page } from 'playwright-core';

export function visiting(page: Page) {
  const named = (name: string) => ({ name, exact: true });
  return {
    press: (name: string) =>
      page
        .getByRole('button', named(name))
        .or(page.getByRole('link', named(name)))
        .click(),
    fill: (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text),
    says: (text: string) => page.getByRole('status').getByText(text).waitFor(),
  };
}
