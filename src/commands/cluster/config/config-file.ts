import {
  type ConfigSchema,
  type Configuration,
  type ConfigValue,
  clusterId,
  type Property,
} from '../../../admin/config-rows.ts';
import { printable } from '../../../format/printable.ts';
import { wrapLine } from '../../../format/wrap.ts';
import { yamlOf } from './property-value.ts';

/** What `cluster config export` writes, and what an import takes for complete. */
export interface Extent {
  /** Whether tunable properties belong to it. */
  readonly all: boolean;
}

/** Whether an export contains a property. A property without a schema is not exported: its type is not known. */
export function isExported(property: Property | undefined, { all }: Extent): property is Property {
  if (property === undefined || property.name === clusterId || property.visibility === 'deprecated') return false;
  return all || property.visibility !== 'tunable';
}

/** The values that an export contains, sorted by name. */
export function exportedValues(
  schema: ConfigSchema,
  { values }: Configuration,
  extent: Extent,
): ReadonlyMap<string, ConfigValue> {
  const names = [...values.keys()].filter((name) => isExported(schema.get(name), extent)).sort();
  return new Map(names.map((name) => [name, values.get(name) ?? null]));
}

/** The file of an export: YAML with what the schema says about each property as comments. */
export function renderExport(schema: ConfigSchema, values: ReadonlyMap<string, ConfigValue>): string {
  const parts = [...values].map(([name, value]) => `${commentOf(schema.get(name))}${pairOf(name, value)}`);
  return parts.join('\n');
}

const columns = 100;

function commentOf(property: Property | undefined): string {
  if (property === undefined) return '';
  const { description, units } = property;
  const details = detailsOf(property);
  const text = [
    description,
    units === null ? '' : `In ${units}.`,
    details.length === 0 ? '' : `(${details.join('; ')})`,
  ];
  const line = printable(text.filter(Boolean).join(' ').replace(/\s+/g, ' ').trim());
  if (line === '') return '';
  const lines = wrapLine(line, columns, ({ length }) => length);
  return lines.map((one) => `# ${one}\n`).join('');
}

function detailsOf(property: Property): readonly string[] {
  const { enum_values: words, example, needs_restart: needsRestart, nullable } = property;
  return [
    ...(words.length > 0 ? [`one of ${words.join(', ')}`] : example === null ? [] : [`for example ${example}`]),
    ...(needsRestart ? ['needs a restart'] : []),
    ...(nullable ? ['may be null'] : []),
  ];
}

function pairOf(name: string, value: ConfigValue): string {
  const key = yamlOf(name);
  if (!Array.isArray(value) || value.length === 0) return `${key}: ${yamlOf(value)}\n`;
  return `${key}:\n${value.map((item) => `  - ${yamlOf(item)}\n`).join('')}`;
}
