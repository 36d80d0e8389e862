/** A browser on the ready pages of accounts: it keeps a cookie, says where its forms come from, and has an address. */
export class PageVisitor {
  cookie = '';
  readonly #pages: string;
  readonly #address = crypto.randomUUID();

  constructor(pages: string) {
    this.#pages = pages;
  }

  async open(query = '', init: RequestInit = {}): Promise<Response> {
    const headers = {
      'x-client': this.#address,
      cookie: this.cookie,
      ...(init.headers as Record<string, string>),
    };
    const response = await fetch(this.#pages + query, { ...init, headers, redirect: 'manual' });
    this.cookie = response.headers.get('set-cookie')?.split(';')[0] ?? this.cookie;
    return response;
  }

  send(
    sent: Readonly<Record<string, string>>,
    headers: object = { origin: new URL(this.#pages).origin },
    query = '',
  ): Promise<Response> {
    return this.open(query, { method: 'POST', body: new URLSearchParams(sent), headers: { ...headers } });
  }

  /** Goes to the provider `site`, and gives what leads back from there. */
  async leave(query = ''): Promise<string> {
    const location = (await this.open(`?provider=site${query}`)).headers.get('location') ?? '';
    return `?code=any&state=${new URL(location).searchParams.get('state') ?? ''}`;
  }
}
