/** The kind of files (docs/files.md). Their content never changes, and so neither does what is said of it. */
import { placeOf, pointerOf } from '../../domain/pointer.ts';
import { problem, type Problem } from '../../domain/problems.ts';
import { CORE } from '../../domain/types.ts';
import { typeInfo } from '../../domain/types/facts.ts';
import { memberOf } from '../../domain/values/tree.ts';
import type { Fields, Value } from '../../domain/values/values.ts';
import { checked } from '../documents/attributes.ts';
import type { DocumentKind } from '../documents/kind.ts';
import { cleanName, readMediaType } from './names.ts';

/** What is said of a content. */
const OF_CONTENT = ['media-type', 'size', 'sha-256', 'created', 'width', 'height'] as const;

const MADE = 'The content never changes, nor what is said of it: store a new file.';

/** The attributes of a file that a create stores: other attributes come by PATCH. */
export const FILES: DocumentKind = {
  guarded: new Set(['name', ...OF_CONTENT]),
  made: ['size', 'sha-256', 'created', 'width', 'height'],

  validate: ({ attributes, relationships }, whole, _, context) => [
    ...(whole && (context === undefined || context.stored !== undefined)
      ? faultsOfStored(attributes)
      : checked(CORE.file, attributes, false, {
          name: faultOfName,
          ...Object.fromEntries(OF_CONTENT.map((name) => [name, () => MADE])),
        })),
    ...faultsOfNames(Object.keys(relationships)),
  ],
};

/** What a client says of a content beside it. */
export function faultsOfSent(attributes: Fields): readonly Problem[] {
  return OF_CONTENT.filter((name) => memberOf(attributes, name) !== undefined).map((name) =>
    problem('read-only-member', MADE, { pointer: pointerOf(placeOf('data', 'attributes', name)) }),
  );
}

/** The same of what an upload has stored, or an import brings. */
function faultsOfStored(attributes: Fields): readonly Problem[] {
  return checked(CORE.file, attributes, true, {
    name: faultOfName,
    'media-type': (value) =>
      typeof value === 'string' && readMediaType(value) === value ? undefined : 'This is no media type.',
    ...{ size: faultOfNumber, width: faultOfNumber, height: faultOfNumber },
    'sha-256': (value) =>
      typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
        ? undefined
        : 'The digest has 64 hexadecimal digits.',
    created: (value) => (value instanceof Date ? undefined : 'This is a date.'),
  });
}

function faultOfNumber(value: Value): string | undefined {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  return isNumber ? undefined : 'This is a whole number, of bytes or of pixels.';
}

function faultOfName(value: Value): string | undefined {
  return typeof value === 'string' && value !== '' && cleanName(value) === value
    ? undefined
    : 'The name of a file is no path, and has no controls.';
}

/** What stands below the address of a file is no relationship. */
function faultsOfNames(names: readonly string[]): readonly Problem[] {
  const { below = [] } = typeInfo(CORE.file);
  return names
    .filter((name) => below.includes(name))
    .map((name) =>
      problem('invalid-relationship', `The address of a relationship ${name} is that of something else.`, {
        pointer: pointerOf(placeOf('data', 'relationships', name)),
      }),
    );
}
