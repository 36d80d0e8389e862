/**
 * Trees of JSON, with leaves of any type besides those of plain JSON. docs/architecture.md lists the trees and says why
 * there is each.
 */
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

/** Maps the children of an array or object; returns the same one when no child changed. */
export function mapTree<In, Out>(
  tree: readonly In[] | { readonly [name: string]: In },
  map: (child: In) => Out,
): readonly Out[] | { readonly [name: string]: Out } {
  const children = isList(tree) ? tree : Object.values(tree);
  const mapped: Out[] = [];
  let isSame = true;
  for (const child of children) {
    const made = map(child);
    isSame &&= Object.is(made, child);
    mapped.push(made);
  }
  // Unchanged children are of both types: those of the tree itself.
  if (isSame) return tree as unknown as readonly Out[] | { readonly [name: string]: Out };
  if (isList(tree)) return mapped;
  const names = Object.keys(tree);
  // fromEntries defines own fields, so that a field named __proto__ is only a field.
  return Object.fromEntries(mapped.map((child, index) => [names[index] ?? '', child]));
}
