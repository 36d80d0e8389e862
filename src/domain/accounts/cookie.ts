/** The cookie in which a browser keeps what refreshes a login (docs/accounts.md#cookies): no other host can set it. */
export const cookieOf = (application: string) => `__Host-foredge-${application}`;
