import { excerpt } from '../format/excerpt.ts';
import { type ApiCall, type ApiPath, pathOf } from '../net/json-api/call.ts';
import { anything, filled, listOf, maybe, read, row, string, truth } from '../shape/shape.ts';
import { type Advice, type Api, calls, hasNumber, notServed, versionAdvice } from './api.ts';
import type { CompatibilityCheck, NewSchema, SchemaVersion } from './rows.ts';
import { versionName } from './schemas.ts';

/** What a registry says about a schema that it has not registered. */
type Verdict = Pick<CompatibilityCheck, 'compatible' | 'messages'>;

/** What it says about one version. */
type VersionVerdict = Omit<CompatibilityCheck, 'level'>;

const verdictAnswer = row({ is_compatible: truth, messages: maybe(listOf(maybe(string))) });

/** Checks a schema against one version of a subject. */
export async function checkVersion(
  api: Api,
  subject: string,
  version: SchemaVersion,
  schema: NewSchema,
): Promise<VersionVerdict> {
  const doing = `check the schema against ${versionName(version)} of the subject "${excerpt(subject)}"`;
  const path = pathOf`/compatibility/subjects/${subject}/versions/${version}`;
  const verdict = await api.call(verdictOn(schema, doing, path, versionAdvice(subject)));
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
    const path = pathOf`/compatibility/subjects/${subject}/versions`;
    return await withReasons(api, subject, schema, await api.call(verdictOn(schema, checking(subject), path)));
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

function checking(subject: string): string {
  return `check the schema against the subject "${excerpt(subject)}"`;
}

function verdictOn(schema: NewSchema, doing: string, path: ApiPath, advice: Advice = {}): ApiCall<Verdict> {
  return calls.post(doing, path, {
    query: { verbose: true },
    body: bodyOf(schema),
    repeats: true,
    changes: false,
    advice,
    answer(body): Verdict {
      const { is_compatible: compatible, messages } = read(verdictAnswer, body);
      return { compatible, messages: (messages ?? []).filter((text) => text !== null) };
    },
    form: '"is_compatible"',
  });
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
      name,
      groupId: 'default',
      artifactId,
      version: String(version),
    })),
  };
  const messages = await api.call(
    calls.post(checking(subject), pathOf`/groups/default/artifacts/${subject}/versions`, {
      isNative: true,
      takesAnyStatus: true,
      query: { dryRun: true },
      body: { content },
      repeats: true,
      changes: false,
      answer: causesIn,
    }),
  );
  return { ...verdict, messages };
}

const cause = row({ description: string, context: maybe(filled) });
const refusal = maybe(row({ causes: listOf(anything) }));

/** The causes of a refusal; anything else has none. */
function causesIn(body: unknown): readonly string[] {
  const { causes } = read(refusal, body) ?? { causes: [] };
  return causes.flatMap((one) => {
    const problem = read(maybe(cause), one);
    if (problem === null) return [];
    return problem.context === null ? problem.description : `${problem.description} at ${problem.context}`;
  });
}
