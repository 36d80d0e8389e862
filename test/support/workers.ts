/** What `cloudflare:workers` gives to code that a unit test loads in Node, where nothing of it is called. */
export function waitUntil(): void {
  throw new Error('Only the runtime can wait.');
}
