import { clusterSchemas } from './cluster-schemas.ts';
import type { empty, raw, Schema } from './schema-words.ts';
import { workSchemas } from './work-schemas.ts';

/** The form of the answer of every route by the route's name. */
export const answerSchemas: Readonly<Record<string, Schema | typeof empty | typeof raw>> = {
  ...clusterSchemas,
  ...workSchemas,
};
