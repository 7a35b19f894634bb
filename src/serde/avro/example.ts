import { SchemaError } from '../schema.ts';
import { fixedExample, primitiveExample } from './example-values.ts';
import { type AvroType, deepest, type RecordType, tagOf, type UnionType } from './model.ts';

/** An example in the making. */
interface Sketch {
  /** The records around the value, none of which may occur again. */
  readonly open: Set<RecordType>;
  /** The number of values that may still be made. */
  left: number;
}

/** Values of a schema can double with every level. */
const mostValues = 200_000;

/**
 * Returns JSON text that fits a schema, indented by two spaces. Unions take the first branch that is not null and
 * comes to an end.
 * @throws SchemaError if no value ever ends, or none is small enough
 */
export function exampleOf(type: AvroType): string {
  const sketch: Sketch = { open: new Set(), left: mostValues };
  const text = exampleText(type, sketch, '', '\n');
  if (text === undefined) throw new SchemaError(`every value of ${tagOf(type)} contains itself or is too large`);
  return text;
}

/** Returns JSON for a value; undefined if it cannot end. `margin` is a newline and the blanks of the line. */
function exampleText(type: AvroType, sketch: Sketch, name: string, margin: string): string | undefined {
  if (--sketch.left < 0) throw new SchemaError('the schema is too large for an example');
  if (margin.length > deepest * 2) return undefined;
  const inner = `${margin}  `;
  switch (type.kind) {
    case 'record':
      return recordText(type, sketch, margin);
    case 'enum':
      return type.symbols[0] === undefined ? undefined : JSON.stringify(type.symbols[0]);
    case 'fixed':
      return fixedExample(type);
    case 'union':
      return unionText(type, sketch, name, margin);
    case 'array': {
      const text = exampleText(type.items, sketch, singular(name), inner);
      return text === undefined ? '[]' : `[${inner}${text}${margin}]`;
    }
    case 'map': {
      const text = exampleText(type.values, sketch, singular(name), inner);
      return text === undefined ? '{}' : `{${inner}"key": ${text}${margin}}`;
    }
  }
  return primitiveExample(type, name);
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '');
}

function recordText(type: RecordType, sketch: Sketch, margin: string): string | undefined {
  if (sketch.open.has(type)) return undefined;
  sketch.open.add(type);
  const inner = `${margin}  `;
  const lines: string[] = [];
  for (const field of type.fields) {
    const text = exampleText(field.type, sketch, field.name, inner);
    if (text === undefined) break;
    lines.push(`${inner}"${field.name}": ${text}`);
  }
  sketch.open.delete(type);
  if (lines.length < type.fields.length) return undefined;
  return lines.length === 0 ? '{}' : `{${lines.join(',')}${margin}}`;
}

function unionText({ branches }: UnionType, sketch: Sketch, name: string, margin: string): string | undefined {
  const inner = `${margin}  `;
  for (const branch of branches) {
    if (branch.kind === 'null') continue;
    const text = exampleText(branch, sketch, name, inner);
    if (text !== undefined) return `{${inner}"${tagOf(branch)}": ${text}${margin}}`;
  }
  return branches.some(({ kind }) => kind === 'null') ? 'null' : undefined;
}
