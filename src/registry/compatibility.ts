import { excerpt } from '../format/excerpt.ts';
import { fieldsOf } from '../net/json.ts';
import { pathOf } from '../net/json-api/call.ts';
import { converted, listOf, read, row, string, truth } from '../shape/shape.ts';
import { type Api, hasNumber, notServed, versionAdvice } from './api.ts';
import type { CompatibilityRow, NewSchema, SchemaVersion } from './registry-rows.ts';
import { versionName } from './schemas.ts';

const verdictAnswer = row({
  is_compatible: truth,
  messages: converted(
    (value) => (Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []),
    listOf(string),
  ),
});

/** What a registry says about a schema that it has not registered. */
type Verdict = Pick<CompatibilityRow, 'compatible' | 'messages'>;

/** Checks a schema against one version of a subject. */
export async function checkVersion(
  api: Api,
  subject: string,
  version: SchemaVersion,
  schema: NewSchema,
): Promise<CompatibilityRow> {
  const verdict = await api.call({
    doing: `check the schema against ${versionName(version)} of the subject "${excerpt(subject)}"`,
    path: pathOf`/compatibility/subjects/${subject}/versions/${version}`,
    advice: versionAdvice(subject),
    ...verdictOn(schema),
  });
  // Only the newest version is what a registration would be compared with.
  return { subject, version, ...(version === 'latest' ? await withReasons(api, subject, schema, verdict) : verdict) };
}

/**
 * Checks a schema as a registration would: against all versions if the level of the subject is a transitive one.
 * Registries without a request for that do so for the newest version, too.
 * @returns undefined if the registry does not know the subject
 */
export async function checkSubject(api: Api, subject: string, schema: NewSchema): Promise<Verdict | undefined> {
  try {
    const verdict = await api.call({
      doing: `check the schema against the subject "${excerpt(subject)}"`,
      path: pathOf`/compatibility/subjects/${subject}/versions`,
      ...verdictOn(schema),
    });
    return await withReasons(api, subject, schema, verdict);
  } catch (error) {
    if (hasNumber(error, 40401)) return undefined;
    if (!notServed(error)) throw error;
  }
  try {
    return await checkVersion(api, subject, 'latest', schema);
  } catch (error) {
    if (hasNumber(error, 40401, 40402)) return undefined;
    throw error;
  }
}

/** The parts of a request for a verdict that do not depend on what the schema is compared with. */
function verdictOn(schema: NewSchema) {
  return {
    method: 'POST',
    query: { verbose: true },
    body: bodyOf(schema),
    repeats: true,
    changes: false,
    read(body: unknown): Verdict {
      const { is_compatible: compatible, messages } = read(verdictAnswer, fieldsOf(body));
      return { compatible, messages };
    },
  } as const;
}

/** Some registries refuse the type AVRO being named, and empty references; others need neither. */
export function bodyOf({ type, text, references }: NewSchema): object {
  return {
    schema: text,
    ...(type === 'AVRO' ? {} : { schemaType: type }),
    ...(references.length === 0 ? {} : { references }),
  };
}

/** Adds the reasons that a registry leaves out: Apicurio's own API gives them for a registration that it only tries. */
async function withReasons(api: Api, subject: string, schema: NewSchema, verdict: Verdict): Promise<Verdict> {
  if (verdict.compatible || verdict.messages.length > 0 || !api.isApicurio) return verdict;
  const { type, text, references } = schema;
  const content = {
    content: text,
    contentType: type === 'PROTOBUF' ? 'application/x-protobuf' : 'application/json',
    references: references.map(({ name, subject: artifactId, version }) => ({
      ...{ name, groupId: 'default', artifactId, version: String(version) },
    })),
  };
  const messages = await api.call({
    doing: `check the schema against the subject "${excerpt(subject)}"`,
    method: 'POST',
    isNative: true,
    takesAnyStatus: true,
    path: pathOf`/groups/default/artifacts/${subject}/versions`,
    query: { dryRun: true },
    body: { content },
    repeats: true,
    changes: false,
    read: causesIn,
  });
  return { ...verdict, messages };
}

/** The causes of a refusal; anything else has none. */
function causesIn(body: unknown): readonly string[] {
  const { causes } = fieldsOf(body);
  if (!Array.isArray(causes)) return [];
  return causes.flatMap((cause) => {
    const { description, context } = fieldsOf(cause);
    if (typeof description !== 'string') return [];
    return typeof context === 'string' && context !== '' ? `${description} at ${context}` : description;
  });
}
