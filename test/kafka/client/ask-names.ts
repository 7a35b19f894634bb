import type { Client } from '../../../src/kafka/client/client.ts';
import { type CodedRow, type Located, questionOf } from '../../../src/kafka/client/question.ts';
import type { Target } from '../../../src/kafka/client/targets.ts';
import { type Api, adapted } from '../../../src/kafka/protocol/api.ts';
import { createReader } from '../../../src/kafka/protocol/codec.ts';
import type { Arrival } from '../../services/scripted-broker.ts';
import { bytesOf } from '../topics/topic-answer.ts';

/** The answer for one name. */
export interface Row extends CodedRow {
  readonly name: string;
}

/** An API of the test: a list of names, answered by a code for each. Its number is that of Heartbeat, which is scripted. */
export const names: Api<readonly string[], { readonly throttleMs: number; readonly rows: readonly Row[] }> = adapted({
  ...{ name: 'Names', key: 12, min: 4, max: 4, flexibleFrom: 4, target: 'any', repeatable: true },
  encode: (writer, list) => {
    writer.array(list, writer.string);
    writer.tags();
  },
  decode: (reader) => ({
    throttleMs: 0,
    rows: reader.array(() => ({ name: reader.string(), errorCode: reader.int16() })),
  }),
});

/** The names in a request. */
export function asked({ body }: Arrival): readonly string[] {
  const reader = createReader(body, true, 'Names');
  reader.tags();
  return reader.array<string>(() => reader.string());
}

/** An answer with a code for each name. */
export function answer(codes: readonly (readonly [string, number])[]): Buffer {
  return bytesOf(true, (writer) =>
    writer.array(codes, ([name, code]) => {
      writer.string(name);
      writer.int16(code);
    }),
  );
}

/** Answers that all is well with every name. */
export const allWell = (arrival: Arrival): Buffer => answer(asked(arrival).map((name) => [name, 0]));

/** Asks about names. */
export function ask(client: Client, items: readonly string[], target: (item: string) => Target, api = names) {
  const question = questionOf({
    ...{ api, what: (item: string) => `name ${item}`, target, keyOf: (item: string) => item },
    request: (located: readonly Located<string>[]) => located.map(({ item }) => item),
    rows: ({ rows }) => rows.map((row) => [row.name, row] as const),
  });
  return client.ask(question, items);
}
