/** The way back to all aggregates. */
import { wayTo } from '../../route.ts';

export function Back() {
  return <a href={wayTo(['aggregates'])}>Aggregates</a>;
}
