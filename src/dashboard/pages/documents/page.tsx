/** Documents: all types, the table of one, or one document of it. */
import type { PageProps } from '../props.ts';
import { Document } from '../document/document.tsx';
import { Collection } from './collection.tsx';
import { Types } from './types.tsx';

export default function Documents({ steps: [type, id] }: PageProps) {
  if (type === undefined) return <Types />;
  if (id === undefined) return <Collection key={type} type={type} />;
  return <Document type={type} id={id} />;
}
