import { CliError, exitCodes } from '../errors.ts';
import { excerpt } from '../format/excerpt.ts';
import { contextOf, inContextOf } from './context-words.ts';
import type { Reference, ResolvedSchema, StoredSchema } from './rows.ts';

const deepest = 50;
const most = 1_000;
/** The most text of all references together, in characters. */
const longest = 64 * 1024 * 1024;

/** Fetches a schema that is referred to. */
export type FetchReference = (reference: Reference) => Promise<Pick<StoredSchema, 'type' | 'text' | 'references'>>;

/**
 * Fetches everything that a schema refers to, each version of a subject once. A reference without a context is in the one
 * of the schema that has it.
 * @throws CliError (exit 1) for circles, for two different texts under one name, and beyond the limits
 */
export async function resolveReferences(schema: StoredSchema, fetch: FetchReference): Promise<ResolvedSchema> {
  const { type, text, references, context = '' } = schema;
  const walk: Walk = { fetch, texts: new Map(), byName: new Map(), length: 0 };
  await visitAll(walk, references, { context, trail: [] });
  return { type, text, references: [...walk.byName].map(([name, one]) => ({ name, text: one.text })) };
}

/** A schema that is referred to. */
interface Referred {
  readonly text: string;
  /** Its version and subject, for messages. */
  readonly version: string;
}

interface Walk {
  readonly fetch: FetchReference;
  /** The texts of what has been visited with all its references, by subject and version. */
  readonly texts: Map<string, string>;
  /** The result by name: what is referred to comes before what refers to it. */
  readonly byName: Map<string, Referred>;
  length: number;
}

/** The schema whose references are visited. */
interface Parent {
  readonly context: string;
  /** What has been visited on the way to it. */
  readonly trail: readonly string[];
}

async function visitAll(walk: Walk, references: readonly Reference[], parent: Parent): Promise<void> {
  for (const reference of references) await visit(walk, reference, parent);
}

async function visit(walk: Walk, reference: Reference, { context, trail }: Parent): Promise<void> {
  const subject = inContextOf(context, reference.subject);
  const version = `version ${reference.version} of "${excerpt(subject)}"`;
  const key = JSON.stringify([subject, reference.version]);
  const visited = walk.texts.get(key);
  if (visited !== undefined) return keep(walk, reference.name, { text: visited, version });
  if (trail.includes(key)) throw refusal(`${version} refers to itself`);
  if (trail.length >= deepest) throw refusal(`they are nested more than ${deepest} deep`);
  if (walk.texts.size + trail.length >= most) throw refusal(`there are more than ${most}`);
  const { text, references } = await walk.fetch({ ...reference, subject });
  walk.length += text.length;
  if (walk.length > longest) throw refusal(`they are longer than ${longest} characters together`);
  await visitAll(walk, references, { context: contextOf(subject), trail: [...trail, key] });
  walk.texts.set(key, text);
  keep(walk, reference.name, { text, version });
}

function keep({ byName }: Walk, name: string, one: Referred): void {
  const other = byName.get(name);
  if (other !== undefined && other.text !== one.text)
    throw refusal(`the name "${excerpt(name)}" means ${other.version} and ${one.version}, which differ`);
  byName.set(name, other ?? one);
}

function refusal(why: string): CliError {
  return new CliError(exitCodes.failure, `unable to resolve the references of the schema: ${why}`, {
    code: 'BAD_REFERENCES',
  });
}
