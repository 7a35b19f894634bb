import { consumeMutations } from './consume.ts';
import { copyMutations } from './copy.ts';
import { extremeMutations } from './extremes.ts';
import { groupMutations } from './groups.ts';
import type { Mutation } from './mutation.ts';
import { produceMutations } from './produce.ts';
import { redriveMutations } from './redrive.ts';
import { signalMutations } from './signals.ts';
import { transportMutations } from './transport.ts';

/** Every defect that the simulation or a named test must detect. */
export const mutations: readonly Mutation[] = [
  ...consumeMutations,
  ...copyMutations,
  ...groupMutations,
  ...produceMutations,
  ...redriveMutations,
  ...signalMutations,
  ...transportMutations,
  ...extremeMutations,
];
