import { isRecordName, type RecordName } from './record-names.ts';
import type { Expression } from './syntax.ts';

/** The parts that an expression is made of. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'field':
    case 'unary':
      return [expression.of];
    case 'index':
      return [expression.of, expression.index];
    case 'call':
      return expression.of === undefined ? expression.args : [expression.of, ...expression.args];
    case 'binary':
      return [expression.left, expression.right];
    case 'choice':
      return [expression.test, expression.yes, expression.no];
    case 'list':
      return expression.items;
    default:
      return [];
  }
}

/** The name of the field that an expression takes from something: in `x.name` and `x["name"]`. */
export function fieldNameOf(expression: Expression): string | undefined {
  if (expression.kind === 'field') return expression.name;
  return expression.kind === 'index' ? textIn(expression.index) : undefined;
}

/** The text that an expression is, if it is between quotes. */
export function textIn(expression: Expression): string | undefined {
  return expression.kind === 'constant' && typeof expression.value === 'string' ? expression.value : undefined;
}

/** The name of the record that an expression is, with or without `record.` before it; no variable can have such a name. */
export function recordNameOf(expression: Expression): RecordName | undefined {
  const isOfRecord = 'of' in expression && expression.of?.kind === 'name' && expression.of.name === 'record';
  const name = expression.kind === 'name' ? expression.name : isOfRecord ? fieldNameOf(expression) : undefined;
  return name !== undefined && isRecordName(name) ? name : undefined;
}

/** The names of the record that an expression looks at. */
export function namesIn(expression: Expression): readonly RecordName[] {
  if (expression.kind === 'keys') return ['keyAsText'];
  if (expression.kind === 'contains') return ['keyAsText', 'valueAsText'];
  const name = recordNameOf(expression);
  return name === undefined ? partsOf(expression).flatMap(namesIn) : [name];
}
