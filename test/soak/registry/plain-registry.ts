import { isDeepStrictEqual } from 'node:util';
import { inParallel } from '../../../src/net/parallel.ts';
import type { SampleSubject } from './sample-subjects.ts';

/** A registry, asked without weir's client. */
export interface PlainRegistry {
  readonly name: string;
  readonly url: string;
}

/** A subject as the registry has it. */
export interface PlainSubject {
  readonly subject: string;
  /** The level of its own; null for none. */
  readonly level: string | null;
  /** The mode of its own; null for none. */
  readonly mode: string | null;
  readonly versions: readonly PlainVersion[];
}

interface PlainVersion {
  readonly version: number;
  readonly id: number;
  readonly isDeleted: boolean;
  readonly type: string;
  /** Null for a deleted version that the registry lists but does not serve. */
  readonly text: string | null;
  readonly references: unknown;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Sends one request. @throws Error if nothing answers */
export async function ask({ url }: PlainRegistry, method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/vnd.schemaregistry.v1+json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${url}${path}`, { method, headers, ...sent });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

async function must(
  registry: PlainRegistry,
  ...[method, path, body]: readonly [string, string, unknown?]
): Promise<unknown> {
  const answer = await ask(registry, method, path, body);
  if (answer.status < 300) return answer.body;
  throw new Error(`${registry.name}: ${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

function pathOf(subject: string): string {
  return `/subjects/${encodeURIComponent(subject)}`;
}

/** The names of all subjects, of deleted ones, too; null is what a registry without any may answer. */
export async function namesIn(registry: PlainRegistry): Promise<readonly string[]> {
  return ((await must(registry, 'GET', '/subjects?deleted=true')) ?? []) as readonly string[];
}

/** Registers the samples one after the other, sets their levels, and deletes what is to be deleted. */
export async function fill(registry: PlainRegistry, samples: readonly SampleSubject[]): Promise<void> {
  for (const { subject, type, versions } of samples)
    for (const { text: schema, references } of versions)
      await must(registry, 'POST', `${pathOf(subject)}/versions`, { schemaType: type, schema, references });
  for (const { subject, level: compatibility, versions } of samples) {
    if (compatibility !== undefined) await must(registry, 'PUT', `/config/${subject}`, { compatibility });
    for (const [at, { isDeleted }] of versions.entries())
      if (isDeleted) await must(registry, 'DELETE', `${pathOf(subject)}/versions/${at + 1}`);
  }
}

/** Deletes everything; what others refer to goes after them. */
export async function empty(registry: PlainRegistry): Promise<void> {
  for (let pass = 0; pass < 20; pass += 1) {
    const names = await namesIn(registry);
    if (names.length === 0) return;
    for (const name of names.toReversed()) {
      await ask(registry, 'DELETE', `/mode/${encodeURIComponent(name)}`);
      await ask(registry, 'DELETE', `/config/${encodeURIComponent(name)}`);
      await ask(registry, 'DELETE', pathOf(name));
      await ask(registry, 'DELETE', `${pathOf(name)}?permanent=true`);
    }
  }
  throw new Error(`${registry.name} could not be emptied: ${(await namesIn(registry)).slice(0, 5).join(', ')}`);
}

/** All that a registry has, sorted by subject. */
export async function contentOf(registry: PlainRegistry): Promise<readonly PlainSubject[]> {
  const names = await namesIn(registry);
  return await inParallel(names.toSorted(), async (subject): Promise<PlainSubject> => {
    const path = pathOf(subject);
    const every = (await must(registry, 'GET', `${path}/versions?deleted=true`)) as readonly number[];
    const { status, body } = await ask(registry, 'GET', `${path}/versions`);
    const live = status === 404 ? [] : (body as readonly number[]);
    const versions = await inParallel(every, async (version): Promise<PlainVersion> => {
      const isDeleted = !live.includes(version);
      const answer = await ask(registry, 'GET', `${path}/versions/${version}?deleted=true`);
      if (isDeleted && answer.status === 404)
        return { version, id: 0, isDeleted, type: '', text: null, references: [] };
      if (answer.status >= 300) throw new Error(`${subject} ${version}: ${answer.status}`);
      const { id, schema, schemaType = 'AVRO', references } = answer.body as Record<string, unknown>;
      const row = { version, id: Number(id), isDeleted, type: String(schemaType), text: String(schema) };
      return { ...row, references: references ?? [] };
    });
    return { subject, level: await levelOf(registry, subject), mode: await modeOf(registry, subject), versions };
  });
}

async function levelOf(registry: PlainRegistry, subject: string): Promise<string | null> {
  const { status, body } = await ask(registry, 'GET', `/config/${encodeURIComponent(subject)}`);
  const { compatibilityLevel = 'NONE' } = (body ?? {}) as { readonly compatibilityLevel?: string };
  // Apicurio answers NONE for a subject without one.
  return status >= 300 || compatibilityLevel === 'NONE' ? null : compatibilityLevel;
}

async function modeOf(registry: PlainRegistry, subject: string): Promise<string | null> {
  const { status, body } = await ask(registry, 'GET', `/mode/${encodeURIComponent(subject)}`);
  return status >= 300 ? null : ((body as { readonly mode?: string } | null)?.mode ?? null);
}

/** The subjects that are in the mode IMPORT. */
export async function importingIn(registry: PlainRegistry, subjects: readonly string[]): Promise<readonly string[]> {
  const modes = await inParallel(subjects, (subject) => modeOf(registry, subject));
  return subjects.filter((_, at) => modes[at] === 'IMPORT');
}

/** Sets the mode of a subject, and returns whether the registry has it. */
export async function setMode(registry: PlainRegistry, subject: string, mode: string): Promise<boolean> {
  return (await ask(registry, 'PUT', `/mode/${encodeURIComponent(subject)}?force=true`, { mode })).status < 300;
}

/** Whether a registry takes ids and versions as they are given; nothing is left of the trial. */
export async function keepsIds(registry: PlainRegistry): Promise<boolean> {
  const subject = 'soak-trial';
  if (!(await setMode(registry, subject, 'IMPORT'))) return false;
  const body = { schema: '{"type":"enum","name":"Trial","symbols":["a"]}', id: 2_000_001, version: 7 };
  await ask(registry, 'POST', `${pathOf(subject)}/versions`, body);
  const { status, body: made } = await ask(registry, 'GET', `${pathOf(subject)}/versions/7`);
  await ask(registry, 'DELETE', `/mode/${subject}`);
  await ask(registry, 'DELETE', pathOf(subject));
  await ask(registry, 'DELETE', `${pathOf(subject)}?permanent=true`);
  return status === 200 && (made as { readonly id?: number }).id === body.id;
}

/** Whether subjects can be in contexts; nothing is left of the trial. */
export async function hasContexts(registry: PlainRegistry): Promise<boolean> {
  const subject = ':.soak-trial:one';
  await ask(registry, 'POST', `${pathOf(subject)}/versions`, { schema: '"string"' });
  const { body } = await ask(registry, 'GET', '/contexts');
  await ask(registry, 'DELETE', pathOf(subject));
  await ask(registry, 'DELETE', `${pathOf(subject)}?permanent=true`);
  return Array.isArray(body) && body.includes('.soak-trial');
}

/** What must be the same on both sides. */
export interface Sameness {
  readonly ids: boolean;
  /** The context of the copy, such as `:.soak:`. */
  readonly context?: string;
}

/** Compares two contents, and returns how they are equal. @throws Error with the first difference */
export function requireSame(from: readonly PlainSubject[], to: readonly PlainSubject[], sameness: Sameness): string {
  const found = new Map(to.map((one) => [one.subject, one]));
  const compared: PlainSubject[] = [];
  for (const one of from) {
    const name = `${sameness.context ?? ''}${one.subject}`;
    const other = found.get(name);
    found.delete(name);
    if (one.versions.some(({ text }) => text === null)) continue;
    const isServed = other?.versions.every(({ text }) => text !== null) ?? true;
    const [expected, actual] = [one, other].map((side) => side && (isServed ? comparable(side, sameness) : bare(side)));
    if (!isDeepStrictEqual(expected, actual))
      throw new Error(`${one.subject} differs:\n${JSON.stringify(expected)}\n${JSON.stringify(actual)}`);
    if (isServed) compared.push(one);
  }
  if (found.size > 0) throw new Error(`nobody made ${[...found.keys()].join(', ')}`);
  const versions = compared.flatMap((one) => one.versions);
  const others = new Set(to.flatMap((one) => one.versions.map(({ text }) => text)));
  const exact = versions.filter(({ text }) => others.has(text)).length;
  return `${compared.length} subjects and ${versions.length} versions are equal, ${exact} texts byte for byte`;
}

/** What a registry says of a deleted subject that it does not serve. */
function bare({ versions }: PlainSubject): unknown {
  return versions.map(({ version, isDeleted }) => ({ version, isDeleted }));
}

function comparable({ level, versions }: PlainSubject, { ids }: Sameness): unknown {
  return {
    level,
    versions: versions.map(({ id, type, text, ...version }) => {
      return {
        ...version,
        ...(ids && { id }),
        type,
        text: type === 'PROTOBUF' ? text?.trim() : JSON.parse(text ?? 'null'),
      };
    }),
  };
}
