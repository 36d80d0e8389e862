/** The relationships that a schema describes, as members of an interface: `author?: "authors" | null`. */
import { isObject, key, objectIn, type Json } from './json-objects.ts';

/** Of a schema of documents: its `properties.relationships`. */
export function relationshipsOf(content: Json): readonly string[] {
  const relationships = objectIn(objectIn(content, 'properties') ?? {}, 'relationships') ?? {};
  const required = Array.isArray(relationships['required']) ? relationships['required'] : [];
  return Object.entries(objectIn(relationships, 'properties') ?? {}).map(([name, schema]) => {
    const described = isObject(schema) ? typeIn(schema) : 'string | null';
    return `${key(name)}${required.includes(name) ? '' : '?'}: ${described}`;
  });
}

/** A relationship is null, or an object whose `data` is a link, null or an array of links. */
function typeIn(relationship: Json): string {
  const choices = choicesOf(relationship);
  const data = choices.flatMap((choice) => {
    const schema = objectIn(objectIn(choice, 'properties') ?? {}, 'data');
    return schema === undefined ? [] : choicesOf(schema);
  });
  const nullable = [...choices, ...data].some(
    ({ type }) => type === 'null' || (Array.isArray(type) && type.includes('null')),
  );
  const kinds = data.flatMap((choice) => {
    if (choice['type'] === 'null') return [];
    const { items } = choice;
    return isObject(items) || choice['type'] === 'array'
      ? [`(${typesOfLink(isObject(items) ? items : {})})[]`]
      : [typesOfLink(choice)];
  });
  return [...new Set([...(kinds.length > 0 ? kinds : ['string']), ...(nullable ? ['null'] : [])])].join(
    ' | ',
  );
}

function choicesOf(schema: Json): readonly Json[] {
  const { oneOf, anyOf } = schema;
  const choices = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : [schema];
  return choices.filter(isObject);
}

/** The types that a link may have, where its schema lists them: `const`, `enum`, or a pattern of whole names. */
function typesOfLink(link: Json): string {
  const type = objectIn(objectIn(link, 'properties') ?? {}, 'type') ?? {};
  const named =
    'const' in type ? [type['const']] : Array.isArray(type['enum']) ? type['enum'] : namesIn(type['pattern']);
  return named.length > 0 ? named.map((name) => JSON.stringify(String(name))).join(' | ') : 'string';
}

/** `^(?:core\.user|writers)$` lists two names; a pattern that does more lists none. */
function namesIn(pattern: unknown): readonly string[] {
  const whole = typeof pattern === 'string' ? /^\^(?:\((?:\?:)?([^()]*)\)|([^()|]*))\$$/.exec(pattern) : null;
  const names = (whole?.[1] ?? whole?.[2] ?? '').split('|');
  return names.every((name) => /^(?:[\w-]|\\[.-])+$/.test(name))
    ? names.map((name) => name.replaceAll('\\', ''))
    : [];
}
