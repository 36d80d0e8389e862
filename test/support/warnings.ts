/** What tests of warnings and strict handling share. */
import type { Reply } from './client.ts';

export const STRICT = { prefer: 'handling=strict' };

interface Warning {
  readonly code: string;
  readonly detail: string;
  readonly source?: { readonly parameter?: string };
  readonly links: { readonly about: string };
}

/** The warnings of an answer as `code place`. */
export function warningsOf({ body }: Reply): readonly string[] {
  const warnings = (body.meta as { readonly warnings?: readonly Warning[] } | undefined)?.warnings ?? [];
  return warnings.map(({ code, source }) => [code, source?.parameter].filter(Boolean).join(' '));
}
