/** A draft of JSON Schema that weir knows, by number or year. */
export type Draft = 4 | 6 | 7 | 2019 | 2020;

const drafts: ReadonlyMap<string, Draft> = new Map<string, Draft>([
  ['json-schema.org/schema', 4],
  ['json-schema.org/draft-04/schema', 4],
  ['json-schema.org/draft-06/schema', 6],
  ['json-schema.org/draft-07/schema', 7],
  ['json-schema.org/draft/2019-09/schema', 2019],
  ['json-schema.org/draft/2020-12/schema', 2020],
]);

/** Without a `$schema` that is known, as for Confluent's registry and serializers (`SpecificationVersion.DRAFT_7`). */
export const defaultDraft: Draft = 7;

/** Returns the draft that a `$schema` names, in either scheme; undefined for any other. */
export function draftNamed(uri: unknown): Draft | undefined {
  return typeof uri === 'string' ? drafts.get(uri.replace(/^https?:\/\//, '').replace(/#$/, '')) : undefined;
}
