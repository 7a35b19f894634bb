import { type Api, adapted } from './api.ts';
import { partitionRows } from './partition-rows.ts';

/** The kinds of election, with the protocol's numbers. */
export const electionTypes = { preferred: 0, unclean: 1 } as const;

/** One of `electionTypes`. */
export type ElectionType = keyof typeof electionTypes;

/** The partitions that need a leader. */
export interface ElectLeadersRequest {
  readonly type: ElectionType;
  readonly topics: readonly { readonly name: string; readonly partitions: readonly number[] }[];
  readonly timeoutMs: number;
}

/** The result for one partition. */
export interface ElectedLeader {
  readonly topic: string;
  readonly partition: number;
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
}

/** One error code for the request and one per partition. */
export interface ElectLeadersResponse {
  readonly errorCode: number;
  readonly partitions: readonly ElectedLeader[];
}

/** ElectLeaders v1–2 (KIP-460). Version 0 has no unclean elections. */
export const electLeaders: Api<ElectLeadersRequest, ElectLeadersResponse> = adapted({
  name: 'ElectLeaders',
  key: 43,
  min: 1,
  max: 2,
  flexibleFrom: 2,
  target: 'controller',
  // That a partition needs no election, or has no eligible replica, is an answer and no reason to ask again.
  repeatable: false,
  changes: true,
  encode(writer, { type, topics, timeoutMs }) {
    writer.int8(electionTypes[type]);
    writer.array(topics, ({ name, partitions }) => {
      writer.string(name);
      writer.array(partitions, writer.int32);
      writer.tags();
    });
    writer.int32(timeoutMs);
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const errorCode = reader.int16();
    const partitions = partitionRows(reader, (topic) => {
      const row = {
        topic,
        partition: reader.int32(),
        errorCode: reader.int16(),
        errorMessage: reader.nullableString(),
      };
      reader.tags();
      return row;
    });
    reader.tags();
    return { throttleMs, errorCode, partitions };
  },
  timeoutMs: (request) => request.timeoutMs,
  errorCode: ({ errorCode }) => errorCode,
});
