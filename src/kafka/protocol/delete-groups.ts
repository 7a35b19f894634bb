import { type Api, adapted } from './api.ts';

/** The groups to delete, all with the same coordinator. */
export interface DeleteGroupsRequest {
  readonly groups: readonly string[];
}

/** One error code per group. */
export interface DeleteGroupsResponse {
  readonly groups: readonly { readonly group: string; readonly errorCode: number }[];
}

/** DeleteGroups (key 42, KIP-229). */
export const deleteGroups: Api<DeleteGroupsRequest, DeleteGroupsResponse> = adapted({
  name: 'DeleteGroups',
  key: 42,
  min: 0,
  max: 2,
  flexibleFrom: 2,
  target: 'coordinator',
  // The answer to a second request would report the groups as unknown.
  repeatable: false,
  changes: true,
  encode(writer, { groups }) {
    writer.array(groups, writer.string);
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const groups = reader.array(() => {
      const row = { group: reader.string(), errorCode: reader.int16() };
      reader.tags();
      return row;
    });
    reader.tags();
    return { throttleMs, groups };
  },
});
