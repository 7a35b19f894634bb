import {
  type ConfigSchema,
  type Configuration,
  type ConfigValue,
  clusterId,
  hiddenSecret,
  type Property,
} from '../../../admin/config-rows.ts';
import { type Field, fieldsOf, isFull, parseYaml, type YamlFile } from '../../../config/yaml/file.ts';
import { CliError, CliErrors, exitCodes, usageError } from '../../../errors.ts';
import { excerpt } from '../../../format/excerpt.ts';
import { type Extent, isExported } from './config-file.ts';
import { findProperty, nearestProperty } from './find-property.ts';
import { isSame, plainValueOf, valueOfNode, WrongValue } from './property-value.ts';

/** The change of one property. */
export interface PlannedChange {
  readonly property: Property;
  readonly before: ConfigValue;
  /** Undefined: the property gets its default. */
  readonly after: ConfigValue | undefined;
}

/** What an import would do. */
export interface ConfigPlan {
  /** Sorted by name. */
  readonly changes: readonly PlannedChange[];
  /** Secrets that are not set, and for which the file has only the placeholder of an export. */
  readonly withoutSecret: readonly string[];
  /** Keys without an effect: the schema hides them, but the cluster knows them. */
  readonly unused: readonly string[];
}

/** A configuration file, and what it is compared with. */
export interface PlanInput {
  /** The name of the file in errors. */
  readonly name: string;
  readonly text: string;
  readonly schema: ConfigSchema;
  readonly now: Configuration;
  readonly extent: Extent;
  /** Returns which of these names, which the schema does not have, the cluster does not know. */
  unknownOf(names: readonly string[]): Promise<ReadonlySet<string>>;
}

/**
 * Compares a file with the configuration. A property that is set, but not in the file although an export would contain
 * it, gets its default.
 * @throws CliError (exit 2) for every key or value that is wrong, with its line
 */
export async function planImport(input: PlanInput): Promise<ConfigPlan> {
  const { schema, now, extent } = input;
  const { values, unused } = await readConfigFile(input);
  const changed = [...values]
    .map(([key, after]) => changeOf(schema.get(key), after, now))
    .filter((one) => one !== null);
  const reset = [...now.set].flatMap((key): PlannedChange[] => {
    const property = schema.get(key);
    if (values.has(key) || !isExported(property, extent)) return [];
    return [{ property, before: now.values.get(key) ?? null, after: undefined }];
  });
  return {
    changes: [...changed.filter((one) => !isHidden(one)), ...reset].sort(byName),
    withoutSecret: changed.filter(isHidden).map(({ property }) => property.name),
    unused,
  };
}

function changeOf(property: Property | undefined, after: ConfigValue, { values }: Configuration): PlannedChange | null {
  if (property === undefined) return null;
  const before = values.get(property.name) ?? null;
  return isSame(before, after) ? null : { property, before, after };
}

function byName(a: PlannedChange, b: PlannedChange): number {
  return a.property.name < b.property.name ? -1 : 1;
}

interface FileValues {
  /** By the names of the properties, without the id of the cluster. */
  readonly values: ReadonlyMap<string, ConfigValue>;
  readonly unused: readonly string[];
}

async function readConfigFile(input: PlanInput): Promise<FileValues> {
  const { name, text, schema, now } = input;
  const file = await parseYaml(name, text);
  const errors: CliError[] = [];
  const values = new Map<string, ConfigValue>();
  const keys = new Map<string, string>();
  const fields = fieldsOf(file, rootOf(file), errors).filter(({ key }) => key !== clusterId);
  const { unknown, unused } = await hiddenKeys(fields, input);
  for (const field of fields) {
    if (isFull(errors)) break;
    const property = findProperty(schema, field.key);
    if (property === undefined) {
      if (unknown.has(field.key)) errors.push(errorAt(file, field, await unknownText(field, schema)));
      continue;
    }
    const twin = keys.get(property.name);
    keys.set(property.name, field.key);
    if (twin !== undefined) errors.push(errorAt(file, field, `"${field.key}" and "${twin}" are the same property`));
    else readField({ file, field, property, values, errors }, now.values.get(property.name));
  }
  if (errors.length > 0) throw together(errors);
  if (values.size === 0 && unused.length === 0)
    throw usageError(`unable to use ${name}: it has no properties`, { target: name });
  return { values, unused };
}

function together(errors: readonly CliError[]): CliError {
  const [first] = errors;
  return first !== undefined && errors.length === 1 ? first : new CliErrors(errors);
}

/** Tells the keys apart that the schema does not have. */
async function hiddenKeys(fields: readonly Field[], { schema, unknownOf }: PlanInput) {
  const hidden = fields.map(({ key }) => key).filter((key) => findProperty(schema, key) === undefined);
  const unknown = hidden.length === 0 ? new Set<string>() : await unknownOf(hidden);
  return { unknown, unused: hidden.filter((key) => !unknown.has(key)) };
}

interface FieldReader {
  readonly file: YamlFile;
  readonly field: Field;
  readonly property: Property;
  readonly values: Map<string, ConfigValue>;
  readonly errors: CliError[];
}

/** Reads a value; the one that is in use is accepted even if it does not fit the schema. */
function readField({ file, field, property, values, errors }: FieldReader, inUse: ConfigValue | undefined): void {
  const { pair, key } = field;
  try {
    values.set(property.name, valueOfNode(file, property, pair.value));
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error;
    const plain = plainValueOf(file, pair.value);
    if (inUse !== undefined && isSame(plain, inUse)) values.set(property.name, inUse);
    else errors.push(errorAt(file, field, `"${key}" ${error.message}`));
  }
}

function rootOf(file: YamlFile): Parameters<typeof fieldsOf>[1] {
  const { yaml, document, path } = file;
  const root = document.contents;
  if (!yaml.isMap(root)) {
    const what = root === null ? 'it has no properties' : 'it is not a map of properties';
    throw usageError(`unable to use ${path}: ${what}`, { target: path, hints: [formHint] });
  }
  // What `cluster config export --format json` prints.
  const inner = root.get('properties');
  return yaml.isMap(inner) ? inner : root;
}

const formHint = 'see the form of the file with: weir cluster config export';

async function unknownText({ key }: Field, schema: ConfigSchema): Promise<string> {
  const meant = await nearestProperty(schema, key);
  return `the cluster has no property "${excerpt(key)}"${meant === undefined ? '' : `, did you mean "${meant}"?`}`;
}

function errorAt({ path }: YamlFile, { line }: Field, fault: string): CliError {
  return new CliError(exitCodes.usage, `${path}:${line}: ${fault}`, { code: 'CONFIG_INVALID', target: path });
}

/** Whether a value is the placeholder of a secret, which an export has in its place. */
function isHidden({ property, after }: PlannedChange): boolean {
  return property.is_secret && after === hiddenSecret;
}
