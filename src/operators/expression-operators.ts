/**
 * Our expressions as expression operators of mingo. At a place of a definition an operator gives a closure over documents;
 * called with a document, as plain mingo does, it is read and evaluated at once.
 */
import type { Options } from 'mingo/types';
import type { Value } from '../domain/values/values.ts';
import { Argument, Site } from './core/dispatch.ts';
import { parseExpression } from './core/parse.ts';
import { plainFrame, plainScope } from './core/plain.ts';
import { OPERATORS } from './expressions/table.ts';

type ExpressionOperator = (subject: unknown, argument: unknown, options: Options) => unknown;

export const EXPRESSION_OPERATORS: Readonly<Record<string, ExpressionOperator>> = Object.fromEntries(
  Object.entries(OPERATORS).map(([name, read]): [string, ExpressionOperator] => [
    name,
    (subject, argument, { context }) =>
      subject instanceof Site && argument instanceof Argument
        ? read(argument.value, subject)
        : parseExpression({ [name]: argument as Value }, null, plainScope(context)).evaluate(
            plainFrame(subject),
          ),
  ]),
);
