import { describeTranscripts } from './all-of.ts';

describeTranscripts('group', [
  'group delete',
  'group describe',
  'group lag',
  'group list',
  'group offset-delete',
  'group seek',
]);
