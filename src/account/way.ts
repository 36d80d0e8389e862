/** Where a visitor has come from, and goes back to: in storage that the tab which opens a mail has, too. */
export class Way {
  readonly #stored: string;
  readonly #leads: (to: string) => boolean;

  /** `leads`: whether visitors may go back there. */
  constructor(application: string, leads: (to: string) => boolean) {
    this.#stored = `account ${application}`;
    this.#leads = leads;
  }

  keep(): void {
    const query = new URLSearchParams(location.search);
    const to = query.get('to');
    if (to !== null && this.#leads(to)) {
      localStorage.setItem(this.#stored, JSON.stringify({ to, state: query.get('state') ?? '' }));
    }
  }

  take() {
    const stored = localStorage.getItem(this.#stored);
    localStorage.removeItem(this.#stored);
    const way = JSON.parse(stored ?? '{"state":""}') as { readonly to?: string; readonly state: string };
    return way.to !== undefined && this.#leads(way.to) ? way : { state: '' };
  }
}
