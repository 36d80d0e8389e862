/** The pages that are small: they come together, which is less than each with its own parts. */
export { default as applications } from './applications/page.tsx';
export { default as audit } from './audit/page.tsx';
export { accounts, groups, Mailbox as mailbox, providers, templates, webhooks } from './own-pages.tsx';
export { default as plan } from './plan/page.tsx';
export { default as requests } from './requests/page.tsx';
export { default as transfer } from './transfer/page.tsx';
export { default as usage } from './usage/page.tsx';
export { default as users } from './users/page.tsx';
