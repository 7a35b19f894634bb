import { listOf, maybe, type RowOf, row, string, truth, whole } from '../../shape/shape.ts';

/** A subject that is copied, with the versions that the destination does not have yet. */
export const CopiedSubject = row({
  subject: string,
  /** The subject in the destination, which can be in another context. */
  destination: string,
  versions: listOf(
    row({
      version: whole,
      /** The id in the source. */
      source_id: whole,
      /** The id in the destination: the same, unless it assigns ids; null until it has assigned one. */
      id: maybe(whole),
      /** Whether the version is soft-deleted, as in the source. */
      deleted: truth,
    }),
  ),
  /** The compatibility level that the destination gets for the subject; null if it stays as it is. */
  level: maybe(string),
});
export type CopiedSubject = RowOf<typeof CopiedSubject>;
