import { itemError } from '../../../shape/item-error.ts';
import { described, maybe, type RowOf, row, string, whole } from '../../../shape/shape.ts';

const place = maybe(row({ partition: whole, offset: whole }));

/** Dead letters that went to one topic, or were left for one reason. */
export const RedrivenTopic = row({
  topic: described(string, 'topic with the dead letters'),
  destination: described(maybe(string), 'topic that they went to, or name as their origin; null if they name none'),
  records: described(whole, 'number of records: sent, or with an error left where they are'),
  first: described(place, 'where the first of them is in the topic with the dead letters'),
  last: described(place, 'where the last of them is'),
  error: itemError,
});
export type RedrivenTopic = RowOf<typeof RedrivenTopic>;
