import { readYamlData } from '../../config/yaml/yaml-data.ts';
import type { Context } from '../../context.ts';
import { type CliError, usageError } from '../../errors.ts';
import { codeOf } from '../../files/fault.ts';
import { isObject } from '../../shape/object.ts';
import { readNamedFile } from './read-file.ts';

/** What `transform.yaml` of a project says; undefined where it says nothing. */
export interface Project {
  readonly name?: string | undefined;
  readonly input?: string | undefined;
  readonly outputs?: readonly string[] | undefined;
  readonly variables?: ReadonlyMap<string, string> | undefined;
  readonly compression?: string | undefined;
  readonly offset?: string | undefined;
}

/** The file of a project, in its directory. */
export const projectFile = 'transform.yaml';

/** The largest project file, in bytes. */
const largest = 1 << 20;

/**
 * Reads the project file of the working directory; empty if there is none. Keys that only a build needs are ignored.
 * @throws CliError (exit 2) naming the wrong key
 */
export async function readProject(context: Context): Promise<Project> {
  const bytes = await readNamedFile(context, projectFile, { maxBytes: largest }).catch((error: CliError) => {
    if (codeOf(error.cause) === 'ENOENT') return undefined;
    throw error;
  });
  if (bytes === undefined) return {};
  const data = await readYamlData(projectFile, bytes.toString('utf8'));
  if (data === null) return {};
  if (!isObject(data)) throw fault('it is not a map of keys and values');
  return {
    name: textIn(data, 'name'),
    input: textIn(data, 'input-topic'),
    outputs: outputsIn(data),
    variables: variablesIn(data),
    compression: textIn(data, 'compression'),
    offset: textIn(data, 'from-offset'),
  };
}

type Map_ = Readonly<Record<string, unknown>>;

function fault(what: string): CliError {
  return usageError(`unable to use ${projectFile}: ${what}`, { code: 'CONFIG_INVALID', target: projectFile });
}

function textIn(data: Map_, key: string): string | undefined {
  const value = data[key] ?? undefined;
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw fault(`${key} is not a text`);
}

/** Older project files have one `output-topic`. */
function outputsIn(data: Map_): readonly string[] | undefined {
  const many = data['output-topics'] ?? undefined;
  if (many === undefined) {
    const one = textIn(data, 'output-topic');
    return one === undefined ? undefined : [one];
  }
  if (Array.isArray(many) && many.every((topic) => typeof topic === 'string' && topic !== '')) return many;
  throw fault('output-topics is not a list of topics');
}

function variablesIn(data: Map_): ReadonlyMap<string, string> | undefined {
  const env = data.env ?? undefined;
  if (env === undefined) return undefined;
  if (!isObject(env)) throw fault('env is not a map of variables');
  return new Map(
    Object.entries(env).map(([key, value]) => {
      if (typeof value === 'object' && value !== null) throw fault(`env.${key} is not a text`);
      return [key, String(value ?? '')];
    }),
  );
}
