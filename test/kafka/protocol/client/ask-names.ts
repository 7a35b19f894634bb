import type { Client } from '../../../../src/kafka/protocol/client/client.ts';
import { questionOf } from '../../../../src/kafka/protocol/client/question.ts';
import type { Target } from '../../../../src/kafka/protocol/client/targets.ts';
import { api } from '../../../../src/kafka/protocol/wire/api.ts';
import { struct } from '../../../../src/kafka/protocol/wire/fields.ts';
import { array, int16, string } from '../../../../src/kafka/protocol/wire/primitives.ts';
import { answerOf, requestIn } from '../../../services/answer.ts';
import type { Arrival } from '../../../services/scripted-broker.ts';

/** An API of the test: a list of names, answered by a code for each. Its number is that of Heartbeat, which is scripted. */
export const names = api({
  name: 'Names',
  key: 12,
  versions: [4, 4],
  flexibleFrom: 4,
  target: 'any',
  repeatable: true,
  request: { names: array(string) },
  response: { rows: array(struct({ name: string, errorCode: int16 })) },
});

/** The names in a request. */
export function asked(arrival: Arrival): readonly string[] {
  return requestIn(names, arrival).names;
}

/** An answer with a code for each name. */
export function answer(codes: readonly (readonly [string, number])[]): Buffer {
  return answerOf(names, 4, { rows: codes.map(([name, errorCode]) => ({ name, errorCode })) });
}

/** Answers that all is well with every name. */
export const allWell = (arrival: Arrival): Buffer => answer(asked(arrival).map((name) => [name, 0]));

/** Asks about names. */
export function ask(client: Client, items: readonly string[], target: (item: string) => Target, of = names) {
  const question = questionOf({
    api: of,
    what: (item: string) => `name ${item}`,
    target,
    keyOf: (item: string) => item,
    request: (asked: readonly string[]) => ({ names: asked }),
    rows: ({ rows }) => rows.map((row) => [row.name, row] as const),
  });
  return client.ask(question, items);
}
