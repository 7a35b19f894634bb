import type { Context } from '../../../context.ts';
import { CliError, exitCodes, notFoundError } from '../../../errors.ts';
import type { SchemaField, SchemaMapping } from '../../../kafka/carry/copy/schemas.ts';
import { contextOf, inContextOf, movedSubject } from '../../../registry/context-words.ts';
import type { Registry } from '../../../registry/open.ts';
import type { Reference, SchemaVersion } from '../../../registry/rows.ts';
import { maxSchemaId, type SchemaName } from '../../../serde/wire-format.ts';
import type { ContextValues } from '../../schema-context.ts';
import { topicContexts } from './record-context.ts';

/** A version of a subject. */
interface Version {
  readonly subject: string;
  readonly version: number;
}

/** The fields whose schemas are mapped, and the flags for the context that the source's schemas are in. */
interface MappingValues extends ContextValues {
  readonly fields: readonly SchemaField[];
}

/** What the destination's registry calls a version. */
interface Registered {
  readonly id: number;
  readonly version: number;
}

/**
 * Maps the schemas of the registry of one context to that of another one. Each is registered there under the same
 * subject, but under that of the destination topic if it is the source topic's, after what it refers to and the
 * versions before it: so the history is the same, and evolution is judged as it was. In registries with contexts, each
 * topic has its schemas in one of them.
 */
export function schemaMapping(from: Context, to: Context, { fields, ...values }: MappingValues): SchemaMapping {
  const contexts = { source: topicContexts(from, values), target: topicContexts(to, { schemaContext: undefined }) };
  const places = new Map<string, Promise<Registered>>();

  /** Registers the newest one of versions, after the others. */
  function place(version: Version, subject: string, { waiting, depth }: Trail = start): Promise<Registered> {
    const key = JSON.stringify([version.subject, version.version, subject]);
    if (waiting.includes(key) || depth > deepest) throw endlessReferences(version.subject);
    const pending = places.get(key) ?? register(version, subject, { waiting: [...waiting, key], depth });
    places.set(key, pending);
    return pending;
  }

  async function register({ subject, version }: Version, newSubject: string, trail: Trail): Promise<Registered> {
    const registry = await from.registry();
    const target = await to.registry();
    const before = (await earlierVersion(registry, subject, version)) ?? 0;
    if (before > 0) await place({ subject, version: before }, newSubject, trail);
    const { schema: text, type, references } = await registry.readVersion(subject, version, true);
    const schema = {
      text,
      type,
      references: await mapped(references, { from: subject, to: newSubject }, deeper(trail)),
    };
    const made = await target.register(newSubject, schema, { normalize: false });
    return { id: made.id, version: made.version ?? version };
  }

  /** Maps the references of the schema of a subject that gets another name. */
  async function mapped(
    references: readonly Reference[],
    { from, to }: { readonly from: string; readonly to: string },
    trail: Trail,
  ): Promise<readonly Reference[]> {
    const list: Reference[] = [];
    const move = (subject: string) => movedSubject(subject, contextOf(from), contextOf(to));
    // One after the other: they may refer to the same ones.
    for (const { name, subject: written, version } of references) {
      const subject = inContextOf(contextOf(from), written);
      const newSubject = move(subject);
      const { version: there } = await place({ subject, version: await numberOf(subject, version) }, newSubject, trail);
      list.push({ name, subject: subject === written ? newSubject : written, version: there });
    }
    return list;
  }

  async function numberOf(subject: string, version: SchemaVersion): Promise<number> {
    if (typeof version === 'number' && version > 0) return version;
    return (await (await from.registry()).schemaOfVersion(subject, 'latest')).version;
  }

  return {
    fields,
    async nameOf(name, { field, source, target }) {
      const [context, there] = [await contexts.source(source), await contexts.target(target)];
      const defaultSubject = `${context}${source}-${field}`;
      const original = await findVersion(await from.registry(), name, defaultSubject);
      const subject =
        original.subject === defaultSubject
          ? `${there}${target}-${field}`
          : movedSubject(original.subject, context, there);
      const { id, version } = await place(original, subject);
      to.notice(
        `schema ${name} (${original.subject} version ${original.version}) is schema ${id} there (${subject} version ${version})`,
      );
      // A GUID is made from the schema, and is the same in every registry.
      return typeof name === 'string' ? name : id;
    },
  };
}

/** What waits for a version to be registered: a circle would wait for ever. */
interface Trail {
  readonly waiting: readonly string[];
  /** How many of them wait for what they refer to. */
  readonly depth: number;
}

const start: Trail = { waiting: [], depth: 0 };

/** How deep references may go. */
const deepest = 50;

function deeper({ waiting, depth }: Trail): Trail {
  return { waiting, depth: depth + 1 };
}

function endlessReferences(subject: string): CliError {
  const message = `the references of the subject "${subject}" have no end`;
  return new CliError(exitCodes.failure, message, { code: 'BAD_REFERENCES', target: subject });
}

/** The newest version before one that is not deleted. */
async function earlierVersion(registry: Registry, subject: string, version: number): Promise<number | undefined> {
  const versions = await orNone(registry.versions(subject, false));
  return versions.filter((one) => one < version).sort((a, b) => b - a)[0];
}

/** The version of a subject with a schema: of the topic's own subject, if that has it. */
async function findVersion(registry: Registry, name: SchemaName, defaultSubject: string): Promise<Version> {
  if (typeof name === 'string') {
    const schema = await registry.schemaByGuid(name);
    return await registry.findSchema(defaultSubject, schema, { normalize: false, deleted: true });
  }
  // None for an unknown id.
  const usesOf = (deleted: boolean) => orNone(registry.usesOfId(name, deleted, defaultSubject));
  const uses = name > maxSchemaId ? [] : [...(await usesOf(false)), ...(await usesOf(true))];
  const use = uses.find(({ subject }) => subject === defaultSubject) ?? uses[0];
  if (use !== undefined) return use;
  throw notFoundError(`the source's registry has no schema ${name}`, {
    code: 'SCHEMA_NOT_FOUND',
    target: String(name),
  });
}

/** Nothing, where the registry has nothing of that name. */
async function orNone<T>(rows: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await rows;
  } catch (error) {
    if (error instanceof CliError && error.exitCode === exitCodes.notFound) return [];
    throw error;
  }
}
