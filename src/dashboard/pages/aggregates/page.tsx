/** Aggregates: their definitions, and one of them open. */
import type { PageProps } from '../props.ts';
import { Opened } from './opened.tsx';
import { List } from './list.tsx';

export default function Aggregates({ steps: [id] }: PageProps) {
  return id === undefined ? <List /> : <Opened key={id} id={id} />;
}
