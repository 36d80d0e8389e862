/** JSON of which nothing is known: looking into it, and naming its members in TypeScript. */

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectIn(value: Json, name: string): Json | undefined {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return isObject(member) ? member : undefined;
}

/** A name as the name of a member. */
export function key(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}
