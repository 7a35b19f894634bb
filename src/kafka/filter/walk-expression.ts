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

/** The names of the record that an expression looks at. */
export function namesIn(expression: Expression): readonly RecordName[] {
  if (expression.kind === 'key') return ['keyAsText'];
  if (expression.kind === 'contains') return ['keyAsText', 'valueAsText'];
  if (expression.kind === 'name') return isRecordName(expression.name) ? [expression.name] : [];
  const isOfRecord = 'of' in expression && expression.of?.kind === 'name' && expression.of.name === 'record';
  const own = isOfRecord ? [nameOf(expression)].filter((name) => name !== undefined) : [];
  return [...own, ...partsOf(expression).flatMap(namesIn)];
}

/** The name in `record.value` and `record["value"]`. */
function nameOf(expression: Expression): RecordName | undefined {
  const name =
    expression.kind === 'field'
      ? expression.name
      : expression.kind === 'index' && expression.index.kind === 'constant'
        ? String(expression.index.value)
        : '';
  return isRecordName(name) ? name : undefined;
}
