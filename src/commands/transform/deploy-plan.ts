import type { Deployment, StartOffset } from '../../admin/transform-rows.ts';
import { flag, list, type ValuesOf } from '../../cli/command.ts';
import { readYamlData } from '../../config/yaml/yaml-data.ts';
import type { Context } from '../../context.ts';
import { type CliError, invalidError, usageError } from '../../errors.ts';
import { codeOf } from '../../files/fault.ts';
import { type Kind, oneOf, path, text } from '../../kinds.ts';
import { isObject } from '../../shape/object.ts';
import { rangeToChange } from '../times.ts';
import { readNamedFile } from './read-file.ts';
import { newTransformName } from './transform-name.ts';

/** The codecs that the server accepts for the output. */
const compressions = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;

/** A variable of the environment of a transform; its value may be a secret. */
const variable: Kind<readonly [key: string, value: string]> = {
  name: 'variable',
  hint: 'KEY=VALUE',
  mayHoldSecret: 'after the key',
  parse(value) {
    const at = value.indexOf('=');
    if (at < 1) throw new Error('not of the form KEY=VALUE');
    return [value.slice(0, at), value.slice(at + 1)];
  },
  show: ([key, value]) => `${key}=${value}`,
};

/** The flags of `transform deploy`. */
export const deployFlags = {
  file: flag(path, { help: 'the WebAssembly module (default: NAME.wasm)' }),
  name: flag(newTransformName, { help: 'name of the transform' }),
  inputTopic: flag({ ...text, hint: 'TOPIC', completes: 'topic' } as const, {
    short: 'i',
    help: 'topic whose records the transform reads',
  }),
  outputTopic: list({ ...text, hint: 'TOPIC', completes: 'topic' } as const, {
    short: 'o',
    help: 'topic that the transform writes to; up to eight',
    splits: true,
  }),
  var: list(variable, { help: 'environment variable of the transform; overrides the one in transform.yaml' }),
  compression: flag(oneOf('compression', compressions), { help: 'compression of the output (default: none)' }),
  fromOffset: flag(
    { ...text, hint: 'OFFSET' },
    {
      help: 'where the first deployment starts: @TIME, +N from the log start, or -N before the log end',
    },
  ),
};

type DeployValues = ValuesOf<typeof deployFlags>;

/** A deployment and its module. */
export interface DeployPlan {
  readonly deployment: Deployment;
  readonly file: string;
  readonly module: Buffer;
}

/** The largest module that is read, in bytes; the default limit of a cluster is 10 MiB. */
const largestModule = 256 << 20;

/** The most output topics of a transform. */
const mostOutputs = 8;

/**
 * Combines the flags with the project file of the working directory, and reads the module.
 * @throws CliError (exit 2) for values that are missing or wrong, (exit 3) for a module that does not exist
 */
export async function planDeployment(context: Context, values: DeployValues): Promise<DeployPlan> {
  const { file: given } = values;
  if (given !== undefined && /^https?:\/\//i.test(given)) throw isUrl(given);
  const project = await readProject(context);
  const deployment = deploymentOf(context, values, project);
  const file = given ?? `${deployment.name}.wasm`;
  const hints = given === undefined ? ['build the module first, or name another one with --file FILE'] : [];
  const module = await readNamedFile(context, file, { maxBytes: largestModule, hints });
  // The first bytes of every module (WebAssembly Core Specification, section 5.5.16).
  if (!module.subarray(0, 4).equals(Buffer.from('\0asm', 'latin1')))
    throw usageError(`unable to use ${file}: it is not a WebAssembly module`, { target: file });
  return { deployment, file, module };
}

function isUrl(file: string): Error {
  return usageError(`unable to use ${file}: --file takes the path of a file`, {
    target: '--file',
    hints: ['download the module first, for example with: curl -LO URL'],
  });
}

function deploymentOf(context: Context, values: DeployValues, project: Project): Deployment {
  const name = values.name ?? project.name ?? missing('the name', '--name', 'name');
  const input = values.inputTopic ?? project.input ?? missing('the input topic', '--input-topic', 'input-topic');
  const outputs = values.outputTopic.length > 0 ? values.outputTopic : (project.outputs ?? []);
  if (outputs.length === 0) missing('the output topic', '--output-topic', 'output-topics');
  if (outputs.length > mostOutputs)
    throw usageError(`a transform can have at most ${mostOutputs} output topics, not ${outputs.length}`);
  checkNames(name, [input, ...outputs]);
  const compression = values.compression ?? knownCompression(project.compression);
  const offset = values.fromOffset ?? project.offset;
  return {
    name,
    input_topic: input,
    output_topics: outputs,
    environment: variablesOf(values, project),
    ...(compression === undefined ? {} : { compression }),
    ...(offset === undefined ? {} : { offset: startOffset(context, offset) }),
  };
}

/** Paths of later requests have the name, so that it cannot be one that leads elsewhere. */
function checkNames(name: string, topics: readonly string[]): void {
  if (name === '.' || name === '..')
    throw invalidError(`invalid name "${name}": the Admin API cannot name such a transform again`, { target: name });
  if (topics.includes('')) throw usageError('the name of a topic is empty');
}

function missing(what: string, flag: string, key: string): never {
  throw usageError(`${what} is not set`, {
    target: flag,
    hints: [`use ${flag}, or ${key} in ${projectFile} of the working directory`],
  });
}

function knownCompression(word: string | undefined): string | undefined {
  if (word === undefined || compressions.some((one) => one === word)) return word;
  throw usageError(`unable to use ${projectFile}: compression is not one of ${compressions.join(', ')}`, {
    code: 'CONFIG_INVALID',
    target: projectFile,
  });
}

/** A variable that is given twice is a mistake: only one of the values would count, and the other would be lost silently. */
function checkGivenOnce(given: DeployValues['var']): void {
  const keys = given.map(([key]) => key);
  const twice = keys.find((key, at) => keys.indexOf(key) < at);
  if (twice === undefined) return;
  throw usageError(`the variable ${twice} is set twice`, { target: twice, hints: [`use --var ${twice}=VALUE once`] });
}

/** Those of the flags come after, and instead of, those of the project; the server reserves names with its prefix. */
function variablesOf({ var: given }: DeployValues, { variables = new Map() }: Project): Deployment['environment'] {
  checkGivenOnce(given);
  const all = new Map([...variables, ...given]);
  const reserved = [...all.keys()].find((key) => key.startsWith('REDPANDA_'));
  if (reserved !== undefined)
    throw invalidError(`invalid variable ${reserved}: names that start with REDPANDA_ are reserved`, {
      target: reserved,
    });
  return [...all].map(([key, value]) => ({ key, value }));
}

/**
 * Reads where to begin: `@TIME`, `+N` from the log start, `-N` before the log end, `start` or `end`, in the forms of
 * `topic consume`.
 * @throws CliError (exit 2) for anything else
 */
function startOffset(context: Context, text: string): StartOffset {
  const { start, end } = rangeToChange(context, text);
  const offset = end === undefined ? offsetOf(start) : undefined;
  if (offset !== undefined && Number.isSafeInteger(offset.value)) return offset;
  throw invalidError(`invalid offset "${text}"`, {
    target: '--from-offset',
    hints: ['use @TIME, +N (from the start), -N (from the end), start or end'],
  });
}

function offsetOf(start: ReturnType<typeof rangeToChange>['start']): StartOffset | undefined {
  switch (start.at) {
    case 'time':
      return { format: 'timestamp', value: start.timestamp };
    case 'start':
      return { format: 'from_start', value: 0 };
    case 'end':
      return { format: 'from_end', value: 0 };
    case 'exact':
      return undefined;
    default:
      return { format: start.at === 'afterStart' ? 'from_start' : 'from_end', value: Number(start.count) };
  }
}

/** What `transform.yaml` of a project says; undefined where it says nothing. */
interface Project {
  readonly name?: string | undefined;
  readonly input?: string | undefined;
  readonly outputs?: readonly string[] | undefined;
  readonly variables?: ReadonlyMap<string, string> | undefined;
  readonly compression?: string | undefined;
  readonly offset?: string | undefined;
}

/** The file of a project, in its directory. */
const projectFile = 'transform.yaml';

/** The largest project file, in bytes. */
const largest = 1 << 20;

/**
 * Reads the project file of the working directory; empty if there is none. Keys that only a build needs are ignored.
 * @throws CliError (exit 2) naming the wrong key
 */
async function readProject(context: Context): Promise<Project> {
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
