import { type Api, adapted } from './api.ts';

/** Which groups to list. Before version 4 the states cannot be sent, before version 5 the types. */
export interface ListGroupsRequest {
  /** Empty: groups in any state. */
  readonly states: readonly string[];
  /** Empty: groups of any type. */
  readonly types: readonly string[];
}

/** A group whose coordinator is the broker that answers. */
export interface ListedGroup {
  readonly group: string;
  /** For example `consumer`, `connect` or `share`; empty for a group that only commits offsets. */
  readonly protocolType: string;
  /** Undefined before version 4. */
  readonly state: string | undefined;
  /** `classic`, `consumer`, `share` or `streams`; undefined before version 5. */
  readonly type: string | undefined;
}

/** The groups of one coordinator that the principal may describe. */
export interface ListGroupsResponse {
  readonly errorCode: number;
  readonly groups: readonly ListedGroup[];
}

/** ListGroups (key 16); states since version 4 (KIP-518), types since version 5 (KIP-848). */
export const listGroups: Api<ListGroupsRequest, ListGroupsResponse> = adapted({
  name: 'ListGroups',
  key: 16,
  min: 0,
  max: 5,
  flexibleFrom: 3,
  target: 'broker',
  repeatable: true,
  errorCode: ({ errorCode }) => errorCode,
  encode(writer, { states, types }, version) {
    if (version >= 4) writer.array(states, writer.string);
    if (version >= 5) writer.array(types, writer.string);
    writer.tags();
  },
  decode(reader, version) {
    const throttleMs = version >= 1 ? reader.int32() : 0;
    const errorCode = reader.int16();
    const groups = reader.array(() => {
      const group = {
        group: reader.string(),
        protocolType: reader.string(),
        state: version >= 4 ? reader.string() : undefined,
        type: version >= 5 ? reader.string() : undefined,
      };
      reader.tags();
      return group;
    });
    reader.tags();
    return { throttleMs, errorCode, groups };
  },
});
