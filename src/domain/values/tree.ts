/** Trees of JSON, with leaves of any type besides those of plain JSON. docs/architecture.md lists them and says why. */
export type Tree<Leaf> = null | boolean | number | string | Leaf | readonly Tree<Leaf>[] | Branch<Leaf>;

/** An object of a tree. */
export interface Branch<Leaf> {
  readonly [name: string]: Tree<Leaf>;
}

/** True for an array of a tree. (`Array.isArray` alone does not narrow a read-only array.) */
export function isList<T>(tree: T): tree is Extract<T, readonly unknown[]> {
  return Array.isArray(tree);
}

/** An own member, or undefined: never one inherited from a prototype (`__proto__`, `constructor`). */
export function memberOf<T>(object: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** An own member that is a string; undefined for any other. */
export function textAt(object: { readonly [name: string]: unknown }, name: string): string | undefined {
  const value = memberOf(object, name);
  return typeof value === 'string' ? value : undefined;
}

/** Maps the children of an array or object; returns the same one when no child changed. */
export function mapTree<In, Out>(
  tree: readonly In[] | { readonly [name: string]: In },
  map: (child: In) => Out,
): readonly Out[] | { readonly [name: string]: Out } {
  return isList(tree) ? mapList(tree, map) : mapFields(tree, map);
}

/** The same for an array. Nothing is copied before the first change, and most have none. */
export function mapList<In, Out>(
  list: readonly In[],
  map: (child: In, index: number) => Out,
): readonly Out[] {
  let mapped: (In | Out)[] | null = null;
  for (let index = 0; index < list.length; index += 1) {
    const child = list[index] as In;
    const made = map(child, index);
    if (Object.is(made, child)) continue;
    mapped ??= [...list];
    mapped[index] = made;
  }
  // Unchanged children are of both types.
  return (mapped ?? list) as readonly Out[];
}

/** The same for an object. */
export function mapFields<In, Out>(
  fields: { readonly [name: string]: In },
  map: (child: In, name: string) => Out,
): { readonly [name: string]: Out } {
  let mapped: { [name: string]: In | Out } | null = null;
  for (const name in fields) {
    const child = fields[name] as In;
    const made = map(child, name);
    if (Object.is(made, child)) continue;
    // All of them are own fields of the copy, so that one named __proto__ is only a field.
    mapped ??= { ...fields };
    mapped[name] = made;
  }
  return (mapped ?? fields) as { readonly [name: string]: Out };
}
