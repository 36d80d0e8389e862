/** The oldest runtime that the project promises, that of the newest stable miniflare: its SQLite is older, too. */
export const OLDEST = { name: 'workerd-oldest', compatibilityDate: '2026-07-30' };
