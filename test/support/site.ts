/** A static site for pages in the real browser: its own origin, so what they ask of the service crosses origins. */
import { newServer } from './scope.ts';

/** Serves these files (`'/': '<!doctype html>…'`) until the test ends, and says where (`http://127.0.0.1:<port>`). */
export async function serveSite(files: Readonly<Record<string, string>>): Promise<string> {
  const { url } = await newServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname;
    const text = files[path];
    // Browsers ask for it, whatever the page says.
    const status = path === '/favicon.ico' ? 204 : text === undefined ? 404 : 200;
    response.writeHead(status, { 'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/html' });
    response.end(text);
  });
  return url;
}
